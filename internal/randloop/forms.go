package randloop

import (
	"fmt"
	"strings"
)

// forms is what a function has besides plain slices at unit stride: the ways in
// which Go programs lay out and address what they walk over.
type forms struct {
	used    []string // names of the forms, for statistics
	head    func() string
	outer   string // opens a loop around, with its variable k
	limits  []string
	pre     []func() string           // statements that open the body
	special []func(indent int) string // statements that only this memory knows
	inits   string                    // before the loop
	types   string
	params  []string
	keys    []variable // slices of integers to index by
	steps   []string   // integers to multiply by
	counter string     // the loop variable as an int
	calm    bool
	styles  map[string]int // of subscripts by variable
}

// A form adds one or more variables of memory to the function; k is unique in it.
type form struct {
	name string
	add  func(g *generator, n, k int)
}

// allForms, in the order in which functions start with them.
var allForms = []form{
	{"records", (*generator).records},
	{"complex", (*generator).complexes},
	{"matrix", (*generator).matrix},
	{"rows", (*generator).rows},
	{"arrays", (*generator).arrays},
	{"table", (*generator).table},
	{"indexed", (*generator).indexedSlice},
	{"strided", (*generator).stridedSlice},
	{"periodic", (*generator).periodic},
	{"place", (*generator).place},
	{"resliced", (*generator).resliced},
	{"demoted", (*generator).demoted},
}

// formMemory makes the memory of function n of several forms.
func (g *generator) formMemory(n int) (types string, params []string) {
	g.counter, g.calm, g.styles = "i", g.chance(0.8), make(map[string]int)
	g.stride = pick(g, 1, 1, 2, 2, 3, 4, 4, 5, 6, 8, 16)
	first := allForms[n/2%len(allForms)]
	first.add(g, n, 0)
	g.used = append(g.used, first.name)
	for k := range g.rnd.IntN(3) {
		f := pick(g, allForms...)
		if k == 1 {
			f = form{"slice", (*generator).plain}
		}
		f.add(g, n, k+1)
		g.used = append(g.used, f.name)
	}
	if !g.hasWritable() {
		g.plain(n, 4)
	}
	if g.calm {
		g.output()
	}
	if g.chance(0.3) {
		g.addKey(4)
	}
	if g.chance(0.3) {
		g.strideParam()
	}
	g.head = g.formHeader
	return g.types, g.params
}

func (g *generator) hasWritable() bool {
	for _, v := range g.slices {
		if !v.ro {
			return true
		}
	}
	return false
}

// output leaves one or two variables to store to.
func (g *generator) output() {
	a, b := g.writable().name, g.writable().name
	for i := range g.slices {
		v := &g.slices[i]
		v.ro = v.ro || v.name != a && v.name != b
	}
}

// writable is a variable that can be stored to.
func (g *generator) writable() variable {
	for {
		if v := pick(g, g.slices...); !v.ro {
			return v
		}
	}
}

func (g *generator) param(format string, args ...any) {
	g.params = append(g.params, fmt.Sprintf(format, args...))
}

func (g *generator) limit(format string, args ...any) {
	g.limits = append(g.limits, fmt.Sprintf(format, args...))
}

// formHeader opens the loop, in one of many directions and with counters of
// many types.
func (g *generator) formHeader() string {
	g.index, g.counter = "i", "i"
	if len(g.limits) == 0 {
		g.limits = []string{"37"}
	}
	limit := pick(g, g.limits...)
	if g.chance(0.4) {
		limit = g.limits[0]
	}
	switch g.rnd.IntN(16) {
	case 0, 1, 2:
		return fmt.Sprintf("for i := 0; i < %s; i++ {", limit)
	case 3:
		return fmt.Sprintf("for i := %s - 1; i >= 0; i-- {", limit)
	case 4:
		return fmt.Sprintf("for i := %s - 1; i >= %d; i -= %d {", limit, g.rnd.IntN(3), 2+g.rnd.IntN(3))
	case 5, 6:
		return fmt.Sprintf("for i := %d; i < %s; i += %d {", g.rnd.IntN(3), limit, 2+g.rnd.IntN(3))
	case 7:
		return fmt.Sprintf("for i := 0; i+%d < %s; i += %[1]d {", 1+g.rnd.IntN(5), limit)
	case 8:
		t := pick(g, "uint8", "int8", "uint16", "int16", "int32", "uint32")
		g.counter = "int(i)"
		return fmt.Sprintf("for i := %s(%d); i < %[1]s(%[3]s); i++ {", t, g.rnd.IntN(3), limit)
	case 9:
		return fmt.Sprintf("for i, e := 0, %s; i < e; i, e = i+1, e-%d {", limit, g.rnd.IntN(3))
	}
	return fmt.Sprintf("for i := range %s {", limit)
}

