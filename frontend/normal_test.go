package frontend_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir"
)

var kindNames = []string{"value", "data", "string", "pointer", "address", "len", "cap", "counter", "start"}

func exprText(e ast.Expr) string {
	var b bytes.Buffer
	if err := format.Node(&b, token.NewFileSet(), e); err != nil {
		return err.Error()
	}
	return b.String()
}

func paramText(p frontend.Param) string {
	s := kindNames[p.Kind]
	if p.Expr != nil {
		s += fmt.Sprintf(" %s %s", exprText(p.Expr), p.Type)
	}
	var guards []string
	for _, e := range p.NonNil {
		guards = append(guards, "nonnil "+exprText(e))
	}
	for _, e := range p.InRange {
		guards = append(guards, "inrange "+exprText(e))
	}
	if guards != nil {
		s += " if " + strings.Join(guards, ", ")
	}
	return s
}

// checkNormalForm checks what the documentation of plan.Region promises.
func checkNormalForm(t *testing.T, r *frontend.Region) {
	t.Helper()
	f := r.Fn
	bad := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s: %s\n%s", r.Label, fmt.Sprintf(format, args...), f)
	}
	if f.Name != r.Label || !token.IsIdentifier(r.Label) {
		bad("name %s, label %s", f.Name, r.Label)
	}
	if len(r.Params) != len(f.Params) || len(r.State) != len(f.Results) || len(r.Vars) != len(r.State) {
		bad("%d params of %d, %d states, %d results, %d variables", len(r.Params), len(f.Params), len(r.State), len(f.Results), len(r.Vars))
		return
	}
	for _, p := range f.Params {
		if !token.IsIdentifier(p.Name) {
			bad("parameter %s", p.Name)
		}
	}
	n := len(f.Blocks)
	if n < 5 {
		bad("%d blocks", n)
		return
	}
	entry, header, body, latch, exit := f.Blocks[0], f.Blocks[1], f.Blocks[2], f.Blocks[n-2], f.Blocks[n-1]
	if len(entry.Insts) != 1 || entry.Succs[0] != header {
		bad("the entry does more than jump to the header")
	}
	phis := header.Phis()
	if len(header.Preds) != 2 || header.Preds[0] != entry || header.Preds[1] != latch || len(phis) != len(r.State) {
		bad("the header has %d edges and %d phis", len(header.Preds), len(phis))
		return
	}
	for i, p := range phis {
		if p.Args[0] != f.Params[r.State[i].Param] {
			bad("phi %d does not start from its parameter", i)
		}
	}
	if header.Term().Op != vir.OpBr || header.Succs[0] != body || header.Succs[1] != exit {
		bad("the header does not branch to body or exit")
	}
	for i, b := range f.Blocks {
		for k, v := range b.Insts {
			if first := i == 2 && k == 0; (v.Op == vir.OpIter) != first {
				bad("iter does not start the body")
			}
		}
	}
	if latch.Term().Op != vir.OpJmp || latch.Succs[0] != header {
		bad("the latch does not jump to the header")
	}
	for i, v := range exit.Term().Args {
		if len(exit.Insts) != 1 || v != phis[i] {
			bad("the exit does not just return the phis")
		}
	}
}
