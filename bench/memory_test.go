package main

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestGridIsGo parses the loops of the grid and looks for names that are not
// unique: twins and remarks are found by name.
func TestGridIsGo(t *testing.T) {
	t.Run("memory", func(t *testing.T) { gridIsGo(t, memoryGrid(), 200) })
	t.Run("operations", func(t *testing.T) { gridIsGo(t, operationGrid(), 150) })
}

func gridIsGo(t *testing.T, rows []loopRow, least int) {
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
	if len(rows) < least {
		t.Errorf("only %d loops", len(rows))
	}
}

// TestBetterPlan finds plans that are faster than the chosen one, which was measured twice.
func TestBetterPlan(t *testing.T) {
	for _, tt := range []struct {
		times  []float64
		unroll int
		faster float64
	}{
		{[]float64{9, 2, 4, 3, 2, 2}, 0, 0},
		{[]float64{9, 2, 4, 1, 2, 2}, 2, 0.5},
		{[]float64{9, 3, 4, 3, 2, 1}, 8, 0.5},
		{[]float64{9, 3, 4, 3, 1, 1}, 0, 0},
	} {
		r := formRow{Times: tt.times, Cycle: 1}
		r.form.Args.UF = 4
		if unroll, faster := r.better(); unroll != tt.unroll || faster != tt.faster {
			t.Errorf("%v: unroll(%d), %v", tt.times, unroll, faster)
		}
	}
}

func TestSpread(t *testing.T) {
	if got, want := spread([]float64{1, 2, 4}), "geometric mean 2.00, two of three within a factor of 2.00"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEstimatesOfRefusals(t *testing.T) {
	r := remark{Msg: "8 lanes are estimated at 2.94 cycles per iteration, the scalar loop at 2.29"}
	if estimates(&r); r.Args.Cost != 2.94 || r.Args.Scalar != 2.29 {
		t.Errorf("got %v and %v", r.Args.Cost, r.Args.Scalar)
	}
}

// TestLoopsInC writes loops as C has them.
func TestLoopsInC(t *testing.T) {
	for _, tt := range []struct{ op, on, body string }{
		{"add", "f32", "dst[i] = x[i] + y[i];"},
		{"absolute", "i8", "T v = x[i]; if (v < 0) { v = -v; }; dst[i] = v;"},
		{"shift by lanes", "u16", "dst[i] = x[i] >> ((unsigned)(y[i]) & 7);"},
		{"and not", "i64", "dst[i] = x[i] & ~ y[i] | z[i];"},
		{"to f64", "u32", "dst[i] = (D)(x[i]);"},
		{"count", "f32", "if (x[i] > a) { s++; };"},
		{"square root", "f64", "dst[i] = sqrt(x[i]);"},
	} {
		k := slices.IndexFunc(operations, func(op operation) bool { return op.name == tt.op })
		op := operations[k]
		e := modelElements[tt.on]
		if c := op.c(e, "f"); !op.inC(e) || !strings.Contains(c, "\t\t"+tt.body+"\n") {
			t.Errorf("%s %s: want %q in\n%s", tt.on, tt.op, tt.body, c)
		}
	}
	for _, name := range []string{"rotate", "exp", "float sum"} {
		k := slices.IndexFunc(operations, func(op operation) bool { return op.name == name })
		if operations[k].inC(modelElements["f64"]) {
			t.Errorf("%s is said in C", name)
		}
	}
	if k := slices.IndexFunc(operations, func(op operation) bool { return op.name == "clamp" }); operations[k].inC(modelElements["f32"]) || !operations[k].inC(modelElements["i32"]) {
		t.Error("minima and maxima of integers are said in C, of floats not")
	}
}
