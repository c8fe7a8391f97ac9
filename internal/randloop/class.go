package randloop

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lanewise/lanewise/vir/plan"
)

// A Function is one random function with the types and functions that it needs.
type Function struct {
	Name     string   // f17; its twin is F17
	Text     string   // declarations, directive included
	Features []string // what it exercises, sorted, each once
}

// A Class is a kind of function.
type Class struct {
	Name  string
	write func(seed uint64, i int) Function
}

// Classes are all that there are. Loops have nests among them.
var Classes = []Class{
	{"loops", loop},
	{"nests", func(seed uint64, i int) Function { return loop(seed, nestNumber(i)) }},
	{"straight", straightFunction},
	{"idioms", idiomFunction},
}

// ClassNamed is the class of that name.
func ClassNamed(name string) (Class, bool) {
	i := slices.IndexFunc(Classes, func(c Class) bool { return c.Name == name })
	if i < 0 {
		return Class{}, false
	}
	return Classes[i], true
}

// Functions are the first n functions of a class for a seed. The same seed gives the same text.
func (c Class) Functions(seed uint64, n int) []Function {
	var list []Function
	for i := range n {
		f := c.write(seed, i)
		f.Text = usingVariables(selfless(withoutZeros(f.Text)))
		list = append(list, f)
	}
	return list
}

// number is the number in the name of a function, or of a smaller version of it: 17 in f17 and
// f17_3. Other names have 0.
func number(name string) int {
	name, _, _ = strings.Cut(strings.TrimLeft(name, "fF"), "_")
	n, _ := strconv.Atoi(name)
	return n
}

// EveryOther selects half of the functions, for tests that treat those in another way.
// Smaller versions of a function go with it.
func EveryOther(r *plan.Region) bool { return number(r.Func)%2 == 1 }

// EveryThird selects a third of them.
func EveryThird(r *plan.Region) bool { return number(r.Func)%3 == 1 }

func loop(seed uint64, i int) Function {
	g := newGenerator(seed, i)
	text := g.function(i)
	return Function{fmt.Sprintf("f%d", i), text, distinct(g.used)}
}

func straightFunction(seed uint64, i int) Function {
	s := newStraight(seed, i)
	text := s.function()
	for k, f := range s.used {
		s.used[k] = "straight: " + f // loops have features of the same names
	}
	return Function{fmt.Sprintf("f%d", i), text, distinct(s.used)}
}

func distinct(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return slices.Compact(names)
}

// Header is the beginning of a file of functions.
func Header(pkg string) string { return header(pkg, true) }

// header is one for functions that may or may not speak of text, or of pixels, which are idioms.
func header(pkg string, text bool) string {
	imports, uses := "\t\"encoding/binary\"\n\t\"math\"\n\t\"math/bits\"\n", "var _ = math.Abs\nvar _ = bits.Len\nvar _ = binary.LittleEndian\n"
	if text {
		imports += "\t\"image\"\n\t\"image/color\"\n\t\"slices\"\n\t\"strings\"\n\t\"time\"\n\t\"unicode\"\n\t\"unicode/utf8\"\n"
		uses += "var _ = strings.IndexByte\nvar _ = unicode.IsSpace\nvar _ = utf8.RuneLen\nvar _ image.Point\nvar _ color.Gray\nvar _ time.Duration\nvar _ = slices.Index[[]int]\n"
	}
	return fmt.Sprintf("package %s\n\nimport (\n%s)\n\n%s", pkg, imports, uses)
}

// Source is a Go file with these functions.
func Source(pkg string, fs []Function) string {
	var sb strings.Builder
	sb.WriteString(header(pkg, slices.ContainsFunc(fs, func(f Function) bool {
		return slices.ContainsFunc([]string{"unicode.", "utf8.", "strings.", "color.", "image.", "slices.", "time."}, func(name string) bool {
			return strings.Contains(f.Text, name)
		})
	})))
	for _, f := range fs {
		sb.WriteString("\n" + f.Text)
	}
	return sb.String()
}

// features are all that functions of the class may have.
func (c Class) features() []string {
	switch c.Name {
	case "nests":
		return append(slices.Clone(nestForms), "counter through loops")
	case "straight":
		return straightFeatures()
	case "idioms":
		return idiomFeatures(true)
	}
	var names []string
	for _, f := range allForms {
		names = append(names, f.name)
	}
	return slices.Concat(names, []string{"slice", "exit", "state", "induction", "neighbours", "order", "moves", "recurrence", "copies", "items", "stretches", "keep", "counter through loops"}, nestForms)
}

// accesses are the memory forms that a run must have had.
func (c Class) accesses() []string {
	if c.Name != "loops" {
		return nil
	}
	return []string{
		"unit load", "unit store", "reverse load", "reverse store", "uniform load", "uniform store",
		"group", "store group", "strided load", "strided store", "gather", "scatter", "table", "key",
		"masked unit store", "masked strided store", "masked gather",
	}
}

// decisions are remarks that a run must have had: in nests, iterations of the outer loop
// became lanes, or where the inner one is short, an outer loop runs in the kernel of the inner one, and rows that adjoin became one;
// elsewhere, elements in registers.
func (c Class) decisions() []string {
	switch c.Name {
	case "straight":
		return []string{"slp:Overlap"}
	case "idioms":
		return nil
	}
	return []string{"loopvec:OuterChosen", "loopvec:InnerChosen", "loopvec:ByLength", "loopvec:RowsInKernel", "loopvec:RowsAsOne", "promote:Register", "reroll:Rolled"}
}

func straightFeatures() (names []string) {
	for _, f := range []string{
		"array literal", "array pointer", "array result", "array", "branches", "calls with pointers", "calls with values",
		"choices", "computed subscripts", "constant subscripts", "early return", "fields", "gap", "inner loop",
		"loaded subscripts", "local array", "loop", "matrix", "multiple assignment", "parts of a slice", "pointers", "reassoc",
		"records", "results", "return of values", "struct result", "sum",
	} {
		names = append(names, "straight: "+f)
	}
	return names
}

// idiomFeatures are those of idioms, with or without those that stay scalar by design.
func idiomFeatures(scalar bool) (names []string) {
	for _, x := range sayings {
		if scalar || !x.scalar {
			names = append(names, "idiom: "+x.name)
		}
	}
	return names
}
