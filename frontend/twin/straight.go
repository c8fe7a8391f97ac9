package twin

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir/plan"
)

// Straight-line code. A kernel has done all of it, or nothing:
//
//	if cpu.AVX2 && <conditions> {
//		if d, x1, y1 := kernel(...); d != 0 {
//			return x1, y1
//		}
//	}
//	<the user's statements>
//
// Where the function goes on behind them, the variables that they set get the results, and
// the statements stand under the condition that the kernel has not done them:
//
//	done := false
//	if cpu.AVX2 && <conditions> {
//		if d, x1, y1 := kernel(...); d != 0 {
//			x, y = x1, y1
//			done = true
//		}
//	}
//	if !done {
//		<the user's statements>
//	}
//
// Variables that they declare for others behind them are declared before.

// A straight is one vectorized run of statements being printed.
type straight struct {
	*loop
	list    []ast.Stmt
	results []string // names of the results of the return statement, "" for those that are numbers
}

// replaceStraight puts the vectorized form in the place of the statements.
func (c *function) replaceStraight(r *frontend.Region) error {
	l := newLoop(c, r, c.kernels[r], nil)
	if !l.canSayNil() {
		return nil
	}
	s := &straight{loop: l, list: r.Loop.(*ast.RangeStmt).Body.List}
	s.n, s.few = "1", true
	s.onlyLive()
	if r.Returns || r.Last {
		text := s.leaving()
		c.edits = append(c.edits, edit{pos: r.Loop.Pos(), end: r.Loop.Pos(), text: text + "\n", rank: -1})
		return l.err
	}
	before, behind := s.goingOn()
	c.edits = append(c.edits,
		edit{pos: r.Loop.Pos(), end: r.Loop.Pos(), text: before + "\n", rank: -1},
		edit{pos: r.Loop.End(), end: r.Loop.End(), text: "\n" + behind, rank: rankClose / 2})
	return l.err
}

// onlyLive forgets the results of the kernel that nobody reads.
func (s *straight) onlyLive() {
	k := *s.k
	k.Outs = slices.Clone(k.Outs)
	for i, o := range k.Outs {
		switch {
		case i == 0 || !s.r.State[i].Live:
			k.Outs[i] = plan.Out{}
		case o.Kind == plan.OutExpr:
			k.Outs[i].Expr = doneOnce(o.Expr)
		}
	}
	s.k = &k
}

// doneOnce is x behind a call that has done its one iteration.
func doneOnce(x *plan.Expr) *plan.Expr {
	if x == nil {
		return nil
	}
	if x.Op == plan.ExprDone {
		return plan.Const(1)
	}
	y := *x
	y.X, y.Y = doneOnce(x.X), doneOnce(x.Y)
	return &y
}

// leaving is what stands before statements behind which the function ends.
func (s *straight) leaving() string {
	var sb, updates strings.Builder
	var own []string
	conds := s.conditions()
	temps := s.nameResults(&own)
	call, cond := s.callText(&own)
	values := s.returned()
	s.inside = true
	s.updates(&updates)
	end := "return"
	if len(values) > 0 {
		end += " " + strings.Join(values, ", ")
	}
	inner := s.declareResults() + updates.String() + end
	switch {
	case cond == "":
		fmt.Fprintf(&sb, "if %s {\n%s%s\n%s\n}", s.join(conds, 120), temps, call, inner)
	case temps == "" && call == "":
		fmt.Fprintf(&sb, "if %s {\n%s\n}", s.join(append(conds, cond), 120), inner)
	case call == "":
		fmt.Fprintf(&sb, "if %s {\n%sif %s {\n%s\n}\n}", s.join(conds, 120), temps, cond, inner)
	default:
		fmt.Fprintf(&sb, "if %s {\n%sif %s; %s {\n%s\n}\n}", s.join(conds, 120), temps, call, cond, inner)
	}
	s.release(own...)
	return sb.String()
}

// goingOn is what stands before and behind statements behind which the function goes on.
func (s *straight) goingOn() (before, behind string) {
	var sb, updates strings.Builder
	var own []string
	for _, v := range s.r.Hoisted {
		fmt.Fprintf(&sb, "var %s %s\n", v.Name(), s.typ(v.Type()))
	}
	s.assignDeclarations()
	conds := s.conditions()
	call, cond := s.callText(&own)
	s.inside = true
	s.updates(&updates)
	switch {
	case cond == "":
		fmt.Fprintf(&sb, "if %s {\n%s\n%s} else {", s.join(conds, 120), call, updates.String())
	case call == "" && updates.Len() > 0:
		fmt.Fprintf(&sb, "if %s {\n%s} else {", s.join(append(conds, cond), 120), updates.String())
	case call == "":
		fmt.Fprintf(&sb, "if !(%s) {", s.join(append(conds, cond), 120))
	default:
		done := s.local("done")
		own = append(own, done)
		fmt.Fprintf(&sb, "%s := false\nif %s {\nif %s; %s {\n%s%[1]s = true\n}\n}\nif !%[1]s {", done, s.join(conds, 120), call, cond, updates.String())
	}
	s.release(own...)
	return sb.String(), "}"
}

