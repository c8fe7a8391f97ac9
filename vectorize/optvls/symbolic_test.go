package optvls

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"
)

// A machine runs code on symbolic bytes: what a byte of memory or of a member's
// value is called tells where it comes from. It shares nothing with the search.
type machine struct {
	g      *Group
	client testClient
	active []bool           // lanes of the memrefs
	mem    map[int64]string // what was stored
}

type testClient struct {
	Client
	gaps  int // 0: none may be read; 1: those inside; 2: up to the end of the last stride
	masks bool
}

func (c testClient) Access(in *Inst) (int, bool) {
	if in.Masked && !c.masks && in.Type.Lanes > 1 {
		return 0, false
	}
	cost, _ := c.Client.Access(in)
	if in.Masked {
		cost += 3
	}
	return cost, true
}

func (c testClient) MayRead(g *Group, from, to int64) bool {
	lo, hi := g.Extent()
	if c.gaps == 2 && g.Stride > g.Span() {
		hi += g.Stride - g.Span()
	}
	return c.gaps > 0 && from >= lo && to <= hi
}

// address of a byte of a row; rows of indexed groups are far apart.
func (m *machine) address(row int, off int64) int64 {
	if m.g.Access.Indexed {
		return int64(row*7919)<<12 + off
	}
	return int64(row)*m.g.Stride + off
}

// touched maps the bytes that active lanes access to the lanes that do.
func (m *machine) touched() map[int64][]int {
	t := make(map[int64][]int)
	for k := range m.g.Lanes {
		for _, mem := range m.g.Members {
			for b := int64(0); m.active[k] && b < int64(mem.Type.Bits/8); b++ {
				a := m.address(k, mem.Offset+b)
				t[a] = append(t[a], k)
			}
		}
	}
	return t
}

// run executes the code and reports the first wrong lane.
func (m *machine) run(code *Code) error {
	touched := m.touched()
	m.mem = make(map[int64]string)
	vals := make([][]string, len(code.Insts))
	for i := range code.Insts {
		in := &code.Insts[i]
		for _, a := range in.Args {
			if a >= i {
				return fmt.Errorf("%d: uses %d before it is there", i, a)
			}
		}
		switch in.Op {
		case Value:
			vals[i] = m.value(in.Member)
		case Shuffle:
			var err error
			if vals[i], err = shuffled(code, in, vals); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		case Load, Store:
			var err error
			if vals[i], err = m.access(in, vals, touched); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		}
		if len(vals[i]) != in.Type.Bytes() && in.Op != Store || in.Type.Bytes() > m.g.Vector {
			return fmt.Errorf("%d: %d bytes in a %s", i, len(vals[i]), in.Type)
		}
	}
	if m.g.Access.Store {
		return m.checkMemory()
	}
	return m.checkResults(code, vals)
}

func (m *machine) value(member int) []string {
	var v []string
	for k := range m.g.Lanes {
		for b := range m.g.Members[member].Type.Bits / 8 {
			v = append(v, m.stored(member, k, b))
		}
	}
	return v
}

func (m *machine) stored(member, k, b int) string { return fmt.Sprint("v", member, ".", k, ".", b) }

func shuffled(code *Code, in *Inst, vals [][]string) ([]string, error) {
	var all []string
	for _, a := range in.Args {
		if code.Insts[a].Type != code.Insts[in.Args[0]].Type {
			return nil, fmt.Errorf("sources of different types")
		}
		all = append(all, vals[a]...)
	}
	if len(in.Args) > 2 || in.Type.Lanes != len(in.Lanes) || in.Type.Lanes&(in.Type.Lanes-1) != 0 {
		return nil, fmt.Errorf("bad shuffle %v", in)
	}
	var v []string
	bytes := in.Type.Bits / 8
	for _, l := range in.Lanes {
		for b := range bytes {
			s := "any"
			if l >= 0 {
				s = all[l*bytes+b]
			}
			v = append(v, s)
		}
	}
	return v, nil
}

func (m *machine) access(in *Inst, vals [][]string, touched map[int64][]int) ([]string, error) {
	if in.Type.Lanes&(in.Type.Lanes-1) != 0 {
		return nil, fmt.Errorf("access of %s", in.Type)
	}
	var v []string
	bytes := int64(in.Type.Bits / 8)
	for l, row := range in.Rows {
		for b := range bytes {
			off := in.Offset + int64(l)*bytes + b
			a := m.address(in.Row, off)
			if in.Masked && (row < 0 || m.g.Access.Masked && !m.active[row]) {
				v = append(v, "any")
				continue
			}
			if row >= 0 && m.active[row] && !slices.Contains(touched[a], row) {
				return nil, fmt.Errorf("lane %d is not of row %d", l, row)
			}
			if len(touched[a]) == 0 && (in.Op == Store || !m.client.MayRead(m.g, off, off+1)) {
				return nil, fmt.Errorf("lane %d touches byte %d", l, off)
			}
			if in.Op == Store {
				m.mem[a] = vals[in.Args[0]][int64(l)*bytes+b]
			}
			v = append(v, fmt.Sprint(a))
		}
	}
	return v, nil
}

