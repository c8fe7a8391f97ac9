package randloop

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Straight-line functions: groups of nearly equal statements over memory of all kinds,
// with other things between them, and sometimes a loop around them. Everything that groups
// of equal work may fail at is drawn: lanes in other orders, operands swapped, one lane
// that is different, several stores to an element, stores between loads, pointers that
// are equal or parts of each other, values that are wanted elsewhere.

// A straight writes one function.
type straight struct {
	*generator
	number int
	elem   string // main element type
	lanes  int
	rough  bool // sums may be reordered: nothing but sums
	looped bool // a loop is around the groups

	types, helpers  string
	params, results []string
	inits           []string
	mems            []*place
	scalars         []variable
	temps           []variable
	groups          [][]variable // temporaries side by side
	used            []string     // features, for statistics
	subscripts      []string     // ints to compute subscripts from
	keys            []string     // loaded ones
	next            int
}

// A place is memory of several elements.
type place struct {
	typ   string
	size  int // elements that constant subscripts reach; 0 is any number
	ro    bool
	at    func(k string) string // nil where only constants can be subscripts
	fixed func(k int) string
	local bool // not seen from outside
}

// A lane writes what one lane does: lane k of a group, or of a loop with the counter of
// that name.
type lane func(k int, counter string) string

func newStraight(seed uint64, i int) *straight {
	s := &straight{generator: &generator{rnd: rand.New(rand.NewPCG(seed+40000003, uint64(i)))}, number: i}
	s.elem = pick(s.generator, "float32", "float32", "float64", "float64", "int32", "uint32", "uint32", "int64", "int16", "uint8", "uint8", "int8", "uint64", "uint16", "int")
	s.main, s.mixed = s.elem, pick(s.generator, 0, 0, 0.05, 0.3)
	s.lanes = pick(s.generator, 2, 3, 4, 4, 4, 4, 5, 6, 8, 8)
	if width(s.elem) == 8 && s.chance(0.5) {
		s.lanes = 16
	}
	s.rough = isFloat(s.elem) && s.chance(0.15)
	if s.rough {
		s.mixed = 0
	}
	return s
}

func (s *straight) feature(name string) { s.used = append(s.used, name) }

func (s *straight) name(prefix string) string {
	s.next++
	return fmt.Sprintf("%s%d", prefix, s.next)
}

func (s *straight) function() string {
	s.looped = s.chance(0.25)
	for range 1 + s.rnd.IntN(3) {
		s.memory()
	}
	if !slices.ContainsFunc(s.mems, func(m *place) bool { return !m.ro && !m.local }) {
		s.arrayPointer()
	}
	for range s.rnd.IntN(3) {
		v := variable{name: s.name("a"), typ: s.typ()}
		s.scalars = append(s.scalars, v)
		s.params = append(s.params, v.name+" "+v.typ)
	}
	body := s.outputs()
	body += strings.Join(s.inits, "")
	if s.chance(0.2) && !s.rough {
		body += s.early()
	}
	ret := ""
	if s.looped {
		s.feature("loop")
		body += s.statement(1)
		temps, groups := s.temps, s.groups
		body += s.loopHead() + s.statements(2, 1+s.rnd.IntN(3)) + "\t}\n"
		s.temps, s.groups, s.subscripts = temps, groups, nil
	} else {
		body += s.statements(1, 1+s.rnd.IntN(5))
	}
	if len(s.results) > 0 || s.chance(0.1) {
		ret = s.ending()
	}
	res := ""
	if len(s.results) > 0 {
		res = " (" + strings.Join(s.results, ", ") + ")"
	}
	clause := ""
	if s.rough {
		clause = " reassoc"
		s.feature("reassoc")
	}
	return fmt.Sprintf("%s%s//vec:func F%d%s\nfunc f%d(%s)%s {\n%s%s}\n", s.types, s.helpers, s.number, clause, s.number, strings.Join(s.params, ", "), res, body, ret)
}

