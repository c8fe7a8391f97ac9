// Package vectest checks the vectorizer without a machine: it reads regions as
// text, plays the part of the twin with the interpreter, and compares the result
// with that of the scalar loop on random inputs, byte by byte.
//
// It must not share code with passes: bounds, overlaps and trip counts are
// computed here once more, naively.
package vectest

import (
	"fmt"
	"strings"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/plan"
)

// Region makes a region of the text of a scalar function in the shape that
// plan.Region describes. All variables are read after the loop, except those
// named in dead. A loop variable i that goes up starts at 0 on first entry.
func Region(text string, clauses plan.Clauses, dead ...string) (*plan.Region, error) {
	f, err := parse.Func(text)
	if err != nil {
		return nil, err
	}
	if len(f.Blocks) < 4 {
		return nil, fmt.Errorf("@%s is no region: %d blocks", f.Name, len(f.Blocks))
	}
	r := &plan.Region{Fn: f, Func: f.Name, Twin: strings.ToUpper(f.Name[:1]) + f.Name[1:], Label: f.Name, Clauses: clauses}
	r.Pos = vir.Pos{File: f.Name + ".vir", Line: 1, Col: 1}
	header := f.Blocks[1]
	for _, phi := range header.Phis() {
		init := phi.Args[header.PredIndex(f.Entry())]
		s := plan.State{Param: -1, Live: true}
		for i, p := range f.Params {
			if p == init {
				s.Param = i
			}
		}
		if s.Param < 0 {
			return nil, fmt.Errorf("phi %%%s starts with no parameter", phi.Name)
		}
		if phi.Type.Elem == vir.I64 && phi.Name == "i" && goesUp(header, phi) {
			s.Init = new(int64)
		}
		for _, d := range dead {
			if d == phi.Name {
				s.Live = false
			}
		}
		r.State = append(r.State, s)
	}
	return r, nil
}

// goesUp reports whether the loop runs while phi is below something.
func goesUp(header *vir.Block, phi *vir.Value) bool {
	c := header.Term().Args[0]
	return c.Op == vir.OpIcmpSlt && c.Args[0] == phi
}
