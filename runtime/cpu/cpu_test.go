package cpu

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	all := func(string) bool { return true }
	none := func(string) bool { return false }
	without := func(name string) func(string) bool {
		return func(f string) bool { return f != name }
	}
	tests := []struct {
		name              string
		has               func(string) bool
		lanewise, godebug string
		level, unknown    string
	}{
		{"everything", all, "", "", "avx512", ""},
		{"nothing", none, "", "", "scalar", ""},
		{"no FMA", without("fma"), "", "", "scalar", ""},
		{"no BMI2", without("bmi2"), "", "", "scalar", ""},
		{"no LZCNT", without("lzcnt"), "", "", "scalar", ""},
		{"forced down", all, "scalar", "", "scalar", ""},
		{"same", all, "avx2", "", "avx2", ""},
		{"highest", all, "avx512", "", "avx512", ""},
		{"no AVX512VL", without("avx512vl"), "", "", "avx2", ""},
		{"not above the machine", without("avx512dq"), "avx512", "", "avx2", ""},
		{"avx512 off", all, "", "cpu.avx512f=off", "avx2", ""},
		{"case and space", all, " Scalar ", "", "scalar", ""},
		{"never above the machine", none, "avx2", "", "scalar", ""},
		{"unknown", all, "avx3", "", "avx512", "avx3"},
		{"avx2 off", all, "", "cpu.avx2=off", "scalar", ""},
		{"all off", all, "", "madvdontneed=1,cpu.all=off", "scalar", ""},
		{"fma off", all, "", "cpu.fma=off,gctrace=0", "scalar", ""},
		{"avx off", all, "", "cpu.avx=off", "scalar", ""},
		{"unrelated off", all, "", "cpu.sha=off", "avx512", ""},
		{"off then on", all, "", "cpu.avx2=off,cpu.avx2=on", "avx512", ""},
		{"all off, one on", all, "", "cpu.all=off,cpu.avx2=on", "scalar", ""},
		{"on adds nothing", none, "", "cpu.all=on", "scalar", ""},
		{"no cpu setting", all, "", "avx2=off", "avx512", ""},
		{"bad value", all, "", "cpu.avx2=0", "avx512", ""},
		{"GODEBUG wins over LANEWISE", all, "avx2", "cpu.avx2=off", "scalar", ""},
	}
	for _, tt := range tests {
		level, unknown := choose(tt.has, tt.lanewise, tt.godebug)
		if level != tt.level || unknown != tt.unknown {
			t.Errorf("%s: level %q, unknown %q, want %q and %q", tt.name, level, unknown, tt.level, tt.unknown)
		}
	}
}

func TestSetNeverAboveMachine(t *testing.T) {
	defer func(m string) { machine = m; apply(lower(current, m)) }(machine)
	for _, m := range levels {
		machine = m
		for _, l := range levels {
			restore := Set(l)
			if want := lower(l, m); Level() != want || AVX2 != (want != LevelScalar) || AVX512 != (want == LevelAVX512) {
				t.Errorf("machine %s, Set(%s): level %s, AVX2 %v, AVX512 %v", m, l, Level(), AVX2, AVX512)
			}
			restore()
		}
	}
}

// TestFast512 is a matter of the processor, but of level avx512 alone.
func TestFast512(t *testing.T) {
	defer func(m string) { machine = m; apply(lower(current, m)) }(machine)
	machine = LevelAVX512
	before := fast512
	for _, fast := range []bool{true, false} {
		restoreSpeed := SetFast512(fast)
		for _, l := range levels {
			restore := Set(l)
			if want := fast && l == LevelAVX512; Fast512 != want {
				t.Errorf("at level %s, fast %v: Fast512 is %v", l, fast, Fast512)
			}
			restore()
		}
		restoreSpeed()
	}
	if fast512 != before {
		t.Error("not restored")
	}
}

func TestSetRestores(t *testing.T) {
	before, flag := Level(), AVX2
	outer := Set(LevelScalar)
	inner := Set(LevelAVX2)
	inner()
	if Level() != LevelScalar || AVX2 {
		t.Errorf("after the inner restore: level %s, AVX2 %v", Level(), AVX2)
	}
	outer()
	if Level() != before || AVX2 != flag {
		t.Errorf("after the outer restore: level %s, AVX2 %v", Level(), AVX2)
	}
}

func TestSetUnknownPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Set("sse9")
}

// TestEnvironment runs this test binary again and looks at what it prints.
func TestEnvironment(t *testing.T) {
	if os.Getenv("LANEWISE_PRINT_LEVEL") != "" {
		os.Stdout.WriteString("level=" + Level() + ";\n")
		os.Exit(0)
	}
	run := func(env ...string) (stdout, stderr string) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestEnvironment$")
		cmd.Env = append(os.Environ(), append([]string{"LANEWISE=", "GODEBUG=", "LANEWISE_PRINT_LEVEL=1"}, env...)...)
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %v\n%s", env, err, errs.String())
		}
		return out.String(), errs.String()
	}
	out, errs := run()
	best := strings.TrimSuffix(strings.TrimPrefix(out, "level="), ";\n")
	if !slices.Contains(levels, best) || errs != "" {
		t.Fatalf("output %q, standard error %q", out, errs)
	}
	for _, env := range []string{"LANEWISE=scalar", "GODEBUG=cpu.avx2=off", "GODEBUG=cpu.all=off"} {
		if out, _ := run(env); !strings.Contains(out, "level=scalar;") {
			t.Errorf("%s: %q", env, out)
		}
	}
	out, errs = run("LANEWISE=turbo")
	if !strings.Contains(out, "level="+best+";") {
		t.Errorf("LANEWISE=turbo: %q, want level %s", out, best)
	}
	if strings.Count(errs, `LANEWISE="turbo"`) != 1 {
		t.Errorf("LANEWISE=turbo: standard error %q, want one report", errs)
	}
}