// memory adds memory of any kind.
func (s *straight) memory() {
	switch s.rnd.IntN(11) {
	case 0, 1:
		s.arrayPointer()
	case 2, 3:
		s.slice()
	case 4:
		s.fields()
	case 5:
		s.pointers()
	case 6:
		s.slice()
		s.parts()
	case 7:
		s.matrix()
	case 8:
		s.records()
	case 9:
		s.localArray()
	case 10:
		s.arrayValue()
	}
}

func (s *straight) arrayPointer() {
	s.feature("array pointer")
	n, size := s.name("p"), pick(s.generator, s.lanes, s.lanes, 2*s.lanes, 4*s.lanes, s.lanes+1)
	m := &place{typ: s.typ(), size: size}
	m.at = func(k string) string { return fmt.Sprintf("%s[%s]", n, k) }
	s.params = append(s.params, fmt.Sprintf("%s *[%d]%s", n, size, m.typ))
	s.mems = append(s.mems, m)
}

func (s *straight) arrayValue() {
	s.feature("array")
	n, size := s.name("v"), pick(s.generator, s.lanes, 2*s.lanes)
	m := &place{typ: s.typ(), size: size, local: true}
	m.at = func(k string) string { return fmt.Sprintf("%s[%s]", n, k) }
	s.params = append(s.params, fmt.Sprintf("%s [%d]%s", n, size, m.typ))
	s.mems = append(s.mems, m)
}

func (s *straight) localArray() {
	s.feature("local array")
	n, size := s.name("u"), pick(s.generator, s.lanes, 2*s.lanes)
	m := &place{typ: s.typ(), size: size, local: true}
	m.at = func(k string) string { return fmt.Sprintf("%s[%s]", n, k) }
	s.inits = append(s.inits, fmt.Sprintf("\tvar %[1]s [%[2]d]%[3]s\n\t_ = %[1]s\n", n, size, m.typ))
	s.mems = append(s.mems, m)
}

// slice adds a slice, with subscripts that are constant, or begin at a variable, or at
// one that is loaded.
func (s *straight) slice() {
	n := s.name("x")
	m := &place{typ: s.typ()}
	start := ""
	switch s.rnd.IntN(6) {
	case 0, 1:
		s.feature("computed subscripts")
		i := s.name("i")
		s.params = append(s.params, i+" "+pick(s.generator, "int", "int", "int", "int32", "uint8", "uint"))
		start = fmt.Sprintf("int(%s)", i)
	case 2:
		s.feature("loaded subscripts")
		key := s.name("k")
		t := pick(s.generator, "uint8", "int", "int32", "int8")
		s.params = append(s.params, fmt.Sprintf("%s []%s", key, t))
		start = fmt.Sprintf("int(%s[%d]%s)", key, s.rnd.IntN(3), pick(s.generator, "", "&7", "&3"))
		if s.chance(0.6) { // before anything is stored
			s.inits = append(s.inits, fmt.Sprintf("\t%s_ := %s\n", key, start))
			start = key + "_"
		}
	default:
		s.feature("constant subscripts")
	}
	m.at = func(k string) string {
		if s.looped && s.subscripts != nil {
			i := s.subscripts[0]
			switch (len(n) + s.number) % 3 {
			case 0:
				return fmt.Sprintf("%s[%s+%s]", n, i, k)
			case 1:
				return fmt.Sprintf("%s[%s*%d+%s]", n, i, s.lanes, k)
			}
		}
		if start != "" {
			return fmt.Sprintf("%s[%s+%s]", n, start, k)
		}
		return fmt.Sprintf("%s[%s]", n, k)
	}
	s.params = append(s.params, fmt.Sprintf("%s []%s", n, m.typ))
	if strings.HasSuffix(start, "_") {
		s.inits = append(s.inits, "\t_ = "+start+"\n")
	}
	if s.chance(0.2) && start == "" { // short ones do nothing
		s.inits = append(s.inits, fmt.Sprintf("\tif len(%s) < %d {\n\t\treturn\n\t}\n", n, 2*s.lanes+4))
	}
	s.mems = append(s.mems, m)
	s.keys = append(s.keys, n)
}