// sub is a subscript of any kind.
//
// Most functions are calm: they walk over each variable at one stride, so that
// accesses to it do not depend on each other.
func (g *generator) sub(name string) string {
	if !g.calm || g.chance(0.03) {
		return g.anySub()
	}
	style, ok := g.styles[name]
	if !ok {
		style = g.rnd.IntN(10)
		g.styles[name] = style
	}
	switch {
	case style == 0 && len(g.steps) > 0:
		return g.counter + "*" + g.steps[0]
	case style < 5 && g.stride > 1:
		return fmt.Sprintf("%d*%s+%d", g.stride, g.index, g.rnd.IntN(g.stride))
	case style == 5:
		return fmt.Sprintf("%s+%d", g.index, len(name)%3+1)
	case style == 6:
		return fmt.Sprintf("%d-%s", 40+8*len(name), g.counter)
	}
	return g.index
}

func (g *generator) anySub() string {
	i := g.index
	if g.chance(0.5) {
		i = g.counter
	}
	switch r := g.rnd.IntN(20); {
	case r == 0 && len(g.keys) > 0 || r == 1 && g.indexed && len(g.keys) > 0:
		return g.loaded()
	case r < 4 && len(g.steps) > 0:
		return g.symbolic()
	case r == 4 && g.chance(0.3):
		return fmt.Sprintf("%s%s%d", i, pick(g, "&", "%"), pick(g, 1, 3, 3, 5, 7))
	case r < 14 && g.stride > 1:
		return fmt.Sprintf("%d*%s+%d", g.stride, i, g.rnd.IntN(g.stride+1))
	case g.chance(g.offset):
		return fmt.Sprintf("%s%s%d", i, pick(g, "+", "+", "-"), 1+g.rnd.IntN(pick(g, 2, 5, 20)))
	}
	return i
}

// loaded is a subscript out of memory: mostly made to fit.
func (g *generator) loaded() string {
	k := pick(g, g.keys...)
	e := fmt.Sprintf("%s[%s]", k.name, g.index)
	switch g.rnd.IntN(8) {
	case 0, 1, 2:
		return e
	case 3:
		return fmt.Sprintf("%s&%d", e, pick(g, 3, 7, 15, 31))
	case 4:
		return fmt.Sprintf("int(%s)+%d", e, g.rnd.IntN(3))
	case 5:
		return fmt.Sprintf("%d*int(%s&7)", g.stride, e)
	case 6:
		return fmt.Sprintf("%s+int(%s&3)", g.counter, e)
	}
	return fmt.Sprintf("%s%%%d", e, 1+g.rnd.IntN(9))
}

// symbolic is a subscript whose step is known at run time.
func (g *generator) symbolic() string {
	n := pick(g, g.steps...)
	return fmt.Sprintf(pick(g, "%[1]s*%[2]s", "%[1]s*%[2]s+%[3]d", "%[2]s*%[1]s+%[3]d", "(%[1]s+%[3]d)*%[2]s", "%[1]s+%[2]s", "%[2]s-%[1]s", "%[1]s*%[2]s-%[3]d", "%[3]d*%[2]s+%[1]s"),
		g.counter, n, g.rnd.IntN(4))
}

