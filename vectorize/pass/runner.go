package pass

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/verify"
)

// A Broken error says that a pass panicked or left a malformed function.
type Broken struct {
	Pass string
	Err  error
	IR   string // the function as far as it can be printed
}

func (b *Broken) Error() string { return fmt.Sprintf("pass %s: %v\n%s", b.Pass, b.Err, b.IR) }

func (b *Broken) Unwrap() error { return b.Err }

// A Runner runs passes over a unit.
type Runner struct {
	Passes []Pass
	Skip   []string                         // names of passes to leave out; required ones stay
	Dump   func(pass string, f *vir.Func)   // called after each pass, before the function is verified
	Verify bool                             // verify after each pass
	Check  func(pass string, u *Unit) error // further checks of tests, after Verify
}

// Run stops at the first error: a *Refusal, or a *Broken.
func (r *Runner) Run(u *Unit) error {
	for _, p := range r.Passes {
		if !p.Required && slices.Contains(r.Skip, p.Name) {
			continue
		}
		if err := r.step(p, u); err != nil {
			return err
		}
	}
	return nil
}

func (r *Runner) step(p Pass, u *Unit) error {
	u.current = p.Name
	err := guarded(p, u)
	if r.Dump != nil && (err == nil || isBroken(err)) {
		r.Dump(p.Name, u.Func())
	}
	if err != nil {
		return err
	}
	if r.Verify {
		if err := verify.Func(u.Func()); err != nil {
			return &Broken{Pass: p.Name, Err: err, IR: u.Func().String()}
		}
	}
	if r.Check != nil {
		if err := r.Check(p.Name, u); err != nil {
			return &Broken{Pass: p.Name, Err: err, IR: u.Func().String()}
		}
	}
	return nil
}

func isBroken(err error) bool {
	_, ok := err.(*Broken)
	return ok
}

// guarded turns a panic of the pass into a Broken error.
func guarded(p Pass, u *Unit) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = &Broken{Pass: p.Name, Err: fmt.Errorf("%v", x), IR: text(u.Func())}
		}
	}()
	return p.Run(u)
}

// text prints f even when that panics.
func text(f *vir.Func) (s string) {
	defer func() {
		if x := recover(); x != nil {
			s = fmt.Sprintf("(cannot be printed: %v)\n", x)
		}
	}()
	return f.String()
}

// An Order says that pass First runs before pass Then when both run.
type Order struct {
	First, Then string
	Why         string
}

// CheckOrder reports the first constraint that passes violate, and constraints
// on passes that do not exist.
func CheckOrder(passes []Pass, orders []Order) error {
	at := make(map[string]int)
	for i, p := range passes {
		if _, ok := at[p.Name]; ok {
			return fmt.Errorf("pass %s twice", p.Name)
		}
		at[p.Name] = i
	}
	for _, o := range orders {
		i, ok := at[o.First]
		j, ok2 := at[o.Then]
		switch {
		case !ok || !ok2:
			return fmt.Errorf("order of %s and %s: no such pass", o.First, o.Then)
		case i >= j:
			return fmt.Errorf("pass %s must run before %s: %s", o.First, o.Then, o.Why)
		}
	}
	return nil
}