// parts adds two more slices that are parts of the last one.
func (s *straight) parts() {
	s.feature("parts of a slice")
	whole, x := s.mems[len(s.mems)-1], s.keys[len(s.keys)-1]
	j := s.name("j")
	s.params = append(s.params, j+" int")
	for range 2 {
		n := s.name("y")
		from := pick(s.generator, fmt.Sprintf("min(%d, len(%s))", s.rnd.IntN(2*s.lanes), x), fmt.Sprintf("max(0, min(%s, len(%s)))", j, x))
		s.inits = append(s.inits, fmt.Sprintf("\t%[1]s := %[2]s[%[3]s:]\n\t_ = %[1]s\n", n, x, from))
		s.mems = append(s.mems, &place{typ: whole.typ, at: func(k string) string { return fmt.Sprintf("%s[%s]", n, k) }})
	}
}

// fields adds a struct of equal and of other fields.
func (s *straight) fields() {
	s.feature("fields")
	n, typ := s.name("r"), fmt.Sprintf("rec%d_%d", s.number, s.next)
	m := &place{typ: s.typ(), size: s.lanes}
	text := ""
	for k := range s.lanes {
		if s.chance(0.1) {
			text += fmt.Sprintf("\tg%d %s\n", k, pick(s.generator, "uint8", "bool", "int64", "uint16"))
		}
		text += fmt.Sprintf("\tf%d %s\n", k, m.typ)
	}
	text += "\tlast uint8\n"
	s.types += fmt.Sprintf("type %s struct {\n%s}\n\n", typ, text)
	if s.chance(0.2) {
		m.local = true
		s.params = append(s.params, n+" "+typ)
	} else {
		s.params = append(s.params, n+" *"+typ)
	}
	m.fixed = func(k int) string { return fmt.Sprintf("%s.f%d", n, k) }
	s.mems = append(s.mems, m)
}

// pointers adds one pointer for each lane.
func (s *straight) pointers() {
	s.feature("pointers")
	n := s.name("q")
	m := &place{typ: s.typ(), size: min(s.lanes, 4)}
	var names []string
	for k := range m.size {
		names = append(names, fmt.Sprintf("%s_%d", n, k))
	}
	s.params = append(s.params, strings.Join(names, ", ")+" *"+m.typ)
	m.fixed = func(k int) string { return "*" + names[k] }
	s.mems = append(s.mems, m)
}

func (s *straight) matrix() {
	s.feature("matrix")
	n := s.name("m")
	m := &place{typ: s.typ(), size: s.lanes * s.lanes}
	m.fixed = func(k int) string { return fmt.Sprintf("%s[%d][%d]", n, k/s.lanes, k%s.lanes) }
	s.params = append(s.params, fmt.Sprintf("%s *[%d][%d]%s", n, s.lanes, s.lanes, m.typ))
	s.mems = append(s.mems, m)
}

// records adds a slice of structs of three fields.
func (s *straight) records() {
	s.feature("records")
	n, typ := s.name("z"), fmt.Sprintf("vec%d_%d", s.number, s.next)
	m := &place{typ: s.typ(), size: 24}
	s.types += fmt.Sprintf("type %s struct {\n\tx, y, z %s\n}\n\n", typ, m.typ)
	s.params = append(s.params, fmt.Sprintf("%s []%s", n, typ))
	m.fixed = func(k int) string {
		at := fmt.Sprint(k / 3)
		if s.looped && s.subscripts != nil {
			at = s.subscripts[0] + "+" + at
		}
		return fmt.Sprintf("%s[%s].%c", n, at, "xyz"[k%3])
	}
	s.mems = append(s.mems, m)
}

