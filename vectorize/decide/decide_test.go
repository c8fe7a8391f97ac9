package decide

import (
	"errors"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/plan"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestFunc shows functions before and behind.
func TestFunc(t *testing.T) {
	filetest.Run(t, "../../testdata/decide/*.txtar", func(t *testing.T, c *filetest.Case) {
		f, err := parse.Func(c.Section("in.vir"))
		if err != nil {
			t.Fatal(err)
		}
		Func(f, func() bool { return true })
		if err := verify.Func(f); err != nil {
			t.Error(err)
		}
		c.Golden("out", f.String())
	})
}

// A kernel that does not ask how many iterations it is to do never gets to one.
func TestNever(t *testing.T) {
	for text, want := range map[string]bool{
		"%c = icmp.slt bool %i, %n\nbr %c, more, exit\nmore:\n%z = const bool false\nbr %z, again, exit\nagain:\nret %n\nexit:\nret %i": false,
		"%z = const bool false\nbr %z, more, exit\nmore:\n%c = icmp.slt bool %i, %n\nbr %c, again, exit\nagain:\nret %n\nexit:\nret %i": true,
	} {
		f, err := parse.Func("func @f(%n i64, %i i64) (i64) {\nentry:\n" + text + "\n}")
		if err != nil {
			t.Fatal(err)
		}
		r := &plan.Region{Fn: f}
		u := pass.NewUnit(r, target.AVX2(), pass.Limit{Pass: "another"})
		u.Kernel = &plan.Kernel{Fn: f, Args: []plan.Arg{{Kind: plan.ArgCount}, {Kind: plan.ArgParam}}}
		var refusal *pass.Refusal
		if got := errors.As(Run(u), &refusal); got != want {
			t.Errorf("refused: %v, want %v\n%s", got, want, f)
		}
	}
}
