package randloop

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lanewise/lanewise/internal/diag"
)

// required are the memory forms that a run must have had.
var required = []string{
	"unit load", "unit store", "reverse load", "reverse store", "uniform load", "uniform store",
	"group", "store group", "strided load", "strided store", "gather", "scatter", "table", "key",
	"masked unit store", "masked strided store", "masked gather",
}

// choices are remarks that a run must have had: in nests, iterations of the outer loop
// became lanes, an outer loop runs in the kernel of the inner one, and rows that adjoin became one;
// elsewhere, elements in registers.
var choices = []string{"loopvec:OuterChosen", "loopvec:InnerChosen", "loopvec:RowsInKernel", "loopvec:RowsAsOne", "promote:Register", "reroll:Rolled"}

// statistics counts loops by what they walk over and accesses by how.
type statistics struct {
	loops, vectorized int
	byForm            map[string][2]int // loops, vectorized ones
	accesses          map[string]int
	choices           map[string]int
}

func (s *statistics) count(r diag.Remark, vectorized int) {
	if s.byForm == nil {
		s.byForm, s.accesses = make(map[string][2]int), make(map[string]int)
	}
	s.loops++
	s.vectorized += vectorized
	for _, f := range formsOf(r.Func) {
		n := s.byForm[f]
		s.byForm[f] = [2]int{n[0] + 1, n[1] + vectorized}
	}
}

func (s *statistics) analysis(r diag.Remark) {
	if s.choices == nil {
		s.choices = make(map[string]int)
	}
	if slices.Contains(choices, r.ID) {
		s.choices[r.ID]++
	}
}

func (s *statistics) missed(r diag.Remark) { s.count(r, 0) }

func (s *statistics) passed(r diag.Remark) {
	s.count(r, 1)
	for _, k := range accesses(fmt.Sprint(r.Args["memory"])) {
		s.accesses[k]++
	}
}

var inBrackets = regexp.MustCompile(`\([^)]*\)`)

// accesses lists the kinds in a text such as "2 unit loads, 1 group of 3 (...)".
func accesses(memory string) []string {
	var kinds []string
	for _, s := range strings.Split(inBrackets.ReplaceAllString(memory, ""), ",") {
		_, kind, _ := strings.Cut(strings.TrimSpace(s), " ")
		kind, _, _ = strings.Cut(kind, " of ")
		kinds = append(kinds, strings.TrimSuffix(strings.TrimSpace(kind), "s"))
	}
	return kinds
}

// formsOf says what the function of that name walks over: it writes it again. Function
// h7_0 is one that f7 calls.
func formsOf(name string) []string {
	number, _, _ := strings.Cut(strings.TrimLeft(name, "fh"), "_")
	i, err := strconv.Atoi(number)
	if err != nil {
		panic(err)
	}
	g := newGenerator(*seed, i)
	g.function(i)
	slices.Sort(g.used)
	return slices.Compact(g.used)
}

func formNames() []string {
	var names []string
	for _, f := range allForms {
		names = append(names, f.name)
	}
	if *nests {
		return nestForms
	}
	return slices.Concat(names, []string{"slice", "exit", "state", "induction", "neighbours", "order", "moves", "recurrence", "copies"}, nestForms)
}
