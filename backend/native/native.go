// Package native runs emitted kernels on the machine, for tests: it writes a
// throw-away module with the assembly, its declarations and a server, builds it
// once for many kernels and feeds it cases. Memory objects lie flush against
// inaccessible pages, once at their end and once at their start, so that an
// access outside of them is a crash. It must not be imported by the tool.
package native

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/backend"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
)

// A Program is a built set of kernels.
type Program struct {
	Dir      string // the module
	Asm      []byte // the assembly
	Assembly string // its file
	binary   string
	index    map[string]int
	funcs    []*vir.Func
}

// A Case is one call of a kernel. Pointer arguments point into objects of Mem.
type Case struct {
	Fn   string
	Mem  *interp.Memory
	Args []interp.Value
	// Elems are the element types of objects, by name, where NaNs shall be equal.
	Elems map[string]vir.Elem
	// Loose says that poison is stored: what it left may depend on where memory is.
	Loose bool
}

// An Outcome is what a call left: its results and the objects of memory.
type Outcome struct {
	Results []interp.Value
	Objects [][]byte
	Err     string // the two placements of memory gave different outcomes
}

// Build emits and builds kernels in dir, which must exist. Local routines among them
// are left out: kernels bring along those that they call.
func Build(dir string, fns []*vir.Func, t *target.Target) (*Program, error) {
	fns = slices.DeleteFunc(slices.Clone(fns), func(f *vir.Func) bool { return f.Local })
	p := &Program{Dir: dir, index: make(map[string]int), funcs: fns, Assembly: filepath.Join(dir, "k", "k_amd64.s"), binary: filepath.Join(dir, "server.bin")}
	file := backend.File{Package: "k", Constraint: "amd64"}
	for i, f := range fns {
		p.index[f.Name] = i
		file.Kernels = append(file.Kernels, backend.Kernel{Fn: f})
	}
	asm, err := backend.Emit(file, t)
	if err != nil {
		return nil, err
	}
	p.Asm = asm
	for name, text := range map[string]string{
		"go.mod":          "module kernels\n\ngo 1.26\n",
		"k/k_amd64.s":     string(asm),
		"k/k_amd64.go":    stubs(fns),
		"server/main.go":  serverSource,
		"server/table.go": table(fns),
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return p, p.Go("build", "-o", p.binary, "./server")
}

// Go runs the go command in the module; its error holds the output.
func (p *Program) Go(args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = p.Dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// A place is where a test keeps the data of an object.
type place struct {
	first *byte
	size  int
}

// wire forms of cases and outcomes.
type (
	wireArg struct {
		Object int // -1 for plain bits
		Bits   uint64
	}
	wireObject struct {
		ID   int // from 1 on: of memory that is only read
		Data []byte
	}
	wireCase struct {
		Kernel  int
		Objects []wireObject // without data when the ID was sent before
		Args    []wireArg
		Loose   bool
	}
	wireOutcome struct {
		Results []uint64
		Objects [][]byte // nil where nothing has changed
		Err     string
	}
)

// Run executes cases in one process. After a crash the outcomes are those of
// the cases before it, and the error names the case.
func (p *Program) Run(cases []Case) ([]Outcome, error) {
	var in bytes.Buffer
	enc := gob.NewEncoder(&in)
	sent := make(map[place]int)
	for i, c := range cases {
		w, err := p.wire(c, sent)
		if err != nil {
			return nil, fmt.Errorf("case %d: %w", i, err)
		}
		if err := enc.Encode(w); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(p.binary)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = &in, &stderr
	out, runErr := cmd.Output()
	var outcomes []Outcome
	dec := gob.NewDecoder(bytes.NewReader(out))
	for len(outcomes) < len(cases) {
		var w wireOutcome
		err := dec.Decode(&w)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return outcomes, err
		}
		outcomes = append(outcomes, p.outcome(cases[len(outcomes)], w))
	}
	if len(outcomes) < len(cases) {
		return outcomes, fmt.Errorf("case %d, kernel %s: %v\n%.2000s", len(outcomes), cases[len(outcomes)].Fn, runErr, &stderr)
	}
	return outcomes, nil
}

// wire is c without the data of objects that are sent already: those that are only read
// and share it with an object of an earlier case.
func (p *Program) wire(c Case, sent map[place]int) (wireCase, error) {
	i, ok := p.index[c.Fn]
	if !ok {
		return wireCase{}, fmt.Errorf("no kernel %s", c.Fn)
	}
	w := wireCase{Kernel: i, Loose: c.Loose}
	objects := c.Mem.Objects()
	for _, o := range objects {
		x := wireObject{Data: o.Data}
		if o.ReadOnly && len(o.Data) > 0 {
			at := place{&o.Data[0], len(o.Data)}
			if x.ID = sent[at]; x.ID != 0 {
				x.Data = nil
			} else {
				x.ID = len(sent) + 1
				sent[at] = x.ID
			}
		}
		w.Objects = append(w.Objects, x)
	}
	for _, a := range c.Args {
		arg := wireArg{Object: -1, Bits: a.Bits[0]}
		if a.Type.Elem == vir.Ptr && arg.Bits != 0 {
			arg.Object = nearest(objects, arg.Bits)
			if arg.Object < 0 {
				return wireCase{}, fmt.Errorf("pointer %#x into nothing", arg.Bits)
			}
			arg.Bits -= objects[arg.Object].Addr
		}
		w.Args = append(w.Args, arg)
	}
	return w, nil
}

// nearest is the object that addr points into or just outside of.
func nearest(objects []*interp.Object, addr uint64) int {
	const slack = 1 << 15
	for i, o := range objects {
		if addr+slack >= o.Addr && addr < o.Addr+uint64(len(o.Data))+slack {
			return i
		}
	}
	return -1
}

func (p *Program) outcome(c Case, w wireOutcome) Outcome {
	o := Outcome{Objects: w.Objects, Err: w.Err}
	for i, was := range c.Mem.Objects() {
		if o.Objects[i] == nil {
			o.Objects[i] = was.Data
		}
	}
	for i, t := range p.funcs[p.index[c.Fn]].Results {
		o.Results = append(o.Results, interp.New(t, w.Results[i]))
	}
	return o
}
