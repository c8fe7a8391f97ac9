// Package directive reads the text of //vec: comments. It knows neither Go
// syntax around them nor what the clauses do.
package directive

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lanewise/lanewise/vir/plan"
)

// Prefix is how every directive starts. As with //go: directives there is no
// space behind the slashes.
const Prefix = "//vec:"

// Kind is the word behind the prefix.
type Kind uint8

const (
	Func   Kind = iota // //vec:func Name[types] clauses
	Loop               // //vec:loop clauses
	Scalar             // //vec:scalar
)

var kindNames = []string{"func", "loop", "scalar"}

func (k Kind) String() string { return Prefix + kindNames[k] }

// A Directive is one //vec: line.
type Directive struct {
	Kind     Kind
	Name     string     // of the twin; Func only
	TypeArgs []ast.Expr // Func only; positions in them mean nothing
	Clauses  plan.Clauses
}

// An Error is a mistake in a directive.
type Error struct {
	Offset int // bytes from the first slash
	Msg    string
}

func (e *Error) Error() string { return e.Msg }

// Is reports whether a comment is meant as a directive.
func Is(comment string) bool { return strings.HasPrefix(comment, Prefix) }

// Parse reads a comment for which Is holds.
func Parse(comment string) (*Directive, *Error) {
	s := &scanner{text: strings.TrimRightFunc(comment, unicode.IsSpace), pos: len(Prefix)}
	kind, err := s.kind()
	if err != nil {
		return nil, err
	}
	d := &Directive{Kind: kind}
	switch kind {
	case Func:
		err = s.twin(d)
	case Scalar:
		if s.space(); s.pos < len(s.text) {
			err = s.errorf("%s takes no clauses", kind)
		}
	}
	if err == nil && kind != Scalar {
		err = s.clauses(&d.Clauses)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Merge is what holds for a loop with clauses of its own: what either gives up
// is given up, numbers of the loop win.
func Merge(fn, loop plan.Clauses) plan.Clauses {
	fn.Reassoc = fn.Reassoc || loop.Reassoc
	fn.Contract = fn.Contract || loop.Contract
	fn.Independent = fn.Independent || loop.Independent
	fn.Exclusive = fn.Exclusive || loop.Exclusive
	fn.Approx = fn.Approx || loop.Approx
	fn.Require = fn.Require || loop.Require
	if loop.Simdlen != 0 {
		fn.Simdlen = loop.Simdlen
	}
	if loop.Unroll != 0 {
		fn.Unroll = loop.Unroll
	}
	return fn
}

type scanner struct {
	text string
	pos  int
}

func (s *scanner) errorf(format string, args ...any) *Error {
	return &Error{s.pos, fmt.Sprintf(format, args...)}
}

func (s *scanner) space() {
	for s.pos < len(s.text) && (s.text[s.pos] == ' ' || s.text[s.pos] == '\t') {
		s.pos++
	}
}

// word reads letters, digits and underscores.
func (s *scanner) word() string {
	start := s.pos
	for s.pos < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[s.pos:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		s.pos += n
	}
	return s.text[start:s.pos]
}

// rest is what stands before the next space, for messages.
func (s *scanner) rest() string {
	w, _, _ := strings.Cut(strings.ReplaceAll(s.text[s.pos:], "\t", " "), " ")
	return w
}

func (s *scanner) kind() (Kind, *Error) {
	start := s.pos
	w := s.word()
	for k, name := range kindNames {
		if w == name && (s.pos == len(s.text) || s.text[s.pos] == ' ' || s.text[s.pos] == '\t') {
			return Kind(k), nil
		}
	}
	s.pos = start
	return 0, s.errorf("unknown directive %s%s%s", Prefix, s.rest(), suggest(Prefix, w, kindNames))
}

// twin reads Name or Name[types].
func (s *scanner) twin(d *Directive) *Error {
	s.space()
	start := s.pos
	if s.pos == len(s.text) {
		return s.errorf("%s needs the name of the twin", Func)
	}
	d.Name = s.word()
	if !token.IsIdentifier(d.Name) || d.Name == "_" {
		s.pos = start
		return s.errorf("%q is no name for a twin", s.rest())
	}
	if s.pos < len(s.text) && s.text[s.pos] == '[' {
		return s.typeArgs(d)
	}
	return s.boundary("twin")
}

// typeArgs reads a bracketed list of type expressions.
func (s *scanner) typeArgs(d *Directive) *Error {
	open := s.pos
	depth := 0
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case '[':
			depth++
		case ']':
			depth--
		}
		s.pos++
		if depth == 0 {
			break
		}
	}
	list := s.text[open:s.pos]
	// A dummy operand makes an index expression of one or of several types.
	x, err := parser.ParseExpr("_" + list)
	if depth == 0 && err == nil {
		switch x := x.(type) {
		case *ast.IndexExpr:
			d.TypeArgs = []ast.Expr{x.Index}
			return s.boundary("twin")
		case *ast.IndexListExpr:
			d.TypeArgs = x.Indices
			return s.boundary("twin")
		}
	}
	s.pos = open
	return s.errorf("%q is no list of types", list)
}