// outputs makes results.
func (s *straight) outputs() string {
	t := s.typ()
	switch s.rnd.IntN(6) {
	case 0:
		s.feature("results")
		for range 1 + s.rnd.IntN(4) {
			v := variable{name: s.name("s"), typ: t}
			s.results = append(s.results, v.name+" "+v.typ)
			s.scalars = append(s.scalars, v)
			s.sums = append(s.sums, v)
		}
	case 1:
		s.feature("array result")
		n := s.name("w")
		m := &place{typ: t, size: s.lanes, local: true, at: func(k string) string { return fmt.Sprintf("%s[%s]", n, k) }}
		s.results = append(s.results, fmt.Sprintf("%s [%d]%s", n, s.lanes, t))
		s.mems = append(s.mems, m)
	case 2:
		s.feature("struct result")
		n, typ := s.name("w"), fmt.Sprintf("res%d", s.number)
		text := ""
		for k := range s.lanes {
			text += fmt.Sprintf("\tf%d %s\n", k, t)
		}
		s.types += fmt.Sprintf("type %s struct {\n%s}\n\n", typ, text)
		m := &place{typ: t, size: s.lanes, local: true, fixed: func(k int) string { return fmt.Sprintf("%s.f%d", n, k) }}
		s.results = append(s.results, n+" "+typ)
		s.mems = append(s.mems, m)
	}
	return ""
}

// ending is the return statement.
func (s *straight) ending() string {
	if len(s.sums) == 0 || s.chance(0.5) {
		return "\treturn\n"
	}
	s.feature("return of values")
	e := s.vector(s.sums[0].typ, 1)
	var list []string
	for k := range s.sums {
		list = append(list, e(k, ""))
	}
	return "\treturn " + strings.Join(list, ", ") + "\n"
}

func (s *straight) early() string {
	s.feature("early return")
	return fmt.Sprintf("\tif %s {\n%s\t\treturn\n\t}\n", s.cond()(0, ""), pick(s.generator, "", s.single(2)))
}

func (s *straight) loopHead() string {
	i := s.name("i")
	s.subscripts = []string{i}
	if len(s.keys) > 0 && s.chance(0.8) {
		x := s.keys[0]
		return "\t" + pick(s.generator,
			fmt.Sprintf("for %s := range %s {\n", i, x),
			fmt.Sprintf("for %[1]s := 0; %[1]s+%[2]d <= len(%[3]s); %[1]s += %[2]d {\n", i, s.lanes, x),
			fmt.Sprintf("for %[1]s := 0; %[1]s < len(%[2]s); %[1]s += %[3]d {\n", i, x, s.lanes),
			fmt.Sprintf("for %s := range len(%s)/%d {\n", i, x, s.lanes)) + "\t\t_ = " + i + "\n"
	}
	n := s.name("n")
	s.params = append(s.params, n+" int")
	return fmt.Sprintf("\tfor %[1]s := range min(%[2]s, 100) {\n\t\t_ = %[1]s\n", i, n)
}

func (s *straight) statements(indent, count int) string {
	var sb strings.Builder
	for range count {
		sb.WriteString(s.statement(indent))
	}
	return sb.String()
}

func (s *straight) statement(indent int) string {
	in := tabs(indent)
	switch s.rnd.IntN(17) {
	case 0, 1, 2, 3, 4:
		return s.stores(indent)
	case 5, 6:
		return s.locals(indent)
	case 7:
		return s.twoPhase(indent)
	case 8:
		return s.rounds(indent)
	case 9:
		return s.inner(indent)
	case 10:
		if s.rough {
			return s.stores(indent)
		}
		return s.choices(indent)
	case 11:
		if s.rough || indent > 3 {
			return s.stores(indent)
		}
		s.feature("branches")
		temps, groups := s.temps, s.groups
		t := fmt.Sprintf("%sif %s {\n%s%s", in, s.cond()(0, ""), s.statement(indent+1), in)
		s.temps, s.groups = temps, groups
		if s.chance(0.5) {
			t += "} else {\n" + s.statement(indent+1) + in
			s.temps, s.groups = temps, groups
		}
		return t + "}\n"
	case 12, 13:
		if len(s.sums) > 0 {
			return s.sum(indent)
		}
	case 14:
		return s.literal(indent)
	case 15:
		return s.single(indent)
	}
	return s.stores(indent)
}