func (m *machine) checkMemory() error {
	n := 0
	for i, mem := range m.g.Members {
		for k := range m.g.Lanes {
			for b := 0; m.active[k] && b < mem.Type.Bits/8; b++ {
				n++
				got := m.mem[m.address(k, mem.Offset+int64(b))]
				if got != m.stored(i, k, b) {
					return fmt.Errorf("member %d lane %d byte %d: %q stored", i, k, b, got)
				}
			}
		}
	}
	if n != len(m.mem) {
		return fmt.Errorf("%d bytes stored, want %d", len(m.mem), n)
	}
	return nil
}

func (m *machine) checkResults(code *Code, vals [][]string) error {
	for i, mem := range m.g.Members {
		got := vals[code.Results[i]]
		bytes := mem.Type.Bits / 8
		if len(got) != bytes*m.g.Lanes {
			return fmt.Errorf("member %d has %d bytes", i, len(got))
		}
		for k := range m.g.Lanes {
			for b := 0; m.active[k] && b < bytes; b++ {
				if want := fmt.Sprint(m.address(k, mem.Offset+int64(b))); got[k*bytes+b] != want {
					return fmt.Errorf("member %d lane %d byte %d: %s, want %s", i, k, b, got[k*bytes+b], want)
				}
			}
		}
	}
	return nil
}

// randomGroup makes memrefs of one or two element sizes and a client for them. Most
// have few lanes, as these take less time and have the same cases.
func randomGroup(r *rand.Rand, costs Client) ([]Memref, int, testClient) {
	size := 1 << r.IntN(5)
	vf := 2 << min(r.IntN(3), r.IntN(3))
	most := 8
	if r.IntN(24) == 0 {
		vf, most = 2<<r.IntN(5), 16
	}
	vector := 16 << r.IntN(3)
	if _, ok := costs.(*avx2); ok {
		vector = min(vector, 32)
	}
	if size*vf > vector {
		vf = max(1, vector/size)
	}
	access := Access{Store: r.IntN(2) == 0, Indexed: r.IntN(4) == 0, Masked: r.IntN(8) == 0}
	stride := 1 + r.IntN(most)
	if r.IntN(16) == 0 {
		stride = -stride
	}
	var refs []Memref
	for f := range max(stride, -stride) {
		if r.IntN(4) == 0 && len(refs) > 0 {
			continue
		}
		m := &ref{off: int64(f * size), access: access, stride: int64(stride * size), typ: Type{size * 8, vf}}
		if size > 1 && r.IntN(8) == 0 {
			m.typ.Bits /= 2
			m.off += int64(size / 2 * r.IntN(2))
		}
		if r.IntN(16) == 0 {
			m.off += int64(size * r.IntN(3)) // may overlap others
		}
		refs = append(refs, m)
	}
	r.Shuffle(len(refs), func(i, j int) { refs[i], refs[j] = refs[j], refs[i] })
	for i, m := range refs {
		m.(*ref).order = i
	}
	return refs, vector, testClient{costs, r.IntN(3), r.IntN(2) == 0}
}

var randomGroups = flag.Int("groups", 100_000, "number of random groups")

// TestTagsArrive runs the code of random groups on symbolic bytes: each must arrive
// where the accesses one by one would put it, and no other byte may be touched.
func TestTagsArrive(t *testing.T) {
	const blocks = 20
	want := *randomGroups
	if testing.Short() {
		want /= 50
	}
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // little is alive, much is made
	var stats [blocks]tagStats
	t.Run("blocks", func(t *testing.T) {
		for i := range blocks {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				stats[i] = tagsArrive(t, rand.New(rand.NewPCG(1, uint64(i))), want/blocks)
			})
		}
	})
	var all tagStats
	for _, s := range stats {
		all.groups += s.groups
		all.refused += s.refused
		all.spilling += s.spilling
		all.masked += s.masked
	}
	t.Logf("%+v", all)
	if !t.Failed() && (all.refused > all.groups/10 || all.spilling == 0 || all.masked == 0) {
		t.Error("the groups do not test what they are for")
	}
}

// tagStats counts groups, those without sequence, and those whose code has stores
// into gaps that later ones fill, or masks.
type tagStats struct{ groups, refused, spilling, masked int }

