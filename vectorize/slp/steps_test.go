package slp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
)

// long are functions of about 3000 values that are much work to look at.
var long = map[string]func(*strings.Builder){
	"sum of 1500": func(sb *strings.Builder) {
		fmt.Fprintf(sb, "\t%%s0 = load i32 [%%a]\n")
		for i := range 1500 {
			fmt.Fprintf(sb, "\t%%a%d = load i32 [%%a + %d]\n\t%%s%d = add i32 %%s%d, %%a%d\n", i, i*12%1000, i+1, i, i)
		}
		fmt.Fprintf(sb, "\tstore i32 %%s1500, [%%o]\n")
	},
	"stores of bytes": func(sb *strings.Builder) {
		for i := range 1000 {
			fmt.Fprintf(sb, "\t%%a%d = load i8 [%%a + %d]\n\t%%s%d = add i8 %%a%d, %%x\n\tstore i8 %%s%d, [%%o + %d]\n", i, i*7%1000, i, i, i, i)
		}
	},
	"a mixer of 16": func(sb *strings.Builder) {
		for i := range 16 {
			fmt.Fprintf(sb, "\t%%a%d = load i32 [%%a + %d]\n", i, i*4)
		}
		for i := range 1500 {
			x, y := 16+2*i, 17+2*i
			fmt.Fprintf(sb, "\t%%a%d = add i32 %%a%d, %%a%d\n\t%%a%d = xor i32 %%a%d, %%a%d\n", x, x-16, x-3, y, x, y-16)
		}
		for i := range 16 {
			fmt.Fprintf(sb, "\tstore i32 %%a%d, [%%o + %d]\n", 3000+i, i*4)
		}
	},
	"differences": func(sb *strings.Builder) {
		for i := range 300 {
			fmt.Fprintf(sb, "\t%%s%d_0 = load i32 [%%a + %d]\n", i, i*4)
			for k := range 4 {
				fmt.Fprintf(sb, "\t%%a%d_%d = load i32 [%%a + %d]\n\t%%s%d_%d = %s i32 %%s%d_%d, %%a%d_%d\n",
					i, k, (i*5+k*3)%700*4, i, k+1, []string{"add", "sub"}[(i+k)%2], i, k, i, k)
			}
			fmt.Fprintf(sb, "\tstore i32 %%s%d_4, [%%o + %d]\n", i, i*4)
		}
	},
}

// TestSteps bounds the work for long functions. A step is some ten nanoseconds.
func TestSteps(t *testing.T) {
	for name, write := range long {
		t.Run(name, func(t *testing.T) {
			var sb strings.Builder
			sb.WriteString("func @f(%a ptr {elem 4, immutable}, %o ptr {elem 4}, %x i8) {\nentry:\n")
			write(&sb)
			sb.WriteString("\tret\n}")
			f, err := parse.Func(sb.String())
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			g, r := grow(f, Options{Costs: OnTarget(target.AVX2(), f), Bytes: 32, Testable: func(*vir.Value) bool { return true }, Count: func() bool { return true }})
			t.Logf("%d values, %d steps, %d trees, %.4g, %v", strings.Count(sb.String(), "\n"), g.spent, len(r.Trees), r.Cost, time.Since(start))
			if g.spent > 2*budget { // what was best is done once more
				t.Errorf("%d steps", g.spent)
			}
		})
	}
}

// TestCountIsAskedOncePerTree asks before each tree that is kept, and before no other.
func TestCountIsAskedOncePerTree(t *testing.T) {
	var sb strings.Builder
	sb.WriteString("func @f(%a ptr {elem 4, immutable}, %o ptr {elem 4}, %x i8) {\nentry:\n")
	for i := range 12 {
		fmt.Fprintf(&sb, "\t%%a%d = load i32 [%%a + %d]\n\t%%s%d = mul i32 %%a%d, %%a%d\n\tstore i32 %%s%d, [%%o + %d]\n", i, i*4, i, i, i, i, i*4)
	}
	sb.WriteString("\tret\n}")
	for limit := range 3 {
		f, err := parse.Func(sb.String())
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		opt := Options{Costs: OnTarget(target.AVX2(), f), Bytes: 32, Count: func() bool {
			asked++
			return asked <= limit
		}}
		r := Run(f, opt)
		if len(r.Trees) != limit || limit == 2 && asked != 2 {
			t.Errorf("limit %d: %d trees, asked %d times", limit, len(r.Trees), asked)
		}
	}
}