// order is the numbers of lanes in the order in which they are written.
func (s *straight) order() []int {
	switch s.rnd.IntN(5) {
	case 0:
		return s.rnd.Perm(s.lanes)
	case 1:
		list := s.rnd.Perm(s.lanes)
		slices.Sort(list)
		slices.Reverse(list)
		return list
	}
	list := s.rnd.Perm(s.lanes)
	slices.Sort(list)
	return list
}

// element is element k of m, whose number may be too large.
func (m *place) element(k int) string {
	if m.size > 0 {
		k %= m.size
	}
	if m.fixed != nil {
		return m.fixed(k)
	}
	return m.at(fmt.Sprint(k))
}

func (s *straight) writable() *place {
	for {
		if m := pick(s.generator, s.mems...); !m.ro {
			return m
		}
	}
}

// base is the first element of a group.
func (s *straight) base(m *place) int {
	if m.size > s.lanes {
		return s.rnd.IntN(m.size - s.lanes + 1)
	}
	if m.size > 0 {
		return 0
	}
	return pick(s.generator, 0, 0, 0, 1, s.lanes, s.rnd.IntN(10))
}

func (s *straight) assignment(t string) string {
	if s.rough {
		return pick(s.generator, "=", "+=", "-=")
	}
	ops := []string{"=", "=", "=", "+=", "-=", "*="}
	if !isFloat(t) {
		ops = append(ops, "^=", "|=", "&=")
	}
	return pick(s.generator, ops...)
}

// stores is a group of stores.
func (s *straight) stores(indent int) string {
	m := s.writable()
	e, base, op := s.vector(m.typ, 1+s.rnd.IntN(3)), s.base(m), s.assignment(m.typ)
	var sb strings.Builder
	skip := -1
	if s.chance(0.1) {
		skip = s.rnd.IntN(s.lanes) // a gap
		s.feature("gap")
	}
	for _, k := range s.order() {
		if k == skip {
			continue
		}
		o := op
		if s.chance(0.02) {
			o = s.assignment(m.typ)
		}
		fmt.Fprintf(&sb, "%s%s %s %s\n", tabs(indent), m.element(base+k), o, e(k, ""))
		if s.chance(0.02) {
			sb.WriteString(s.single(indent))
		}
	}
	return sb.String()
}

// single is one store somewhere.
func (s *straight) single(indent int) string {
	m := s.writable()
	return fmt.Sprintf("%s%s %s %s\n", tabs(indent), m.element(s.rnd.IntN(2*s.lanes)), s.assignment(m.typ), s.vector(m.typ, 1)(s.rnd.IntN(s.lanes), ""))
}

// locals is a group of temporaries.
func (s *straight) locals(indent int) string {
	t := s.typ()
	e, n := s.vector(t, 1+s.rnd.IntN(2)), s.name("t")
	var sb strings.Builder
	var group []variable
	for k := range s.lanes {
		v := variable{name: fmt.Sprintf("%s_%d", n, k), typ: t}
		fmt.Fprintf(&sb, "%[1]s%[2]s := %[3]s(%[4]s)\n%[1]s_ = %[2]s\n", tabs(indent), v.name, t, e(k, ""))
		group = append(group, v)
	}
	s.groups = append(slices.Clip(s.groups), group)
	s.temps = append(slices.Clip(s.temps), group...)
	return sb.String()
}

// twoPhase assigns to several elements at once. They are none of a local variable: which
// of several operands panics first depends on whether the address of that is taken
// somewhere, and on nothing that Go promises.
func (s *straight) twoPhase(indent int) string {
	m := s.writable()
	if m.local {
		return s.stores(indent)
	}
	s.feature("multiple assignment")
	e, base, n := s.vector(m.typ, 1), s.base(m), min(s.lanes, 4)
	var to, from []string
	for _, k := range s.rnd.Perm(n) {
		to, from = append(to, m.element(base+k)), append(from, m.typ+"("+e(k, "")+")")
	}
	return fmt.Sprintf("%s%s = %s\n", tabs(indent), strings.Join(to, ", "), strings.Join(from, ", "))
}

