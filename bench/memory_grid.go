package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A loopRow is a loop of the grid as text.
type loopRow struct {
	name   string // as "f32 load stride 3 of 0 1 2"
	lanes  int    // of a register
	params string
	result string // of the function, "" for none, else with a blank behind
	body   string
	args   string // for n iterations
	clause string // of all twins, as " reassoc"
	// clauses of twins besides the first, which has none, or what is forced: each as " unroll(2)"
	clauses []string
}

// twin is the name of the first vectorized function.
func (l *loopRow) twin() string {
	var b strings.Builder
	for _, word := range strings.Fields(l.name) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// version is the name of vectorized function k.
func (l *loopRow) version(k int) string {
	if k == 0 {
		return l.twin()
	}
	return fmt.Sprintf("%sPlan%d", l.twin(), k)
}

// scalar is the name of the original.
func (l *loopRow) scalar() string {
	t := l.twin()
	return strings.ToLower(t[:1]) + t[1:]
}

// An element is a type of the grid.
type element struct {
	name, goType string
	size         int
}

var elementTypes = []element{
	{"u8", "uint8", 1}, {"i16", "int16", 2}, {"f32", "float32", 4}, {"f64", "float64", 8},
	{"c64", "complex64", 8}, {"c128", "complex128", 16},
}

// memoryGrid lists all loops: their order is that of the table.
func memoryGrid() []loopRow {
	var rows []loopRow
	for _, e := range elementTypes {
		strides := []int{2, 3, 4, 5, 6, 7, 8, 12, 16}
		if strings.HasPrefix(e.goType, "complex") {
			strides = []int{1, 2, 3, 4}
		}
		for _, s := range strides {
			for _, m := range memberChoices(s) {
				rows = append(rows, e.loads(s, m), e.stores(s, m))
			}
			if s <= 4 {
				rows = append(rows, e.split(s), e.update(s))
			}
		}
		rows = append(rows, e.reverse())
		if e.size <= 8 {
			rows = append(rows, e.lookups()...)
		}
	}
	return rows
}

// memberChoices are the members of an element of s that a loop uses: one, some, all.
func memberChoices(s int) [][]int {
	all := make([]int, s)
	for i := range all {
		all[i] = i
	}
	switch {
	case s == 1:
		return [][]int{all}
	case s <= 3:
		return [][]int{all[:1], all}
	case s > 8:
		return [][]int{all[:1], {0, 1, 2, 3}}
	}
	return [][]int{all[:1], {0, s - 2}, all}
}

func (e *element) row(kind string, stride int, members []int, params, args string, lines []string) loopRow {
	name := fmt.Sprintf("%s %s %d", e.name, kind, stride)
	for _, m := range members {
		name += fmt.Sprintf(" m%d", m)
	}
	return loopRow{name: name, lanes: max(2, 32/e.size), params: params, args: args,
		body: "\tfor i := range dst {\n\t\t" + strings.Join(lines, "\n\t\t") + "\n\t}\n"}
}

// at is the index of a member of element i.
func at(stride, member int) string {
	switch {
	case stride == 1:
		return "i"
	case member == 0:
		return fmt.Sprintf("%d*i", stride)
	}
	return fmt.Sprintf("%d*i+%d", stride, member)
}

func (e *element) slice(n string) string { return fmt.Sprintf("data[%s](%s)", e.goType, n) }

// loads adds up members.
func (e *element) loads(stride int, members []int) loopRow {
	var terms []string
	for _, m := range members {
		terms = append(terms, "src["+at(stride, m)+"]")
	}
	return e.row("load", stride, members, "dst, src []"+e.goType, e.slice("n")+", "+e.slice(fmt.Sprintf("%d*n", stride)),
		[]string{"dst[i] = " + strings.Join(terms, " + ")})
}

// stores writes members.
func (e *element) stores(stride int, members []int) loopRow {
	var lines []string
	for k, m := range members {
		lines = append(lines, fmt.Sprintf("out[%s] = %s[i]", at(stride, m), []string{"dst", "src"}[k%2]))
	}
	return e.row("store", stride, members, "out, src, dst []"+e.goType, e.slice(fmt.Sprintf("%d*n", stride))+", "+e.slice("n")+", "+e.slice("n"), lines)
}

// split writes every member to a slice of its own.
func (e *element) split(stride int) loopRow {
	var lines, names, args []string
	for m := range stride {
		name := "dst"
		if m > 0 {
			name = fmt.Sprintf("d%d", m)
		}
		names, args = append(names, name), append(args, e.slice("n"))
		lines = append(lines, fmt.Sprintf("%s[i] = src[%s]", name, at(stride, m)))
	}
	return e.row("split", stride, nil, strings.Join(names, ", ")+", src []"+e.goType, strings.Join(args, ", ")+", "+e.slice(fmt.Sprintf("%d*n", stride)), lines)
}

// update adds to every member in place.
func (e *element) update(stride int) loopRow {
	var lines []string
	for m := range stride {
		lines = append(lines, fmt.Sprintf("x[%s] += dst[i]", at(stride, m)))
	}
	return e.row("update", stride, nil, "x, dst []"+e.goType, e.slice(fmt.Sprintf("%d*n", stride))+", "+e.slice("n"), lines)
}

func (e *element) reverse() loopRow {
	return e.row("reverse", 1, nil, "dst, src []"+e.goType, e.slice("n")+", "+e.slice("n"), []string{"dst[i] = src[len(src)-1-i]"})
}

// lookups are gathers, scatters, groups at indices and tables.
func (e *element) lookups() []loopRow {
	var rows []loopRow
	for _, index := range []string{"uint8", "uint16", "int32", "int64"} {
		idx := fmt.Sprintf("below[%s](n, 200)", index)
		kind := map[string]string{"uint8": "u8", "uint16": "u16", "int32": "i32", "int64": "i64"}[index]
		rows = append(rows, e.row("gather "+kind, 1, nil, "dst, src []"+e.goType+", idx []"+index, e.slice("n")+", "+e.slice("200")+", "+idx, []string{"dst[i] = src[idx[i]]"}))
		if kind != "i32" {
			continue
		}
		rows = append(rows,
			e.row("scatter "+kind, 1, nil, "out, dst []"+e.goType+", idx []"+index, e.slice("200")+", "+e.slice("n")+", "+idx, []string{"out[idx[i]] = dst[i]"}),
			e.row("group "+kind, 3, nil, "dst []"+e.goType+", src [][3]"+e.goType+", idx []"+index, e.slice("n")+", make([][3]"+e.goType+", 200), "+idx,
				[]string{"p := &src[idx[i]]", "dst[i] = p[0] + p[1] + p[2]"}),
			e.row("group "+kind, 4, nil, "dst []"+e.goType+", src [][4]"+e.goType+", idx []"+index, e.slice("n")+", make([][4]"+e.goType+", 200), "+idx,
				[]string{"p := &src[idx[i]]", "dst[i] = p[0] + p[1] + p[2] + p[3]"}))
	}
	if strings.HasPrefix(e.goType, "complex") {
		return rows[:4]
	}
	for _, size := range []int{16, 256} {
		idx := "idx[i]"
		if size == 16 {
			idx = "idx[i]&15"
		}
		rows = append(rows, e.row("table", size, nil, fmt.Sprintf("dst []%s, src *[%d]%s, idx []uint8", e.goType, size, e.goType),
			fmt.Sprintf("%s, new([%d]%s), below[uint8](n, 200)", e.slice("n"), size, e.goType), []string{"dst[i] = src[" + idx + "]"}))
	}
	return rows
}

// gridSource is Go source of the loops. forced asks for vectors whatever they cost.
func gridSource(loops []loopRow, forced bool) []byte {
	var b bytes.Buffer
	b.WriteString("package main\n\nimport (\n\t\"math\"\n\t\"math/bits\"\n)\n\nvar (\n\t_ = math.Pi\n\t_ = bits.Len\n)\n")
	for _, l := range loops {
		clause := ""
		if forced {
			clause = fmt.Sprintf(" simdlen(%d)", l.lanes)
		}
		b.WriteString("\n")
		for k, c := range append([]string{clause}, l.clauses...) {
			fmt.Fprintf(&b, "//vec:func %s%s%s\n", l.version(k), l.clause, c)
		}
		fmt.Fprintf(&b, "func %s(%s) %s{\n%s}\n", l.scalar(), l.params, l.result, l.body)
	}
	b.WriteString("\nvar loops = []struct {\n\tname     string\n\tversions []func(n int) func()\n}{\n")
	for _, l := range loops {
		fmt.Fprintf(&b, "\t{%q, []func(n int) func(){func(n int) func() {\n%s\t}", l.name, l.closure(l.scalar()))
		for k := range 1 + len(l.clauses) {
			fmt.Fprintf(&b, ", func(n int) func() {\n%s\t}", l.closure(l.version(k)))
		}
		b.WriteString("}},\n")
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// closure makes data and a function that calls f on it.
func (l *loopRow) closure(f string) string {
	var names []string
	for _, group := range strings.Split(l.params, ", ") {
		names = append(names, strings.Fields(group)[0])
	}
	names = slices.Clip(names)
	list := strings.Join(names, ", ")
	return fmt.Sprintf("\t\t%s := %s\n\t\treturn func() { %s(%s) }\n", list, l.args, f, list)
}