// conditions are those for a call.
func (s *straight) conditions() []string {
	conds := append([]string{s.level()}, s.preconditions(s.allParams())...)
	for _, b := range s.k.Bounds {
		if !b.Conditional && !isGiven(b) {
			conds = append(conds, fmt.Sprintf("%s > 0", s.within(s.n, b)))
		}
	}
	return slices.Concat(conds, s.givens(), s.overlaps(s.k.Overlaps))
}

// callText is the call as a statement, and the condition that it has done something: ""
// when that is certain. A call without other results is part of the condition, and the
// statement "".
func (s *straight) callText(own *[]string) (call, cond string) {
	var sb strings.Builder
	s.d = s.oneOf("d", "did")
	s.call(&sb, own, s.n)
	call = strings.TrimSpace(sb.String())
	switch {
	case s.k.Complete:
		s.release(s.d)
		return call, ""
	case len(s.k.Fn.Results) == 1:
		s.release(s.d)
		return "", strings.TrimPrefix(call, s.d+" := ") + " != 0"
	}
	*own = append(*own, s.d)
	return call, s.d + " != 0"
}

// nameResults gives names to the results that are no numbers, and declares those to
// which the kernel gets a pointer.
func (s *straight) nameResults(own *[]string) (temps string) {
	s.results = make([]string, len(s.r.Results))
	s.standIn = make(map[types.Object]string)
	for i, res := range s.r.Results {
		if basic(s.subst(res.Type)) != nil && res.Temp < 0 && !s.isComplexType(res.Type) {
			continue
		}
		name := s.local("result")
		s.results[i], s.standIn[res.Obj], res.Name.Name = name, name, name
		*own = append(*own, name)
		if res.Temp >= 0 {
			temps += fmt.Sprintf("var %s %s\n", name, s.typ(s.subst(res.Type)))
		}
	}
	return temps
}

func (s *straight) isComplexType(t types.Type) bool {
	b := basic(s.subst(t))
	return b != nil && b.Info()&types.IsComplex != 0
}

// declareResults declares the results that are put together from numbers.
func (s *straight) declareResults() string {
	text := ""
	for i, res := range s.r.Results {
		if s.results[i] != "" && res.Temp < 0 {
			text += fmt.Sprintf("var %s %s\n", s.results[i], s.typ(s.subst(res.Type)))
		}
	}
	return text
}

// returned are the operands of the return statement behind a call; the numbers among
// them need no updates.
func (s *straight) returned() (values []string) {
	for i, res := range s.r.Results {
		if s.results[i] != "" {
			values = append(values, s.results[i])
			continue
		}
		at := slices.IndexFunc(s.r.Vars, func(v frontend.Var) bool { return v.Obj == res.Obj })
		value := "0"
		if s.k.Outs[at].Kind != plan.OutSame {
			value = s.newValue(at, s.k.Outs[at])
		}
		values = append(values, value)
		s.k.Outs[at] = plan.Out{}
	}
	return values
}

// assignDeclarations are the edits that make assignments of the declarations of hoisted
// variables.
func (s *straight) assignDeclarations() {
	for _, stmt := range s.list {
		switch stmt := stmt.(type) {
		case *ast.AssignStmt:
			if stmt.Tok == token.DEFINE && s.hoists(stmt.Lhs) {
				s.edits = append(s.edits, edit{pos: stmt.TokPos, end: stmt.TokPos + 2, text: "="})
			}
		case *ast.DeclStmt:
			s.assignSpecs(stmt)
		}
	}
}

func (s *straight) assignSpecs(stmt *ast.DeclStmt) {
	d, ok := stmt.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return
	}
	var text []string
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		var names []ast.Expr
		for _, id := range spec.Names {
			names = append(names, id)
		}
		if !s.hoists(names) {
			return
		}
		if len(spec.Values) > 0 {
			first, last := spec.Values[0], spec.Values[len(spec.Values)-1]
			text = append(text, s.source(spec.Names[0].Pos(), spec.Names[len(spec.Names)-1].End())+" = "+s.source(first.Pos(), last.End()))
		}
	}
	s.edits = append(s.edits, edit{pos: stmt.Pos(), end: stmt.End(), text: strings.Join(text, "\n")})
}

// hoists reports whether one of the names belongs to a hoisted variable.
func (s *straight) hoists(names []ast.Expr) bool {
	return slices.ContainsFunc(names, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := s.pkg.TypesInfo.Defs[id].(*types.Var)
		return ok && slices.Contains(s.r.Hoisted, v)
	})
}