// rounds calls a function that changes elements through pointers, or one of values.
func (s *straight) rounds(indent int) string {
	m := s.writable()
	h := s.name(fmt.Sprintf("h%d_", s.number))
	op := func() string { return pick(s.generator, "+", "-", "+") }
	if !isFloat(m.typ) {
		op = func() string { return pick(s.generator, "+", "-", "^", "|", "&") }
	}
	rotate := ""
	if !s.rough && isUnsigned(m.typ) {
		w, r := width(m.typ), 1+s.rnd.IntN(7)
		rotate = pick(s.generator, fmt.Sprintf("\t*c = *c<<%d | *c>>%d\n", r, w-r), fmt.Sprintf("\t*b = bits.RotateLeft%d(*b, %d)\n", w, r))
		if m.typ == "uint" {
			rotate = ""
		}
	}
	in := tabs(indent)
	t := in
	n, base := min(4, max(1, s.lanes/2)), s.base(m)
	if s.chance(0.5) {
		s.feature("calls with pointers")
		s.helpers += fmt.Sprintf("func %s(a, b, c *%s) {\n\t*a %s= *b\n%s\t*c %s= *a\n}\n\n", h, m.typ, op(), rotate, op())
		for k := range n {
			t += fmt.Sprintf("%s(&%s, &%s, &%s)\n%s", h, m.element(base+k), m.element(base+n+k), m.element(base+2*n+k), in)
		}
		return strings.ReplaceAll(strings.TrimSuffix(t, in), "&*", "")
	}
	s.feature("calls with values")
	s.helpers += fmt.Sprintf("func %s(a, b %s) (%[2]s, %[2]s) {\n\tc := a %s b\n\treturn c, b %s c\n}\n\n", h, m.typ, op(), op())
	for k := range n {
		x, y := m.element(base+k), m.element(base+n+k)
		t += fmt.Sprintf("%s, %s = %s(%s, %s)\n%s", x, y, h, x, y, in)
	}
	return strings.TrimSuffix(t, in)
}

// inner is a loop over lanes.
func (s *straight) inner(indent int) string {
	i := slices.IndexFunc(s.mems, func(m *place) bool { return !m.ro && m.at != nil })
	if i < 0 {
		return s.stores(indent)
	}
	s.feature("inner loop")
	m, k := s.mems[i], s.name("l")
	e := s.vector(m.typ, 1+s.rnd.IntN(2))
	turns := s.lanes
	if m.size == 0 && s.chance(0.1) {
		turns = 24
	}
	return fmt.Sprintf("%[1]sfor %[2]s := range %[3]d {\n%[1]s\t%[4]s %[5]s %[6]s\n%[1]s}\n", tabs(indent), k, turns, m.at(k), s.assignment(m.typ), e(0, k))
}

// choices are lanes under a condition each.
func (s *straight) choices(indent int) string {
	s.feature("choices")
	m := s.writable()
	c, e, base, in := s.cond(), s.vector(m.typ, 1), s.base(m), tabs(indent)
	var sb strings.Builder
	if s.chance(0.5) {
		for k := range s.lanes {
			fmt.Fprintf(&sb, "%[1]sif %[2]s {\n%[1]s\t%[3]s = %[4]s\n%[1]s}\n", in, c(k, ""), m.element(base+k), e(k, ""))
		}
		return sb.String()
	}
	y, n := s.vector(m.typ, 1), s.name("c")
	for k := range s.lanes {
		v := fmt.Sprintf("%s_%d", n, k)
		fmt.Fprintf(&sb, "%[1]s%[2]s := %[3]s(%[4]s)\n%[1]sif %[5]s {\n%[1]s\t%[2]s = %[6]s\n%[1]s}\n%[1]s%[7]s = %[2]s\n",
			in, v, m.typ, e(k, ""), c(k, ""), y(k, ""), m.element(base+k))
	}
	return sb.String()
}

