package vectorize

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
)

// TestHugeBody checks that time grows gently with the body: values are shared, so
// that ways through them are many.
func TestHugeBody(t *testing.T) {
	const n = 250
	small, large := vectorizing(t, hugeBody(n)), vectorizing(t, hugeBody(4*n))
	if large > 64*small {
		t.Errorf("%v for a body of %d branches, %v for %d: more than the third power", small, n, large, 4*n)
	} else {
		t.Logf("%v for a body of %d branches, %v for %d", small, n, large, 4*n)
	}
}

// vectorizing is the time that it takes to vectorize a loop.
func vectorizing(t *testing.T, src string) time.Duration {
	t.Helper()
	r, err := vectest.Region(src, plan.Clauses{}, "i")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	Run(r, target.AVX2(), Options{})
	return time.Since(start)
}

// hugeBody is a loop with n branches, each of which depends on what those before chose.
func hugeBody(n int) string {
	var sb strings.Builder
	sb.WriteString("func @huge(%x ptr {elem 4, len %x_len}, %x_len i64, %i0 i64, %s0 i32) (i64, i32) {\nentry:\n\tjmp header\nheader:\n")
	fmt.Fprintf(&sb, "\t%%i = phi i64 [%%i0, entry], [%%i1, latch]\n\t%%s = phi i32 [%%s0, entry], [%%s%d, latch]\n", n)
	sb.WriteString("\t%more = icmp.slt bool %i, %x_len\n\tbr %more, body, exit\nbody:\n\titer\n\t%h0 = load i32 [%x + %i*4]\n\t%k = const i32 7\n\t%s.0 = add i32 %s, %h0\n\tjmp b1\n")
	for i := 1; i <= n; i++ {
		was := fmt.Sprintf("%%s%d", i-1)
		if i == 1 {
			was = "%s.0"
		}
		fmt.Fprintf(&sb, "b%d:\n\t%%e%d = lshr i32 %%h%d, %%k\n\t%%m%d = mul i32 %%h%d, %%e%d\n\t%%h%d = xor i32 %%m%d, %%h%d\n\t%%c%d = icmp.slt bool %%h%d, %%k\n\tbr %%c%d, t%d, j%d\n", i, i, i-1, i, i-1, i, i, i, i-1, i, i, i, i, i)
		fmt.Fprintf(&sb, "t%d:\n\t%%u%d = add i32 %s, %%h%d\n\tjmp j%d\nj%d:\n\t%%s%d = phi i32 [%s, b%d], [%%u%d, t%d]\n", i, i, was, i, i, i, i, was, i, i, i)
		if i < n {
			fmt.Fprintf(&sb, "\tjmp b%d\n", i+1)
		} else {
			sb.WriteString("\tjmp latch\n")
		}
	}
	sb.WriteString("latch:\n\t%one = const i64 1\n\t%i1 = add i64 %i, %one\n\tjmp header\nexit:\n\tret %i, %s\n}\n")
	return sb.String()
}
