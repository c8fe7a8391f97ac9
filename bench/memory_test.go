package main

import (
	"go/parser"
	"go/token"
	"testing"
)

// TestGridIsGo parses the loops of the grid and looks for names that are not
// unique: twins and remarks are found by name.
func TestGridIsGo(t *testing.T) {
	rows := memoryGrid()
	for _, forced := range []bool{false, true} {
		if _, err := parser.ParseFile(token.NewFileSet(), "loops.go", gridSource(rows, forced), parser.AllErrors); err != nil {
			t.Error(err)
		}
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "main.go", gridMain, parser.AllErrors); err != nil {
		t.Error(err)
	}
	names := make(map[string]bool)
	for _, r := range rows {
		if names[r.twin()] {
			t.Errorf("two loops %q", r.name)
		}
		names[r.twin()] = true
	}
	if len(rows) < 200 {
		t.Errorf("only %d loops", len(rows))
	}
}

func TestEstimatesOfRefusals(t *testing.T) {
	r := remark{Msg: "8 lanes are estimated at 2.94 cycles per iteration, the scalar loop at 2.29"}
	if estimates(&r); r.Args.Cost != 2.94 || r.Args.Scalar != 2.29 {
		t.Errorf("got %v and %v", r.Args.Cost, r.Args.Scalar)
	}
}
