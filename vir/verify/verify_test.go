package verify

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
)

// TestFiles compares the problems of each function with the want comments on
// the lines they speak about. Problems of the function belong to its first line,
// problems of a block to its label.
func TestFiles(t *testing.T) {
	filetest.Run(t, "../../testdata/verify/*.txtar", func(t *testing.T, c *filetest.Case) {
		for _, name := range c.Names() {
			t.Run(name, func(t *testing.T) { compareWants(t, c.Section(name)) })
		}
	})
}

func compareWants(t *testing.T, text string) {
	fs, err := parse.Funcs(text)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string][]string)
	for _, f := range fs {
		for _, p := range problems(t, f) {
			got[lineOf(p)] = append(got[lineOf(p)], p.Msg)
		}
	}
	for line := range strings.Lines(text) {
		code, comment, _ := strings.Cut(line, "//")
		code = strings.TrimSpace(code)
		if strings.HasPrefix(code, "func ") {
			code = "func"
		}
		for _, want := range wants(t, comment) {
			i := slices.Index(got[code], want)
			if i < 0 {
				t.Errorf("%s: want %q, have %q", code, want, got[code])
				continue
			}
			got[code] = slices.Delete(got[code], i, i+1)
		}
		for _, msg := range got[code] {
			t.Errorf("%s: unexpected %q", code, msg)
		}
		delete(got, code)
	}
	for line, msgs := range got {
		t.Errorf("problems with no line in the text: %s: %q", line, msgs)
	}
}

func lineOf(p Problem) string {
	switch {
	case p.Inst != "":
		return p.Inst
	case p.Block != "":
		return p.Block + ":"
	}
	return "func"
}

var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

func wants(t *testing.T, comment string) []string {
	_, s, ok := strings.Cut(comment, "want ")
	if !ok {
		return nil
	}
	var ws []string
	for _, q := range quoted.FindAllString(s, -1) {
		w, err := strconv.Unquote(q)
		if err != nil {
			t.Fatalf("bad want comment %q", comment)
		}
		ws = append(ws, w)
	}
	return ws
}

func problems(t *testing.T, f *vir.Func) Errors {
	t.Helper()
	err := Func(f)
	var errs Errors
	if err != nil && (!errors.As(err, &errs) || len(errs) == 0) {
		t.Fatalf("error is %T: %v", err, err)
	}
	return errs
}

const diamond = `func @f(%p ptr {elem 4}, %n i64, %c bool) (i64) {
entry:
	br %c, then, join
then:
	%x = add i64 %n, %n
	jmp join
join:
	%y = phi i64 [%n, entry], [%x, then]
	%z = sub i64 %y, %n
	ret %z
}
`

// broken lists what the text form cannot express.
var broken = []struct {
	want string
	do   func(f *vir.Func)
}{
	{"function without a name", func(f *vir.Func) { f.Name = "" }},
	{"function without blocks", func(f *vir.Func) { f.Blocks = nil }},
	{"block without a name", func(f *vir.Func) { f.Blocks[1].Name = "" }},
	{"block name used twice", func(f *vir.Func) { f.Blocks[1].Name = "join" }},
	{"block belongs to another function", func(f *vir.Func) { f.Blocks[1].Func = nil }},
	{"value stands in two places", func(f *vir.Func) {
		b := f.Block("join")
		b.Insts = slices.Insert(b.Insts, 1, b.Insts[1])
	}},
	{"bad or repeated ID 0", func(f *vir.Func) {
		b := f.Block("join")
		v := *b.Insts[1]
		b.Insts[1] = &vir.Value{Op: v.Op, Type: v.Type, Args: v.Args, Block: b}
	}},
	{"Block field names another block", func(f *vir.Func) { f.Block("join").Insts[1].Block = f.Entry() }},
	{"instruction 1 is nil", func(f *vir.Func) { f.Block("join").Insts[1] = nil }},
	{"parameter %n is a const", func(f *vir.Func) { f.Params[1].Op = vir.OpConst }},
	{"parameter without a name", func(f *vir.Func) { f.Params[1].Name = "" }},
	{"two parameters are called %p", func(f *vir.Func) { f.Params[1].Name = "p" }},
	{"parameter %n has bad type i64x3", func(f *vir.Func) { f.Params[1].Type.Lanes = 3 }},
	{"successor 1 is no block of the function", func(f *vir.Func) { f.Entry().Succs[1] = vir.NewFunc("g").NewBlock("b") }},
	{"1 edges to join, which has 2 from here", func(f *vir.Func) { f.Block("join").Preds[1] = f.Entry() }},
	{"predecessor 1 is no block of the function", func(f *vir.Func) { f.Block("join").Preds[1] = vir.NewFunc("g").NewBlock("b") }},
	{"predecessor then has no edge to here", func(f *vir.Func) { f.Block("then").Succs = nil }},
	{"phi has 1 operands, block has 2 predecessors", func(f *vir.Func) { phi := f.Block("join").Insts[0]; phi.Args = phi.Args[:1] }},
	{"operand 1 is nil", func(f *vir.Func) { f.Block("join").Insts[1].Args[1] = nil }},
	{"operand 1 is no value of the function", func(f *vir.Func) {
		f.Block("join").Insts[1].Args[1] = vir.NewFunc("g").AddParam("g", vir.Scalar(vir.I64))
	}},
	{"no operation", func(f *vir.Func) { f.Block("join").Insts[1].Op = vir.OpInvalid }},
	{"sub has bad result type i64x2048", func(f *vir.Func) { f.Block("join").Insts[1].Type.Lanes = 2048 }},
	{"sub has constant bits", func(f *vir.Func) { f.Block("join").Insts[1].Bits = []uint64{1} }},
	{"sub has an immediate", func(f *vir.Func) { f.Block("join").Insts[1].Imm = 1 }},
	{"sub has a list of lanes", func(f *vir.Func) { f.Block("join").Insts[1].Lanes = []int{0} }},
	{"sub has an address", func(f *vir.Func) { f.Block("join").Insts[1].Disp = 1 }},
	{"sub has a routine", func(f *vir.Func) { f.Block("join").Insts[1].Callee = f }},
	{"call of nothing", func(f *vir.Func) {
		v := f.Block("join").Insts[1]
		v.Op, v.Type = vir.OpCall, vir.Type{}
	}},
	{"%p is copied, but not immutable", func(f *vir.Func) { f.Params[0].Param.Copied = true }},
	{"parameter facts on sub", func(f *vir.Func) { f.Block("join").Insts[1].Param.Immutable = true }},
	{"load has 1 operands, its fields ask for 2", func(f *vir.Func) {
		v := f.Block("join").Insts[1]
		v.Op, v.Indexed, v.Scale, v.Args = vir.OpLoad, true, 8, f.Params[:1]
	}},
	{"scale 8, indexed false", func(f *vir.Func) {
		v := f.Block("join").Insts[1]
		v.Op, v.Scale, v.Args = vir.OpLoad, 8, f.Params[:1]
	}},
}