func tagsArrive(t *testing.T, r *rand.Rand, want int) (stats tagStats) {
	machines := newAVX2(0)
	for n := 0; stats.groups < want; n++ {
		costs := Client(unitCosts{})
		if n%8 == 0 {
			costs = machines
		}
		refs, vector, client := randomGroup(r, costs)
		groups, of := Groups(refs, vector, Options{Greedy: r.IntN(8) == 0})
		if err := checkGroups(refs, vector, groups, of); err != nil {
			t.Fatalf("group %d: %v", n, err)
		}
		for _, g := range groups {
			stats.groups++
			code, ok := Sequence(g, client)
			if !ok {
				stats.refused++
				continue
			}
			m := &machine{g: g, client: client, active: make([]bool, g.Lanes)}
			for k := range m.active {
				m.active[k] = !g.Access.Masked || r.IntN(2) == 0
			}
			if err := m.run(code); err != nil {
				t.Fatalf("group %d, %s: %v\n%s", n, g, err, code)
			}
			if n%64 == 0 {
				if again, _ := Sequence(g, client); again.String() != code.String() {
					t.Fatalf("group %d, %s: two different sequences\n%s%s", n, g, code, again)
				}
			}
			stats.count(code)
		}
	}
	return stats
}

func (s *tagStats) count(code *Code) {
	spills, masked := false, false
	for i := range code.Insts {
		in := &code.Insts[i]
		masked = masked || in.Masked && in.Type.Lanes > 1
		spills = spills || in.Op == Store && !in.Masked && slices.Contains(in.Rows, -1)
	}
	if spills {
		s.spilling++
	}
	if masked {
		s.masked++
	}
}

// checkGroups reports what is wrong with groups of memrefs.
func checkGroups(refs []Memref, vector int, groups []*Group, of map[Memref]*Group) error {
	seen := make(map[Memref]bool)
	for _, g := range groups {
		place := g.Members[0].Ref.(*ref)
		for i, m := range g.Members {
			r := m.Ref.(*ref)
			if seen[r] || of[r] != g {
				return fmt.Errorf("%s: member %d is elsewhere too", g, i)
			}
			seen[r] = true
			if m.Offset != r.off-g.Members[0].Ref.(*ref).off || i > 0 && m.Offset < g.Members[i-1].Offset {
				return fmt.Errorf("%s: member %d at %d", g, i, m.Offset)
			}
			if r.order < place.order != g.Access.Store {
				place = r
			}
		}
		if g.Place != place {
			return fmt.Errorf("%s stands at the wrong member", g)
		}
		if len(g.Members) > 1 && (g.Span() > int64(vector) || g.Access.Store && g.overlaps()) {
			return fmt.Errorf("%s is no group", g)
		}
	}
	if len(seen) != len(refs) {
		return fmt.Errorf("%d of %d memrefs have a group", len(seen), len(refs))
	}
	return nil
}

// TestWrongCodeIsSeen changes each lane, offset and row of code that is right, one at
// a time: the machine must notice every change.
func TestWrongCodeIsSeen(t *testing.T) {
	changes := 0
	for _, access := range []Access{{}, {Store: true}, {Indexed: true}, {Indexed: true, Store: true}} {
		for factor := 2; factor <= 5; factor++ {
			groups, _ := Groups(interleaved(access, 16, factor, 4, fields(factor)...), 16, Options{})
			code, ok := Sequence(groups[0], unitCosts{})
			if !ok {
				t.Fatal("no sequence")
			}
			m := &machine{g: groups[0], client: testClient{unitCosts{}, 0, true}, active: []bool{true, true, true, true}}
			if err := m.run(code); err != nil {
				t.Fatal(err)
			}
			wrong := func(what string, at *int, to int) {
				old := *at
				*at = to
				changes++
				if m.run(code) == nil {
					t.Errorf("%s: %s %d instead of %d is not seen\n%s", groups[0], what, to, old, code)
				}
				*at = old
			}
			for i := range code.Insts {
				in := &code.Insts[i]
				for k, l := range in.Lanes {
					if l >= 0 {
						wrong("lane", &in.Lanes[k], (l+1)%(len(in.Args)*code.Insts[in.Args[0]].Type.Lanes))
					}
				}
				if in.Op == Load || in.Op == Store {
					in.Offset += 2
					if changes++; m.run(code) == nil {
						t.Errorf("a wrong offset is not seen\n%s", code)
					}
					in.Offset -= 2
					wrong("row", &in.Rows[0], (in.Rows[0]+1)%4)
				}
			}
		}
	}
	if changes < 500 {
		t.Errorf("only %d changes", changes)
	}
}