// literal assigns a whole array, where one is at hand.
func (s *straight) literal(indent int) string {
	for _, p := range s.params {
		f := strings.Fields(p)
		if len(f) != 2 || !strings.HasPrefix(f[1], fmt.Sprintf("*[%d]", s.lanes)) || strings.Contains(f[1], "][") {
			continue
		}
		s.feature("array literal")
		_, t, _ := strings.Cut(f[1], "]")
		e := s.vector(t, 1+s.rnd.IntN(2))
		var list []string
		for k := range s.lanes {
			list = append(list, e(k, ""))
		}
		return fmt.Sprintf("%s*%s = [%d]%s{%s}\n", tabs(indent), f[0], s.lanes, t, strings.Join(list, ", "))
	}
	return s.stores(indent)
}

// sum combines all lanes.
func (s *straight) sum(indent int) string {
	s.feature("sum")
	v := pick(s.generator, s.sums...)
	e := s.vector(v.typ, 1+s.rnd.IntN(2))
	op := pick(s.generator, "+", "+", "+", "-")
	if !s.rough {
		op = pick(s.generator, "+", "+", "+", "*", "max", "min")
		if !isFloat(v.typ) && s.chance(0.4) {
			op = pick(s.generator, "^", "&", "|")
		}
	}
	x := s.operand(v.typ)
	for _, k := range s.order() {
		if op == "max" || op == "min" {
			x = fmt.Sprintf("%s(%s, %s)", op, x, e(k, ""))
		} else {
			x = fmt.Sprintf("(%s %s %s)", x, op, e(k, ""))
		}
	}
	return fmt.Sprintf("%s%s %s %s\n", tabs(indent), v.name, pick(s.generator, "=", "+=", "-="), x)
}

// operand is an expression of one value, no constant.
func (s *straight) operand(t string) string { return s.memoryLeaf(t)(0, "") }

// cond is a comparison for each lane.
func (s *straight) cond() lane {
	t := s.typ()
	x, y := s.memoryLeaf(t), s.leaf(t)
	op := pick(s.generator, "<", ">", "<=", ">=", "==", "!=")
	return func(k int, c string) string { return fmt.Sprintf("%s %s %s", x(k, c), op, y(k, c)) }
}

// vector is an expression for each lane.
func (s *straight) vector(t string, depth int) lane {
	if depth <= 0 || s.chance(0.1) {
		return s.leaf(t)
	}
	x := s.variable(t, depth-1)
	y := s.vector(t, depth-1)
	if s.chance(0.15) {
		y = x
	}
	if s.rough {
		return s.binary(x, y, pick(s.generator, "+", "-", "+"), pick(s.generator, "+", "-"))
	}
	switch r := s.rnd.IntN(20); {
	case r < 10 && isFloat(t):
		return s.binary(x, y, pick(s.generator, "+", "-", "*", "*", "/"), pick(s.generator, "+", "-", "*"))
	case r < 10:
		return s.binary(x, y, pick(s.generator, "+", "-", "*", "&", "|", "^", "&^"), pick(s.generator, "+", "-", "^"))
	case r < 12:
		f := pick(s.generator, "min", "max")
		return func(k int, c string) string { return fmt.Sprintf("%s(%s, %s)", f, x(k, c), y(k, c)) }
	case r == 12:
		op := pick(s.generator, "-", "-", "^")
		if isFloat(t) {
			op = "-"
		}
		return func(k int, c string) string { return fmt.Sprintf("(%s%s)", op, x(k, c)) }
	case r < 15 && isFloat(t):
		f := pick(s.generator, "Abs", "Sqrt", "Floor", "Trunc")
		return func(k int, c string) string { return fmt.Sprintf("%s(math.%s(float64(%s)))", t, f, x(k, c)) }
	case r < 15:
		return s.shift(t, x)
	case r == 15 && !isFloat(t):
		n, op := pick(s.generator, 2, 3, 5, 7, 8, 10, 100), pick(s.generator, "/", "%")
		return func(k int, c string) string { return fmt.Sprintf("(%s %s %d)", x(k, c), op, n) }
	case r < 18:
		from := s.elem
		if s.chance(0.5) {
			from = pick(s.generator, append(slices.Clone(intTypes), floatTypes...)...)
		}
		z := s.variable(from, depth-1)
		return func(k int, c string) string { return fmt.Sprintf("%s(%s)", t, z(k, c)) }
	}
	return s.binary(x, y, "+", "-")
}