func TestBrokenStructure(t *testing.T) {
	for _, tt := range broken {
		f, err := parse.Func(diamond)
		if err != nil {
			t.Fatal(err)
		}
		if errs := problems(t, f); errs != nil {
			t.Fatalf("clean function: %v", errs)
		}
		tt.do(f)
		errs := problems(t, f)
		if !slices.ContainsFunc(errs, func(p Problem) bool { return p.Msg == tt.want }) {
			t.Errorf("want %q, have:\n%v", tt.want, errs)
		}
		_ = f.String() // the printer survives it too
	}
}

func TestProblemText(t *testing.T) {
	f, _ := parse.Func(diamond)
	f.Pos = vir.Pos{File: "a.go", Line: 1, Col: 1}
	v := f.Block("join").Insts[1]
	v.Pos = vir.Pos{File: "a.go", Line: 3, Col: 7}
	v.Type = vir.Scalar(vir.F64)
	f.Params[1].Param.Immutable = true
	want := `a.go:1:1: @f: parameter %n is no pointer but has facts
a.go:3:7: @f: join: %z = sub f64 %y, %n: sub of f64: the result must be an integer
a.go:3:7: @f: join: %z = sub f64 %y, %n: operand 0 is i64, not f64
a.go:3:7: @f: join: %z = sub f64 %y, %n: operand 1 is i64, not f64
@f: join: ret %z: returns [f64], function has results [i64]`
	if got := problems(t, f).Error(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestEveryMessageHasACase runs the cases above and compares the messages seen
// with those in the source of the verifier.
func TestEveryMessageHasACase(t *testing.T) {
	seen := make(map[string]bool)
	trace = func(format string) { seen[format] = true }
	defer func() { trace = nil }()
	filetest.Run(t, "../../testdata/verify/*.txtar", func(t *testing.T, c *filetest.Case) {
		for _, name := range c.Names() {
			fs, err := parse.Funcs(c.Section(name))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range fs {
				_ = Func(f)
			}
		}
	})
	for _, tt := range broken {
		f, _ := parse.Func(diamond)
		tt.do(f)
		_ = Func(f)
	}
	all := formats(t)
	if len(all) < 40 {
		t.Fatalf("found only %d messages in the source", len(all))
	}
	for _, format := range all {
		if !seen[format] {
			t.Errorf("no case reports %q", format)
		}
	}
}

// formats lists the format strings of all reports in this package.
func formats(t *testing.T) []string {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for n := range ast.Preorder(file) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				continue
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"funcf", "blockf", "valuef"}, sel.Sel.Name) {
				continue
			}
			for _, arg := range call.Args {
				if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					s, _ := strconv.Unquote(lit.Value)
					all = append(all, s)
					break
				}
			}
		}
	}
	return all
}