func (s *scanner) boundary(what string) *Error {
	if s.pos < len(s.text) && s.text[s.pos] != ' ' && s.text[s.pos] != '\t' {
		return s.errorf("unexpected %q behind the %s", s.rest(), what)
	}
	return nil
}

var clauseNames = []string{"reassoc", "contract", "independent", "exclusive", "approx", "simdlen", "unroll", "require"}

func (s *scanner) clauses(c *plan.Clauses) *Error {
	seen := map[string]bool{}
	for {
		s.space()
		if s.pos == len(s.text) {
			return nil
		}
		start := s.pos
		name := s.word()
		if name != "" && seen[name] {
			s.pos = start
			return s.errorf("clause %s is given twice", name)
		}
		seen[name] = true
		if err := s.clause(c, start, name); err != nil {
			return err
		}
		if err := s.boundary("clause"); err != nil {
			return err
		}
	}
}

func (s *scanner) clause(c *plan.Clauses, start int, name string) (err *Error) {
	switch name {
	case "reassoc":
		c.Reassoc = true
	case "contract":
		c.Contract = true
	case "independent":
		c.Independent = true
	case "exclusive":
		c.Exclusive = true
	case "approx":
		c.Approx = true
	case "require":
		c.Require = true
	case "simdlen":
		c.Simdlen, err = s.number(name, 1024)
		if err == nil && c.Simdlen&(c.Simdlen-1) != 0 {
			err = s.errorf("simdlen must be a power of two, not %d", c.Simdlen)
			err.Offset = start
		}
	case "unroll":
		c.Unroll, err = s.number(name, 64)
	default:
		s.pos = start
		return s.errorf("unknown clause %q%s", s.rest(), suggest("", name, clauseNames))
	}
	return err
}

// number reads a count in parentheses.
func (s *scanner) number(clause string, limit int) (int, *Error) {
	open := s.pos
	arg, _, closed := strings.Cut(s.text[open:], ")")
	if !closed || !strings.HasPrefix(arg, "(") {
		return 0, s.errorf("%s needs a number, as in %s(4)", clause, clause)
	}
	digits := strings.Trim(arg[1:], " \t")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > limit || digits[0] == '+' {
		s.pos++
		return 0, s.errorf("%s needs a number from 1 to %d, not %q", clause, limit, digits)
	}
	s.pos = open + len(arg) + 1
	return n, nil
}

// suggest is "; did you mean ...?" with the nearest of names, or nothing.
func suggest(prefix, word string, names []string) string {
	best, at := len(word)/2+1, ""
	for _, n := range names {
		if d := distance(strings.ToLower(word), n); d < best {
			best, at = d, n
		}
	}
	if at == "" || word == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s%s?", prefix, at)
}

// distance is the number of insertions, deletions and replacements between a
// and b (Wagner and Fischer).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diag
			if a[i] != b[j] {
				change++
			}
			diag = row[j+1]
			row[j+1] = min(change, row[j]+1, diag+1)
		}
	}
	return row[len(b)]
}
