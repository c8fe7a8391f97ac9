package avx2

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/reg"
)

// A routine is allocated before its callers, which then have its registers as they
// are. So that they need few copies, the callers of all routines are looked at
// together: a value that one routine takes or leaves in a register is best taken and
// left there by the others, and what lives on behind a call is best left alone.

// Callers are the kernels of a file as far as routines are concerned.
type Callers struct {
	routines []*vir.Func
	sites    map[*vir.Func][]site
	names    map[*vir.Func][]string // of the kernels
	webs     map[*vir.Value]*vir.Value
	homes    map[*vir.Value][]ballot // of webs
	known    map[*vir.Func]*machine.Convention
	plain    map[*vir.Func]bool // routines that cannot do what callers want
}

// A ballot is the registers where routines take or leave the parts of a web, and how
// often they do.
type ballot struct {
	regs   []reg.Register
	weight float64
}

// A site is a call with what lives on behind it. The weight is two per loop: what is
// called outside of loops takes bytes, too.
type site struct {
	call    *vir.Value
	results []*vir.Value // by number; nil if nobody reads one
	behind  []*vir.Value
	weight  float64
}

// NewCallers finds the calls in kernels.
func NewCallers(kernels []*vir.Func) *Callers {
	c := &Callers{
		sites: make(map[*vir.Func][]site),
		names: make(map[*vir.Func][]string),
		webs:  make(map[*vir.Value]*vir.Value),
		homes: make(map[*vir.Value][]ballot),
		known: make(map[*vir.Func]*machine.Convention),
		plain: make(map[*vir.Func]bool),
	}
	for _, f := range kernels {
		if hasCalls(f) {
			c.add(f)
		}
	}
	return c
}

func hasCalls(f *vir.Func) bool {
	for v := range f.Values {
		if v.Op == vir.OpCall {
			return true
		}
	}
	return false
}

// Routines are what the kernels call, in order of the first call.
func (c *Callers) Routines() []*vir.Func { return c.routines }

// Names are the kernels that call r.
func (c *Callers) Names(r *vir.Func) []string { return c.names[r] }

func (c *Callers) add(f *vir.Func) {
	a := analyze(f)
	for v := range f.Values {
		if v.Op == vir.OpPhi {
			for _, x := range v.Args {
				c.join(v, x)
			}
		}
	}
	out := liveOut(f, a)
	for _, b := range f.Blocks {
		if _, reached := a.rpo[b]; !reached {
			continue
		}
		var found []site
		live := out[b]
		for k := len(b.Insts) - 1; k >= 0; k-- {
			v := b.Insts[k]
			if v.Op == vir.OpCall {
				found = append(found, site{v, resultsOf(v, a.uses), inOrder(f, live), math.Pow(2, float64(a.depth[b]))})
			}
			passValue(live, v)
		}
		slices.Reverse(found)
		for _, s := range found {
			c.addSite(f, s)
		}
	}
}

func (c *Callers) addSite(f *vir.Func, s site) {
	r := s.call.Callee
	if c.sites[r] == nil {
		c.routines = append(c.routines, r)
	}
	c.sites[r] = append(c.sites[r], s)
	if !slices.Contains(c.names[r], f.Name) {
		c.names[r] = append(c.names[r], f.Name)
	}
}

// resultsOf are the result operations of a call that are read, by number.
func resultsOf(call *vir.Value, uses map[*vir.Value][]*vir.Value) []*vir.Value {
	out := make([]*vir.Value, len(call.Callee.Results))
	for _, r := range uses[call] {
		if len(uses[r]) > 0 {
			out[r.Imm] = r
		}
	}
	return out
}

// liveOut are the values that live at the ends of blocks, constants left out.
func liveOut(f *vir.Func, a *analysis) map[*vir.Block]map[*vir.Value]bool {
	out := make(map[*vir.Block]map[*vir.Value]bool)
	in := make(map[*vir.Block]map[*vir.Value]bool)
	for _, b := range f.Blocks {
		out[b], in[b] = make(map[*vir.Value]bool), make(map[*vir.Value]bool)
	}
	for changed := true; changed; {
		changed = false
		for k := len(a.order) - 1; k >= 0; k-- {
			b := a.order[k]
			for _, s := range b.Succs {
				for v := range in[s] {
					out[b][v] = true
				}
				for _, phi := range s.Phis() {
					addValue(out[b], phi.Args[s.PredIndex(b)])
				}
			}
			live := make(map[*vir.Value]bool)
			for v := range out[b] {
				live[v] = true
			}
			for n := len(b.Insts) - 1; n >= 0; n-- {
				passValue(live, b.Insts[n])
			}
			changed = changed || len(live) != len(in[b])
			in[b] = live
		}
	}
	return out
}

// passValue moves live from behind v to before it.
func passValue(live map[*vir.Value]bool, v *vir.Value) {
	delete(live, v)
	if v.Op == vir.OpPhi {
		return
	}
	for _, x := range v.Args {
		addValue(live, x)
	}
}