// shift is a shift or rotation by constants: one, or one for each lane.
func (s *straight) shift(t string, x lane) lane {
	w := width(t)
	first, step := s.rnd.IntN(w+1), pick(s.generator, 0, 0, 0, 1)
	op := pick(s.generator, "<<", ">>")
	if t != "uint" && isUnsigned(t) && s.chance(0.5) {
		return func(k int, c string) string {
			return fmt.Sprintf("bits.RotateLeft%d(%s, %d)", w, x(k, c), first+step*k)
		}
	}
	return func(k int, c string) string { return fmt.Sprintf("(%s %s %d)", x(k, c), op, first+step*k) }
}

// binary is an operation, or two that alternate, with operands swapped here and there.
func (s *straight) binary(x, y lane, op, alt string) lane {
	swap, other, odd := s.rnd.Uint64(), uint64(0), -1
	if !s.chance(0.4) {
		swap = 0
	}
	if s.chance(0.2) {
		other = pick(s.generator, 0x5555, 0xaaaa, s.rnd.Uint64())
	}
	if s.chance(0.04) {
		odd = s.rnd.IntN(s.lanes)
	}
	return func(k int, c string) string {
		o, a, b := op, x(k, c), y(k, c)
		if other>>k&1 == 1 && c == "" {
			o = alt
		}
		if k == odd {
			b = a
		}
		if swap>>k&1 == 1 && c == "" && o != "-" && o != "/" && o != "&^" && !isConstant(b) {
			a, b = b, a
		}
		return fmt.Sprintf("(%s %s %s)", a, o, b)
	}
}

// variable is a vector of expressions that are no constants.
func (s *straight) variable(t string, depth int) lane {
	if depth > 0 {
		if e := s.vector(t, depth); !isConstant(e(0, "")) {
			return e
		}
	}
	return s.memoryLeaf(t)
}

// leaf is a leaf of any kind: memory, temporaries, scalars, constants.
func (s *straight) leaf(t string) lane {
	if s.chance(0.2) {
		step := s.rnd.IntN(3)
		first := s.rnd.IntN(40)
		return func(k int, c string) string {
			if isFloat(t) {
				return fmt.Sprintf("%s(%g)", t, float64(first+step*k)/4)
			}
			return fmt.Sprintf("%s(%d)", t, 1+first+step*k)
		}
	}
	if s.chance(0.15) {
		for _, v := range s.scalars {
			if v.typ == t {
				return func(int, string) string { return v.name }
			}
		}
	}
	return s.memoryLeaf(t)
}

// memoryLeaf is a group of elements or temporaries, converted if need be.
func (s *straight) memoryLeaf(t string) lane {
	if len(s.groups) > 0 && s.chance(0.3) {
		g := pick(s.generator, s.groups...)
		turn := pick(s.generator, 0, 0, 0, 1)
		return func(k int, c string) string { return convert(t, g[(k+turn)%len(g)]) }
	}
	var fits []*place
	for _, m := range s.mems {
		if m.typ == t {
			fits = append(fits, m)
		}
	}
	if len(fits) == 0 {
		fits = s.mems
	}
	m := pick(s.generator, fits...)
	base, way := s.base(m), s.rnd.IntN(12)
	perm := s.rnd.Perm(s.lanes)
	return func(k int, c string) string {
		if c != "" && m.at != nil {
			return convert(t, variable{name: m.at(c), typ: m.typ})
		}
		at := k
		switch way {
		case 0:
			at = s.lanes - 1 - k%s.lanes
		case 1:
			at = perm[k%s.lanes]
		case 2:
			at = 2 * k
		case 3:
			at = k / 2
		case 4:
			at = 0
		case 5:
			at = s.lanes * k
		}
		return convert(t, variable{name: m.element(base + at), typ: m.typ})
	}
}

func convert(t string, v variable) string {
	if v.typ == t {
		return v.name
	}
	return fmt.Sprintf("%s(%s)", t, v.name)
}
