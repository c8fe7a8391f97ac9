package vir_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

const (
	tableBegin = "<!-- begin operations (generated: go test ./vir -run TestReadme -update) -->\n"
	tableEnd   = "<!-- end operations -->\n"
)

// ruleText says in the table how types relate.
var ruleText = map[vir.Rule]string{
	vir.RuleNone:       "nothing",
	vir.RuleConst:      "any type",
	vir.RulePhi:        "any type, all equal",
	vir.RuleInt:        "int, all equal",
	vir.RuleLogic:      "int, bool or mask, all equal",
	vir.RuleFloat:      "float, all equal",
	vir.RuleIntCmp:     "two equal int to bool or mask; eq and ne also ptr, bool, mask",
	vir.RuleFloatCmp:   "two equal float to bool or mask",
	vir.RuleSelect:     "bool, T, T to T",
	vir.RuleBlend:      "mask, T, T to T, a vector or mask",
	vir.RuleTrunc:      "int to narrower int",
	vir.RuleExt:        "int, bool or mask to wider int",
	vir.RuleIntToF:     "int to float, lanes equal",
	vir.RuleFToInt:     "float to int, lanes equal",
	vir.RuleFpext:      "f32 to f64",
	vir.RuleFptrunc:    "f64 to f32",
	vir.RuleBitcast:    "int or float to one of the same size, vector to one of the same size; ptr to i64",
	vir.RulePtradd:     "ptr, i64 to ptr",
	vir.RuleMemory:     "[stored,] base, [index,] [room,] [mask]",
	vir.RuleBroadcast:  "scalar to vector of it",
	vir.RuleExtract:    "vector to its lane",
	vir.RuleLane:       "vector of numbers, i64 to the vector's lane",
	vir.RuleSubvec:     "vector to shorter vector",
	vir.RulePrefix:     "i64 to mask",
	vir.RuleMaskToB:    "mask to bool",
	vir.RuleMaskToI:    "mask to i64",
	vir.RuleLeast:      "i64 to i64",
	vir.RuleCheckIndex: "index, length (i64, or vectors of it), [mask]",
	vir.RuleCheck1:     "int, or ptr for check.nil, or bool for check.rare and exit, or vector of it, [mask]",
	vir.RuleTerm:       "see text form",
	vir.RuleCompress:   "vector, mask to that vector's type",
	vir.RuleInsert:     "vector, scalar of it to that vector's type",
	vir.RuleConcat:     "equal vectors to a longer vector",
	vir.RuleShuffle:    "one or two equal vectors, lanes to a vector of as many",
	vir.RulePermute:    "vector, int vector to a vector of the first's element and the second's lanes",
	vir.RuleCall:       "parameters of the routine",
	vir.RuleResult:     "call to one of the results of its routine",
}

func opTable(t *testing.T) string {
	var sb strings.Builder
	sb.WriteString("| operation | rule | flags | meaning |\n|---|---|---|---|\n")
	for _, op := range vir.Ops() {
		info := op.Info()
		rule, ok := ruleText[info.Rule]
		if !ok || info.Doc == "" {
			t.Errorf("%s: no text for its rule or no doc", op)
		}
		flags := ""
		for _, f := range []struct {
			on   bool
			name string
		}{{info.Commutative, "C"}, {info.Effect, "E"}, {info.Reads, "R"}, {info.Term, "T"}} {
			if f.on {
				flags += f.name
			}
		}
		fmt.Fprintf(&sb, "| `%s` | %s | %s | %s |\n", info.Name, rule, flags, info.Doc)
	}
	return sb.String()
}

func TestReadmeHasOperationTable(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), tableBegin)
	have, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		t.Fatal("README.md has lost its markers")
	}
	want := opTable(t)
	if filetest.Update() {
		if err := os.WriteFile("README.md", []byte(before+tableBegin+want+tableEnd+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(strings.Split(have, "\n"), strings.Split(want, "\n")); d != "" {
		t.Errorf("operation table is stale (-have +want)\n%s\nto accept: go test ./vir -run TestReadme -update", d)
	}
}

func TestReadmeExampleIsValid(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "```")
	f, err := parse.Func(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := verify.Func(f); err != nil {
		t.Error(err)
	}
}

func TestOpsHaveUniqueNames(t *testing.T) {
	seen := make(map[string]bool)
	for _, op := range vir.Ops() {
		if seen[op.String()] || op.String() == "" {
			t.Errorf("operation %d is called %q", op, op)
		}
		seen[op.String()] = true
		if got, ok := vir.OpByName(op.String()); !ok || got != op {
			t.Errorf("%s is found as %s", op, got)
		}
	}
}
