package interp_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestFiles runs, for each section name.vir, the script in the section name.
func TestFiles(t *testing.T) {
	filetest.Run(t, "../../testdata/interp/*.txtar", func(t *testing.T, c *filetest.Case) {
		for _, section := range c.Names() {
			name, ok := strings.CutSuffix(section, ".vir")
			if !ok {
				continue
			}
			f, err := parse.Func(c.Section(section))
			if err != nil {
				t.Fatal(err)
			}
			if err := verify.Func(f); err != nil {
				t.Fatal(err)
			}
			for v := range f.Values {
				tried[v.Op] = true
			}
			got, err := interp.Transcript(f, c.Section(name))
			if err != nil {
				t.Fatal(err)
			}
			c.Golden(name, got)
		}
	})
}

// TestMain fails the whole run when some operation was compared by no test.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if code == 0 && flag.Lookup("test.run").Value.String() == "" {
		for _, op := range vir.Ops() {
			if !tried[op] {
				fmt.Printf("no test tries %s\n", op)
				code = 1
			}
		}
	}
	os.Exit(code)
}

const spin = `func @spin() {
entry:
	jmp loop
loop:
	jmp loop
}
`

func TestErrorsAreTyped(t *testing.T) {
	f, err := parse.Func(spin)
	if err != nil {
		t.Fatal(err)
	}
	_, err = interp.Config{Steps: 100}.Run(f, new(interp.Memory), nil)
	var limit interp.StepLimit
	if !errors.As(err, &limit) || limit.Steps != 100 {
		t.Errorf("endless loop: %v", err)
	}
	if _, err = interp.Run(f, new(interp.Memory), []interp.Value{interp.Int(1)}); err == nil {
		t.Error("an argument too many is accepted")
	}
	f.AddParam("x", vir.Scalar(vir.F32))
	if _, err = interp.Run(f, new(interp.Memory), []interp.Value{interp.Int(1)}); err == nil {
		t.Error("an argument of the wrong type is accepted")
	}
}

func TestTraceSeesValues(t *testing.T) {
	f, err := parse.Func("func @f(%x i64) (i64) {\nentry:\n\t%y = add i64 %x, %x\n\tret %y\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	cfg := interp.Config{Trace: func(v *vir.Value, res interp.Value) {
		if v.Type.Elem != vir.Void {
			got = append(got, v.Name+" = "+res.String())
		}
	}}
	if _, err := cfg.Run(f, new(interp.Memory), []interp.Value{interp.Int(21)}); err != nil {
		t.Fatal(err)
	}
	if s := strings.Join(got, "; "); s != "y = i64 42" {
		t.Errorf("trace %q", s)
	}
}

func TestCompare(t *testing.T) {
	nan1 := interp.New(vir.Scalar(vir.F32), 0x7fc00000)
	nan2 := interp.New(vir.Scalar(vir.F32), 0xffc00001)
	poison := interp.Poisoned(vir.Scalar(vir.F32))
	zero, negZero := interp.Float32(0), interp.Float32(float32(math.Copysign(0, -1)))
	for _, tt := range []struct {
		a, b           interp.Value
		equal, refines bool
	}{
		{nan1, nan2, true, true},
		{zero, negZero, false, false},
		{poison, poison, true, true},
		{poison, zero, false, true},
		{zero, poison, false, false},
		{interp.Int(1), interp.Int(1), true, true},
		{interp.Int(1), interp.Float64(1), false, false},
	} {
		if interp.Equal(tt.a, tt.b) != tt.equal || interp.Refines(tt.a, tt.b) != tt.refines {
			t.Errorf("%v and %v: equal %t, refines %t", tt.a, tt.b, !tt.equal, !tt.refines)
		}
	}
	a := []byte{0, 0, 0xc0, 0x7f, 1}
	b := []byte{1, 0, 0xc0, 0xff, 1}
	if !interp.EqualMemory(vir.F32, a, b) || interp.EqualMemory(vir.I32, a, b) {
		t.Error("NaNs in memory: equal as f32 only")
	}
	if b[4] = 2; interp.EqualMemory(vir.F32, a, b) {
		t.Error("rest of the memory is not compared")
	}
}

func TestCloneKeepsAddresses(t *testing.T) {
	m := new(interp.Memory)
	x := m.Alloc("x", []byte{1, 2})
	y := m.AllocReadOnly("y", []byte{3})
	c := m.Clone()
	x.Data[0] = 9
	cx, cy := c.Object("x"), c.Object("y")
	if cx.Addr != x.Addr || cy.Addr != y.Addr || !cy.ReadOnly || cx.Data[0] != 1 {
		t.Errorf("clone %+v %+v", cx, cy)
	}
	if y.Addr-x.Addr < 1<<16 || len(m.Objects()) != 2 {
		t.Errorf("objects at %#x and %#x", x.Addr, y.Addr)
	}
}

// TestEither: poison lanes decide nothing that others have decided, and are an error unless
// either way will do.
func TestEither(t *testing.T) {
	f, err := parse.Func("func @f(%m maskx2) (i64) {\nentry:\n\t%a = any bool %m\n\tbr %a, on, off\non:\n\t%x = const i64 1\n\tret %x\noff:\n\t%y = const i64 2\n\tret %y\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		bits   [2]uint64
		either bool
		want   int64
	}{{[2]uint64{1, 0}, false, 1}, {[2]uint64{1, 0}, true, 1}, {[2]uint64{0, 0}, false, 2}, {[2]uint64{0, 0}, true, 1}} {
		m := interp.New(vir.Mask(2), c.bits[:]...)
		m.Poison[1] = true
		res, err := interp.Config{Either: func() bool { return c.either }}.Run(f, new(interp.Memory), []interp.Value{m})
		if err != nil || res[0].Int() != c.want {
			t.Errorf("%v, either %t: %v, %v, want %d", m, c.either, res, err, c.want)
		}
		if _, err := interp.Run(f, new(interp.Memory), []interp.Value{m}); !errors.As(err, new(interp.Poison)) {
			t.Errorf("%v: %v", m, err)
		}
	}
}
