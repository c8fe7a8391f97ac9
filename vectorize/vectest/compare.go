package vectest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/plan"
)

// Stats says what a comparison covered.
type Stats struct {
	Inputs, Panics int
	Exits          int   // from inside of the body
	Calls          int   // of the kernel
	Vector         int64 // iterations done by it
}

// Add adds what another comparison did.
func (s *Stats) Add(o Stats) {
	s.Inputs += o.Inputs
	s.Panics += o.Panics
	s.Exits += o.Exits
	s.Calls += o.Calls
	s.Vector += o.Vector
}

// Compare runs region and twin on n random inputs of up to size iterations. The
// error is the first difference. Results listed in inexact are not looked at.
func Compare(r *plan.Region, k *plan.Kernel, seed uint64, n, size int, inexact ...int) (Stats, error) {
	var s Stats
	for i := range n {
		rnd := rand.New(rand.NewPCG(seed, uint64(i)))
		in := Random(r, rnd, size)
		in.Steps = max(MaxSteps, 40*size)
		want := Scalar(r, in)
		if errors.As(want.Err, new(interp.StepLimit)) {
			continue
		}
		twin := &Twin{Region: r, Kernel: k, Rand: rnd}
		got := twin.Run(in)
		s.Inputs++
		s.Calls += twin.Calls
		s.Vector += twin.Done
		switch {
		case errors.As(want.Err, new(interp.Exit)):
			s.Exits++
		case want.Err != nil:
			s.Panics++
		}
		if err := Same(r, want, got, inexact...); err != nil {
			return s, fmt.Errorf("seed %d, input %d: %w\narguments %v", seed, i, err, in.Args)
		}
	}
	return s, nil
}

// Same compares two outcomes: memory and results bit by bit (NaNs are equal to
// each other), panics by kind, index and length. Where both
// leave the loop from inside, results are the variables as that iteration found them.
func Same(r *plan.Region, want, got Outcome, inexact ...int) error {
	if err := samePanic(want.Err, got.Err); err != nil {
		return err
	}
	floats := storedFloats(r)
	for i, o := range want.Mem.Objects() {
		if e := elemOf(r, o.Name); !interp.EqualMemory(e, o.Data, got.Mem.Objects()[i].Data) &&
			!sameButNaNs(floats, o.Data, got.Mem.Objects()[i].Data) {
			return fmt.Errorf("memory of %s differs:\nwant %x\ngot  %x", o.Name, o.Data, got.Mem.Objects()[i].Data)
		}
	}
	for i, w := range want.Results {
		if r.State[i].Live && !slices.Contains(inexact, i) && !interp.Refines(w, got.Results[i]) {
			return fmt.Errorf("result %d is %v, not %v", i, got.Results[i], w)
		}
	}
	return nil
}

// storedFloats are the types of floats that r stores.
func storedFloats(r *plan.Region) (es []vir.Elem) {
	for v := range r.Fn.Values {
		if v.Op.IsStore() && v.Access().Elem.IsFloat() && !slices.Contains(es, v.Access().Elem) {
			es = append(es, v.Access().Elem)
		}
	}
	return es
}

// sameButNaNs compares memory that may hold floats among others: bytes that differ must
// belong to NaNs in both.
func sameButNaNs(floats []vir.Elem, a, b []byte) bool {
	if len(floats) == 0 || len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if a[i] == b[i] {
			continue
		}
		nan := func(e vir.Elem) bool {
			for at := max(0, i-e.Size()+1); at <= i && at+e.Size() <= len(a); at++ {
				if interp.EqualMemory(e, a[at:at+e.Size()], b[at:at+e.Size()]) {
					return true
				}
			}
			return false
		}
		if !slices.ContainsFunc(floats, nan) {
			return false
		}
	}
	return true
}

// elemOf is the type of what is stored in the object of a parameter.
func elemOf(r *plan.Region, object string) vir.Elem {
	for i, p := range r.Fn.Params {
		if fmt.Sprintf("%s%d", p.Name, i) != object {
			continue
		}
		for v := range r.Fn.Values {
			if v.Op.IsStore() && v.Base() == p {
				return v.Access().Elem
			}
		}
	}
	return vir.I8
}

func samePanic(want, got error) error {
	var w, g interp.Panic
	isW, isG := errors.As(want, &w), errors.As(got, &g)
	switch {
	case want == nil && got == nil:
		return nil
	case errors.As(want, new(interp.Exit)) && errors.As(got, new(interp.Exit)):
		return nil // the state variables tell which
	case isW && isG && w.Kind == g.Kind && w.Index == g.Index && w.Len == g.Len:
		return nil
	}
	return fmt.Errorf("ended with %v, not %v", got, want)
}