func (g *generator) addKey(k int) variable {
	v := variable{name: fmt.Sprintf("k%d", k), typ: pick(g, intTypes...)}
	g.param("%s []%s", v.name, v.typ)
	g.limit("len(%s)", v.name)
	g.keys = append(g.keys, v)
	return v
}

func (g *generator) strideParam() {
	if len(g.steps) == 0 {
		g.param("n int")
		g.steps = append(g.steps, "n")
	}
}

// plain adds a slice at any subscript.
func (g *generator) plain(_, k int) {
	name := fmt.Sprintf("x%d", k)
	v := variable{name: name, typ: g.typ()}
	v.at = func() string { return name + "[" + g.sub(name) + "]" }
	g.param("%s []%s", name, v.typ)
	g.limit("len(%s)", name)
	g.limit("len(%s)/%d", name, g.stride)
	g.slices = append(g.slices, v)
}

// stridedSlice adds a slice several of whose members are read or written at once.
func (g *generator) stridedSlice(n, k int) {
	g.plain(n, k)
	v := g.slices[len(g.slices)-1]
	g.limits[0] = fmt.Sprintf("len(%s)/%d", v.name, g.stride)
	if g.chance(0.5) {
		g.special = append(g.special, func(indent int) string { return g.allMembers(indent, v) })
	}
	if g.chance(0.3) {
		g.special = append(g.special, func(indent int) string {
			a, b := g.rnd.IntN(g.stride), g.rnd.IntN(g.stride)
			return fmt.Sprintf("%s%s[%d*%s+%d], %[2]s[%[3]d*%[4]s+%[6]d] = %[2]s[%[3]d*%[4]s+%[6]d], %[2]s[%[3]d*%[4]s+%[5]d]\n",
				tabs(indent), v.name, g.stride, g.index, a, b)
		})
	}
}

// allMembers stores to all members of a group, in any order.
func (g *generator) allMembers(indent int, v variable) string {
	s := ""
	for _, m := range g.rnd.Perm(g.stride) {
		if !g.chance(0.1) {
			s += fmt.Sprintf("%s%s[%d*%s+%d] = %s\n", tabs(indent), v.name, g.stride, g.index, m, g.expr(v.typ, 1))
		}
	}
	return s
}

// matrix adds a slice of rows of n elements.
func (g *generator) matrix(_, k int) {
	g.strideParam()
	name := fmt.Sprintf("m%d", k)
	v := variable{name: name, typ: g.typ()}
	steady := pick(g, "%s[%s*n]", "%s[%s*n+2]", "%s[%s+n]", "%[1]s[len(%[1]s)-1-%[2]s*n]", "%s[3*%s*n]", "%s[(%s+1)*n]")
	nested := g.chance(0.4) && g.outer == ""
	if nested {
		g.outer = "for k := range 3 {"
		g.limit("min(max(n, 0), %d)", pick(g, 20, 100, 300))
	}
	v.at = func() string {
		switch {
		case nested && g.chance(0.5):
			return fmt.Sprintf("%s[k*n+%s]", name, g.counter)
		case nested && g.chance(0.5):
			return fmt.Sprintf("%s[%s*n+k]", name, g.counter)
		}
		if g.calm {
			return fmt.Sprintf(steady, name, g.counter)
		}
		return name + "[" + g.symbolic() + "]"
	}
	g.param("%s []%s", name, v.typ)
	g.limit("len(%s)/%d", name, pick(g, 1, 2, 4, 8))
	g.slices = append(g.slices, v)
}

// rows adds a slice of slices.
func (g *generator) rows(_, k int) {
	name := fmt.Sprintf("r%d", k)
	v := variable{name: name, typ: g.typ()}
	g.param("%s [][]%s", name, v.typ)
	row := "0"
	switch {
	case g.outer == "" && g.chance(0.7):
		g.outer, row = fmt.Sprintf("for k := range %s {", name), "k"
		g.limit("len(%s[k])", name)
		g.limit("len(%s[k])/%d", name, g.stride)
	case g.outer != "" && g.chance(0.5):
		row = "k"
	}
	column := g.chance(0.1)
	v.at = func() string {
		switch {
		case column:
			return fmt.Sprintf("%s[%s][%d]", name, g.sub(name), g.rnd.IntN(2))
		case row == "k" && g.chance(0.1):
			return fmt.Sprintf("%s[len(%[1]s)-1-k][%s]", name, g.sub(name))
		}
		return fmt.Sprintf("%s[%s][%s]", name, row, g.sub(name))
	}
	g.slices = append(g.slices, v)
}