func addValue(live map[*vir.Value]bool, v *vir.Value) {
	if v.Op != vir.OpConst && v.Op != vir.OpPoison && v.Op != vir.OpCall {
		live[v] = true
	}
}

// inOrder are the members of a set in the order of the program.
func inOrder(f *vir.Func, set map[*vir.Value]bool) (out []*vir.Value) {
	for v := range f.Values {
		if set[v] {
			out = append(out, v)
		}
	}
	return out
}

// web stands for v and all values that phis make one with it: they are often in one
// register.
func (c *Callers) web(v *vir.Value) *vir.Value {
	for c.webs[v] != nil {
		v = c.webs[v]
	}
	return v
}

func (c *Callers) join(v, w *vir.Value) {
	if w.Op == vir.OpConst || w.Op == vir.OpPoison {
		return
	}
	if a, b := c.web(v), c.web(w); a != b {
		c.webs[b] = a
	}
}

// result is the web of result k of a call, nil if nobody reads it.
func (c *Callers) result(s site, k int) *vir.Value {
	if v := s.results[k]; v != nil {
		return c.web(v)
	}
	return nil
}

// argument is the web of argument k of a call, nil if it is a constant.
func (c *Callers) argument(s site, k int) *vir.Value {
	if a := s.call.Args[k]; a.Op != vir.OpConst && a.Op != vir.OpPoison {
		return c.web(a)
	}
	return nil
}

// Fix says how routine r is called.
func (c *Callers) Fix(r *vir.Func, conv *machine.Convention) {
	c.known[r] = conv
	c.vote(r, conv, 1)
}

// Forget takes back what Fix said.
func (c *Callers) Forget(r *vir.Func) {
	if conv := c.known[r]; conv != nil {
		c.vote(r, conv, -1)
		delete(c.known, r)
	}
}

// vote adds the registers of a convention to the homes of what is passed in them.
func (c *Callers) vote(r *vir.Func, conv *machine.Convention, sign float64) {
	for _, s := range c.sites[r] {
		for k, regs := range conv.Params {
			c.cast(c.argument(s, k), regs, sign*s.weight)
		}
		for k, regs := range conv.Results {
			c.cast(c.result(s, k), regs, sign*s.weight)
		}
	}
}

func (c *Callers) cast(web *vir.Value, regs []reg.Register, weight float64) {
	if web == nil || len(regs) == 0 {
		return
	}
	for k, b := range c.homes[web] {
		if slices.Equal(b.regs, regs) {
			c.homes[web][k].weight += weight
			return
		}
	}
	c.homes[web] = append(c.homes[web], ballot{regs, weight})
}

// home is the registers where most routines want a web, nil if none does.
func (c *Callers) home(web *vir.Value) []reg.Register {
	best := ballot{}
	for _, b := range c.homes[web] {
		if b.weight > best.weight {
			best = b
		}
	}
	return best.regs
}

// GiveUp lets the registers of r be chosen without regard to its callers.
func (c *Callers) GiveUp(r *vir.Func) { c.plain[r] = true }

// preferences are what the callers of r would like, given the virtual registers of its
// parameters and results.
func (c *Callers) preferences(r *vir.Func, params, results [][]reg.Register) *machine.Preferences {
	p := &machine.Preferences{Avoid: make(map[reg.ID]float64)}
	for _, s := range c.sites[r] {
		for k, regs := range params {
			c.wish(p, regs, c.argument(s, k), s.weight)
		}
		for k, regs := range results {
			c.wish(p, regs, c.result(s, k), s.weight)
		}
		c.pairs(p, s, params, results)
		for _, v := range s.behind {
			for _, h := range c.home(c.web(v)) {
				p.Avoid[h.ID()] += s.weight
			}
		}
	}
	return p
}

// wish wants registers where the web lives already. Twice the weight: that it lives
// there is also what makes others avoid the place.
func (c *Callers) wish(p *machine.Preferences, regs []reg.Register, web *vir.Value, weight float64) {
	if web == nil {
		return
	}
	for k, h := range c.home(web) {
		if k < len(regs) {
			p.Wishes = append(p.Wishes, machine.Wish{From: regs[k], To: h, Saves: 2 * weight})
		}
	}
}

// pairs joins results with the parameters whose place they take.
func (c *Callers) pairs(p *machine.Preferences, s site, params, results [][]reg.Register) {
	for k, x := range params {
		a := c.argument(s, k)
		for n, y := range results {
			if a == nil || c.result(s, n) != a || len(x) != len(y) {
				continue
			}
			for i := range x {
				p.Same = append(p.Same, [2]reg.Register{x[i], y[i]})
			}
		}
	}
}

// keeps reports whether parameter k of r is mostly needed again behind its calls.
func (c *Callers) keeps(r *vir.Func, k int) bool {
	if len(c.sites[r]) == 0 {
		return false
	}
	balance := 0.0
	for _, s := range c.sites[r] {
		if slices.Contains(s.behind, s.call.Args[k]) {
			balance += s.weight
		} else {
			balance -= s.weight
		}
	}
	return balance >= 0
}
