// Package differ looks for differences between functions and their twins: it generates the
// twins of many functions as one package, builds their tests as one program, runs it, and
// says which functions fail and how. A crash of the program costs one function, not the rest.
//
// It knows the generator from outside, and nothing of where functions come from.
package differ

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/generate"
)

// A Part is one function to be tested, with the declarations that it needs.
type Part struct{ Name, Text string }

// A Kind is a way to fail.
type Kind string

const (
	Difference Kind = "difference" // twin and original differ
	Crash      Kind = "crash"      // the test ends the program, or does not end
	Broken     Kind = "broken"     // a part of the generator broke
	Refused    Kind = "refused"    // the generator finds a mistake in the input, or fails
	Unbuilt    Kind = "unbuilt"    // what was generated does not build, or must not be run
	Slow       Kind = "slow"       // the vectorizer takes minutes for it, or does not end
)

// A Failure is what is wrong with a part.
type Failure struct {
	Part string // name
	Kind Kind
	Text string
}

// Options say how to test.
type Options struct {
	Generate generate.Config // Dir, Patterns and Tests are set here
	Scratch  string          // a folder inside of the module; each run has its own folder in it
	Keep     bool            // leave what was generated there
	Short    bool            // a share of the test cases
	Budget   time.Duration   // of the test of one function; 0 is the usual one
}

// Times is how long the stages took, in seconds.
type Times struct {
	Generate float64 `json:"generate"`
	Build    float64 `json:"build"`
	Run      float64 `json:"run"`
}

// Add adds other times.
func (t *Times) Add(o Times) {
	t.Generate += o.Generate
	t.Build += o.Build
	t.Run += o.Run
}

// A Result is what a run found.
type Result struct {
	Failures []Failure // in the order of the parts
	Remarks  []diag.Remark
	Tested   int // tests that ran to their end
	Skipped  int // tests that found nothing to compare
	Times    Times
}

// Run tests parts, whose file begins with header. The error is about the machine, not
// about the parts.
func Run(ctx context.Context, header string, parts []Part, o Options) (*Result, error) {
	if err := os.MkdirAll(o.Scratch, 0o777); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(o.Scratch, "run")
	if err != nil {
		return nil, err
	}
	if !o.Keep {
		defer os.RemoveAll(dir)
	}
	r := &run{ctx: ctx, Options: o, dir: dir, parts: parts, result: &Result{}}
	if err := r.write(header); err != nil {
		return nil, err
	}
	whole, err := r.generate()
	if whole == nil && err == nil {
		whole, err = r.build()
	}
	if whole == nil && err == nil {
		err = r.test()
	}
	if err != nil {
		return nil, err
	}
	switch {
	case whole == nil:
		return r.result, nil
	case whole.Kind == Slow && whole.Part != "":
		return r.without(header, *whole)
	}
	return r.halve(header, *whole)
}

// without tests the parts again without one that has failed.
func (r *run) without(header string, f Failure) (*Result, error) {
	total := &Result{Times: r.result.Times, Failures: []Failure{f}}
	rest := slices.DeleteFunc(slices.Clone(r.parts), func(p Part) bool { return p.Name == f.Part })
	if len(rest) == 0 {
		return total, nil
	}
	res, err := Run(r.ctx, header, rest, r.Options)
	if err != nil {
		return nil, err
	}
	total.add(res)
	return total, nil
}

// A run is one package on its way.
type run struct {
	Options
	ctx    context.Context
	dir    string
	parts  []Part
	ends   []int // the line behind each part
	result *Result
}

// write writes the source of the package.
func (r *run) write(header string) error {
	var sb strings.Builder
	sb.WriteString(header)
	for _, p := range r.parts {
		sb.WriteString("\n" + p.Text)
		r.ends = append(r.ends, strings.Count(sb.String(), "\n")+1)
	}
	return os.WriteFile(filepath.Join(r.dir, "functions.go"), []byte(sb.String()), 0o666)
}

// generate makes the twins. A failure without a part is one of the whole package.
func (r *run) generate() (whole *Failure, err error) {
	defer timed(&r.result.Times.Generate)()
	c := r.Generate
	c.Dir, c.Patterns, c.Tests = r.dir, []string{"."}, true
	res, err := guarded(r.ctx, c)
	if late, ok := errors.AsType[lateError](err); ok {
		return &Failure{Kind: Slow, Part: r.owner(late.function), Text: err.Error()}, nil
	}
	if err != nil {
		return &Failure{Kind: Refused, Text: err.Error()}, nil
	}
	if len(res.Errors) > 0 {
		var text []string
		for _, e := range res.Errors {
			text = append(text, e.Error())
		}
		return &Failure{Kind: Refused, Text: strings.Join(text, "\n")}, nil
	}
	r.result.Remarks = res.Remarks
	for _, m := range res.Remarks {
		if m.Broken() {
			r.fail(r.at(m.Pos.Line), Broken, m.String())
		}
	}
	return nil, generate.Write(res.Files)
}

// at is the name of the part at a line of the file.
func (r *run) at(line int) string {
	for i, end := range r.ends {
		if line < end {
			return r.parts[i].Name
		}
	}
	return ""
}

// owner is the part that declares a function; "" if there is none.
func (r *run) owner(function string) string {
	for _, p := range r.parts {
		if p.Name == function || strings.Contains(p.Text, "func "+function+"(") {
			return p.Name
		}
	}
	return ""
}

func (r *run) fail(part string, kind Kind, text string) {
	r.result.Failures = append(r.result.Failures, Failure{part, kind, text})
}

func timed(to *float64) func() {
	start := time.Now()
	return func() { *to += time.Since(start).Seconds() }
}

// halve finds the parts for which the whole package cannot be tested, by testing halves of
// it. Where both halves are well, the whole is at fault.
func (r *run) halve(header string, whole Failure) (*Result, error) {
	if len(r.parts) == 1 {
		whole.Part = r.parts[0].Name
		r.result.Failures = []Failure{whole}
		return r.result, nil
	}
	total := &Result{Times: r.result.Times}
	bad := false
	for _, half := range [][]Part{r.parts[:len(r.parts)/2], r.parts[len(r.parts)/2:]} {
		res, err := Run(r.ctx, header, half, r.Options)
		if err != nil {
			return nil, errors.Join(errors.New(whole.Text), err)
		}
		bad = bad || containsWhole(res.Failures)
		total.add(res)
	}
	if !bad {
		total.Failures = append(total.Failures, whole)
	}
	return total, nil
}

func containsWhole(fs []Failure) bool {
	for _, f := range fs {
		if f.Kind == Refused || f.Kind == Unbuilt {
			return true
		}
	}
	return false
}

func (r *Result) add(o *Result) {
	r.Failures = append(r.Failures, o.Failures...)
	r.Remarks = append(r.Remarks, o.Remarks...)
	r.Tested += o.Tested
	r.Skipped += o.Skipped
	r.Times.Add(o.Times)
}

// partOf is the name of the part that a test is about: those of methods begin with the type.
func (r *run) partOf(test string) string {
	for _, p := range r.parts {
		if twin := strings.ToUpper(p.Name[:1]) + p.Name[1:]; test == "TestTwin"+twin || strings.HasSuffix(test, "_"+twin) {
			return p.Name
		}
	}
	return ""
}