// arrays adds arrays of arrays.
func (g *generator) arrays(_, k int) {
	name := fmt.Sprintf("a%d", k)
	v := variable{name: name, typ: g.typ()}
	m, outer := pick(g, 2, 3, 4, 4, 5, 8), pick(g, 0, 0, 40, 64)
	if outer > 0 {
		g.param("%s *[%d][%d]%s", name, outer, m, v.typ)
	} else {
		g.param("%s [][%d]%s", name, m, v.typ)
	}
	g.limit("len(%s)", name)
	v.at = func() string {
		if g.chance(0.1) {
			return fmt.Sprintf("%s[%d][%s%%%d]", name, g.rnd.IntN(3), g.counter, m)
		}
		return fmt.Sprintf("%s[%s][%d]", name, g.sub(name), g.rnd.IntN(m))
	}
	g.slices = append(g.slices, v)
	if outer == 0 && g.chance(0.5) {
		g.special = append(g.special, func(indent int) string {
			var es []string
			for range m {
				es = append(es, g.expr(v.typ, 1))
			}
			return fmt.Sprintf("%s%s[%s] = [%d]%s{%s}\n", tabs(indent), name, g.sub(name), m, v.typ, strings.Join(es, ", "))
		})
	}
}

// table adds an array, a string or a slice that is looked up.
func (g *generator) table(n, k int) {
	name, size := fmt.Sprintf("t%d_%d", n, k), pick(g, 4, 16, 16, 32, 64, 256)
	v := variable{name: name, typ: pick(g, g.typ(), "uint8", "int8"), ro: true}
	switch g.rnd.IntN(4) {
	case 0:
		g.param("%s *[%d]%s", name, size, v.typ)
		v.ro = g.chance(0.7)
	case 1:
		g.types += fmt.Sprintf("var %s = [%d]%s{%s}\n\n", name, size, v.typ, g.entries(size))
	case 2:
		v.typ = "uint8"
		var sb strings.Builder
		for range size {
			fmt.Fprintf(&sb, "\\x%02x", g.rnd.IntN(256))
		}
		g.types += fmt.Sprintf("const %s = \"%s\"\n\n", name, sb.String())
	default:
		g.param("%s []%s", name, v.typ)
	}
	key := g.addKey(k)
	v.at = func() string {
		e := fmt.Sprintf("%s[%s]", key.name, g.index)
		if size == 256 {
			e = "uint8(" + e + ")"
		}
		switch g.rnd.IntN(8) {
		case 0:
			e = fmt.Sprintf("%s>>%d", e, pick(g, 1, 4, 4, 8))
		case 1:
			e = fmt.Sprintf("%s%%%d", e, size-1)
		case 2:
			if size < 128 {
				e = fmt.Sprintf("%s&%d", e, 2*size-1)
			}
		case 3:
		default:
			if size < 256 {
				e = fmt.Sprintf("%s&%d", e, size-1)
			}
		}
		return name + "[" + e + "]"
	}
	if size == 256 && !isUnsigned(key.typ) && width(key.typ) == 8 {
		g.limits[0] = fmt.Sprintf("len(%s)", key.name)
	}
	g.slices = append(g.slices, v)
}

func (g *generator) entries(n int) string {
	var s []string
	for range n {
		s = append(s, fmt.Sprint(g.rnd.IntN(120)))
	}
	return strings.Join(s, ", ")
}

