package backend

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/lanewise/lanewise/backend/avx2"
	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/ir"
)

// Local routines are emitted once each, in front of the kernels that call them. They
// have no frame, parameters and results in registers, and write what they need of the
// others; how, is known before their callers are made. A routine that needs a frame is
// an error.

// A RoutineError says that a local routine cannot be emitted. Kernels must do without it.
type RoutineError struct {
	Routine *vir.Func
	Err     error
}

func (e *RoutineError) Error() string { return fmt.Sprintf("@%s: %v", e.Routine.Name, e.Err) }

func (e *RoutineError) Unwrap() error { return e.Err }

// newCallers are the kernels of a file as callers of routines.
func newCallers(ks []Kernel) *avx2.Callers {
	var fns []*vir.Func
	for _, k := range ks {
		fns = append(fns, k.Fn)
	}
	return avx2.NewCallers(fns)
}

// passes is how often the registers of routines are chosen: the first ones know little
// of the others when it is their turn.
const passes = 2

// routines makes the machine code of all of rs.
func routines(rs []*vir.Func, t *target.Target, pool *avx2.Pool, callers *avx2.Callers) (map[*vir.Func]*machine.Func, error) {
	made := make(map[*vir.Func]*machine.Func)
	for pass := range passes {
		done := make(map[*vir.Func]bool)
		for _, r := range rs {
			if done[r] || pass > 0 && len(rs) == 1 {
				continue
			}
			done[r] = true
			callers.Forget(r)
			m, err := routine(r, t, pool, callers)
			if err != nil {
				return nil, err
			}
			made[r] = m
		}
	}
	return made, nil
}

// routine makes the machine code of r and tells callers how to call it. What these
// would like is dropped when there are not enough registers for it. Errors are of type
// *RoutineError.
func routine(r *vir.Func, t *target.Target, pool *avx2.Pool, callers *avx2.Callers) (*machine.Func, error) {
	m, err := allocated(r, t, pool, callers)
	if err != nil || m.Frame > 0 {
		callers.GiveUp(r)
		m, err = allocated(r, t, pool, callers)
	}
	switch {
	case err != nil:
		return nil, &RoutineError{r, err}
	case m.Frame > 0:
		return nil, &RoutineError{r, fmt.Errorf("routine needs %d bytes of memory for its values", m.Frame)}
	}
	m.Finish()
	callers.Fix(r, m.TakeConvention(avx2.Registers(r)))
	return m, nil
}

// asmRoutine makes the avo function of a routine.
func asmRoutine(m *machine.Func) *ir.Function {
	fn := ir.NewFunction(m.Name + "<>")
	fn.SetSignature(gotypes.NewSignatureVoid())
	fn.Attributes |= attr.NOSPLIT | attr.NOFRAME
	for _, n := range m.Linear() {
		addNode(fn, n)
	}
	return fn
}

// localText is what the printer says of a function that no Go code knows, and what it
// should say.
var localText = regexp.MustCompile(`// func (\w+)<>\(\)\nTEXT ·\w+<>\(SB\), (.*), \$0\n`)

// asLocal makes routines symbols of the file, and says who calls them.
func asLocal(text []byte, callers *avx2.Callers) []byte {
	names := make(map[string][]string)
	for _, r := range callers.Routines() {
		names[r.Name] = callers.Names(r)
	}
	return localText.ReplaceAllFunc(text, func(head []byte) []byte {
		m := localText.FindSubmatch(head)
		says := comment(fmt.Sprintf("%s is code of %s.", m[1], list(names[string(m[1])])))
		return fmt.Appendf(nil, "%sTEXT %s<>(SB), %s, $0-0\n", says, m[1], m[2])
	})
}

// list is names as in a sentence.
func list(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// comment is a text as lines of a comment.
func comment(text string) string {
	return "// " + strings.Join(lines(text, docWidth-len("// ")), "\n// ") + "\n"
}