// indexedSlice adds a slice that is read and written at loaded subscripts.
func (g *generator) indexedSlice(n, k int) {
	g.addKey(k)
	g.plain(n, k)
	v := &g.slices[len(g.slices)-1]
	name := v.name
	v.at = func() string {
		if g.chance(0.3) {
			return name + "[" + g.sub(name) + "]"
		}
		return name + "[" + g.loaded() + "]"
	}
	v.ro = g.chance(0.6)
	g.limits[0] = fmt.Sprintf("len(k%d)", k)
	if g.chance(0.5) {
		g.scattered(k)
	}
}

// scattered adds a slice that is only written, at loaded subscripts.
func (g *generator) scattered(k int) {
	name, t := fmt.Sprintf("w%d", k), g.typ()
	g.param("%s []%s", name, t)
	g.special = append(g.special, func(indent int) string {
		return fmt.Sprintf("%s%s[%s] = %s\n", tabs(indent), name, g.loaded(), g.expr(t, 1))
	})
}

// periodic adds a slice or array whose subscript repeats.
func (g *generator) periodic(_, k int) {
	name, m := fmt.Sprintf("q%d", k), pick(g, 2, 3, 4, 4, 8, 16, 7)
	v := variable{name: name, typ: g.typ(), ro: g.chance(0.8)}
	g.param(pick(g, "%s []%s", "%s *[16]%s", "%s [16]%s"), name, v.typ)
	v.at = func() string {
		if m&(m-1) == 0 && g.chance(0.6) {
			return fmt.Sprintf("%s[%s&%d]", name, g.index, m-1)
		}
		if g.chance(0.1) {
			return fmt.Sprintf("%s[(%s+%d)%%%d]", name, g.counter, g.rnd.IntN(4), m)
		}
		if g.chance(0.1) {
			return fmt.Sprintf("%s[%s/%d&%d]", name, g.index, pick(g, 2, 4), m-1)
		}
		return fmt.Sprintf("%s[%s%%%d]", name, g.index, m)
	}
	g.slices = append(g.slices, v)
	g.plain(0, k+5)
}

// place adds memory that every iteration reads or writes at one address.
func (g *generator) place(_, k int) {
	name := fmt.Sprintf("p%d", k)
	v := variable{name: name, typ: g.typ()}
	at := pick(g, "*%s", "%s[0]", "%s[3]")
	if at == "*%s" {
		g.param("%s *%s", name, v.typ)
	} else {
		g.param("%s []%s", name, v.typ)
	}
	v.at = func() string { return fmt.Sprintf(at, name) }
	g.plain(0, k+5)
	if g.chance(0.4) {
		g.slices = append(g.slices, v)
		return
	}
	g.special = append(g.special, func(indent int) string {
		return fmt.Sprintf("%s%s = %s\n", tabs(indent), v.at(), g.expr(v.typ, 1))
	})
}

// resliced adds two slices of one array.
func (g *generator) resliced(_, k int) {
	g.plain(0, k)
	x := g.slices[len(g.slices)-1]
	y := variable{name: fmt.Sprintf("y%d", k), typ: x.typ}
	y.at = func() string { return y.name + "[" + g.sub(y.name) + "]" }
	g.inits += fmt.Sprintf("\t%s := %s[min(%d, len(%[2]s)):]\n\t_ = %[1]s\n", y.name, x.name, g.rnd.IntN(pick(g, 3, 8, 40)))
	g.limit("len(%s)", y.name)
	g.limit("len(%s)/%d", y.name, g.stride)
	g.slices = append(g.slices, y)
}

// anyMemory makes the memory of function n.
func (g *generator) anyMemory(n int) (types string, params []string) {
	if n%2 == 0 {
		g.used = append(g.used, "slice")
		return g.memory(n)
	}
	return g.formMemory(n)
}

// prelude is what the body begins with.
func (g *generator) prelude() string {
	if g.head == nil {
		return ""
	}
	s := "\t\t_ = i\n"
	for _, p := range g.pre {
		s += p()
	}
	return s
}

// formStmt is a statement that only the memory of this function knows; "" for none.
func (g *generator) formStmt(indent int) string {
	if len(g.special) == 0 || g.chance(0.4) {
		return ""
	}
	return pick(g, g.special...)(indent)
}
