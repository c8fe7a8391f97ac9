package simplify_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vectorize/simplify"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/gen"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

func always() bool { return true }

// rules are functions of %x, %y, %z (i8), %f, %g (f32), %h (f64), %c, %d (bool)
// by the lines before ret, with what is left of them.
var rules = []struct{ in, out string }{
	// Folding.
	{"%a = const i8 100\n%b = add i8 %a, %a\nret %b", "%b = const i8 -56\nret %b"},
	{"%a = const i8 -1\n%b = zext i32 %a\nret %b", "%b = const i32 255\nret %b"},
	{"%a = const i8 -1\n%b = sext i32 %a\nret %b", "%b = const i32 -1\nret %b"},
	{"%a = const i8 -1\n%b = const i8 1\n%r = icmp.ult bool %a, %b\nret %r", "%r = const bool false\nret %r"},
	{"%a = const f32 1.5\n%b = fmul f32 %a, %a\nret %b", "%b = const f32 2.25\nret %b"},
	// Arithmetic.
	{"%a = const i8 0\n%b = add i8 %a, %x\nret %b", "ret %x"},
	{"%a = const i8 3\n%b = add i8 %x, %a\n%r = sub i8 %b, %a\nret %r", "ret %x"},
	{"%r = sub i8 %x, %x\nret %r", "%r = const i8 0\nret %r"},
	{"%n = neg i8 %x\n%r = add i8 %y, %n\nret %r", "%r = sub i8 %y, %x\nret %r"},
	{"%n = neg i8 %x\n%r = add i8 %n, %y\nret %r", "%r = sub i8 %y, %x\nret %r"},
	{"%n = neg i8 %x\n%m = mul i8 %y, %z\n%r = add i8 %n, %m\nret %r", "%m = mul i8 %y, %z\n%r = sub i8 %m, %x\nret %r"},
	{"%a = const i8 16\n%r = mul i8 %x, %a\nret %r", "%0 = const i8 4\n%r = shl i8 %x, %0\nret %r"},
	{"%a = const i8 -128\n%r = mul i8 %x, %a\nret %r", "%0 = const i8 7\n%r = shl i8 %x, %0\nret %r"},
	{"%a = const i8 -1\n%r = mul i8 %x, %a\nret %r", "%r = neg i8 %x\nret %r"},
	{"%a = const i8 3\n%b = const i8 -2\n%m = add i8 %x, %a\n%n = add i8 %x, %b\n%r = sub i8 %m, %n\nret %r", "%r = const i8 5\nret %r"},
	{"%a = add i8 %x, %y\n%r = sub i8 %a, %x\nret %r", "ret %y"},
	{"%e = icmp.eq bool %x, %y\n%r = select i8 %e, %y, %x\nret %r", "ret %x"},
	{"%e = icmp.ne bool %x, %y\n%r = select i8 %e, %y, %x\nret %r", "ret %y"},
	{"%e = fcmp.eq bool %f, %g\n%r = select f32 %e, %f, %g\nret %r", "%e = fcmp.eq bool %f, %g\n%r = select f32 %e, %f, %g\nret %r"},
	{"%a = add i8 %x, %y\n%r = sub i8 %a, %y\nret %r", "ret %x"},
	{"%w = zext i32 %x\n%b = broadcast i32x4 %w\n%a = const i32x4 {1, 2, 8, 1}\n%m = mul i32x4 %b, %a\n%r = extract i32 %m, 1\nret %r", "%w = zext i32 %x\n%b = broadcast i32x4 %w\n%0 = const i32x4 {0, 1, 3, 0}\n%m = shl i32x4 %b, %0\n%r = extract i32 %m, 1\nret %r"},
	{"%a = const i8 32\n%r = udiv i8 %x, %a\nret %r", "%0 = const i8 5\n%r = lshr i8 %x, %0\nret %r"},
	{"%a = const i8 32\n%r = urem i8 %x, %a\nret %r", "%0 = const i8 31\n%r = and i8 %x, %0\nret %r"},
	{"%a = const i8 10\n%q = udiv i8 %x, %a\n%m = urem i8 %x, %a\n%r = xor i8 %q, %m\nret %r", "%a = const i8 10\n%q = udiv i8 %x, %a\n%0 = mul i8 %q, %a\n%m = sub i8 %x, %0\n%r = xor i8 %q, %m\nret %r"},
	{"%a = const i8 10\n%m = srem i8 %x, %a\n%b = const i8 10\n%q = sdiv i8 %x, %b\n%r = xor i8 %m, %q\nret %r", "%a = const i8 10\n%q = sdiv i8 %x, %a\n%0 = mul i8 %q, %a\n%m = sub i8 %x, %0\n%r = xor i8 %q, %m\nret %r"},
	{"%a = const i8 10\n%q = udiv i8 %x, %a\n%m = srem i8 %x, %a\n%r = xor i8 %q, %m\nret %r", "%a = const i8 10\n%q = udiv i8 %x, %a\n%m = srem i8 %x, %a\n%r = xor i8 %q, %m\nret %r"},
	{"%a = const i8 9\n%r = shl i8 %x, %a\nret %r", "%r = const i8 0\nret %r"},
	{"%a = const i8 9\n%r = ashr i8 %x, %a\nret %r", "%0 = const i8 7\n%r = ashr i8 %x, %0\nret %r"},
	{"%a = const i8 5\n%s = lshr i8 %x, %a\n%r = lshr i8 %s, %a\nret %r", "%r = const i8 0\nret %r"},
	// What one truth value says of others.
	{"%n = not bool %c\n%a = and bool %n, %d\n%m = icmp.eq bool %x, %y\n%b = and bool %m, %a\n%r = or bool %c, %b\nret %r", "%m = icmp.eq bool %x, %y\n%0 = and bool %d, %m\n%r = or bool %c, %0\nret %r"},
	{"%n = not bool %c\n%a = and bool %n, %d\n%m = icmp.eq bool %x, %y\n%b = or bool %m, %a\n%r = and bool %c, %b\nret %r", "%m = icmp.eq bool %x, %y\n%r = and bool %c, %m\nret %r"},
	{"%n = not bool %c\n%a = and bool %n, %d\n%m = icmp.eq bool %x, %y\n%b = and bool %m, %a\n%r = or bool %c, %b\n%s = select i8 %b, %x, %z\n%t = select i8 %r, %s, %y\nret %t", "%n = not bool %c\n%a = and bool %d, %n\n%m = icmp.eq bool %x, %y\n%b = and bool %a, %m\n%r = or bool %c, %b\n%s = select i8 %b, %x, %z\n%t = select i8 %r, %s, %y\nret %t"},
	{"%n = not bool %c\n%m = icmp.eq bool %x, %y\n%q = icmp.ne bool %x, %y\n%a = and bool %n, %q\n%b = and bool %a, %d\n%s = select i8 %b, %x, %z\n%t = select i8 %m, %y, %s\n%r = select i8 %c, %z, %t\nret %r", "%m = icmp.eq bool %x, %y\n%0 = select i8 %d, %x, %z\n%1 = select i8 %m, %y, %0\n%r = select i8 %c, %z, %1\nret %r"},
	{"%a = and bool %c, %d\n%s = select i8 %a, %x, %y\n%t = select i8 %c, %s, %z\n%u = select i8 %a, %z, %y\n%r = xor i8 %t, %u\nret %r", "%a = and bool %c, %d\n%0 = select i8 %d, %x, %y\n%t = select i8 %c, %0, %z\n%u = select i8 %a, %z, %y\n%r = xor i8 %u, %t\nret %r"},
	{"%a = const i8 0\n%b = const i8 1\n%e = const i8 -1\n%s = select i8 %d, %b, %e\n%t = select i8 %c, %a, %s\n%r = icmp.sle bool %a, %t\nret %r", "%r = or bool %c, %d\nret %r"},
	{"%a = const i8 5\n%b = const i8 7\n%e = const i8 9\n%s = select i8 %d, %b, %e\n%t = select i8 %c, %a, %s\n%r = icmp.eq bool %t, %b\nret %r", "%0 = not bool %c\n%r = and bool %d, %0\nret %r"},
	{"%a = const i8 5\n%b = const i8 9\n%e = const i8 6\n%k = const i8 7\n%s = select i8 %d, %b, %e\n%t = select i8 %c, %a, %s\n%r = icmp.slt bool %t, %k\nret %r", "%0 = not bool %d\n%r = or bool %c, %0\nret %r"},
	{"%a = const i8 5\n%b = const i8 9\n%s = select i8 %d, %a, %b\n%r = icmp.slt bool %s, %b\n%q = zext i8 %r\n%t = add i8 %s, %q\nret %t", "%a = const i8 5\n%b = const i8 9\n%s = select i8 %d, %a, %b\n%r = icmp.slt bool %s, %b\n%q = zext i8 %r\n%t = add i8 %s, %q\nret %t"},
	{"%a = const i8 0\n%b = const i8 1\n%s = select i8 %d, %b, %x\n%t = icmp.slt bool %s, %a\nret %t", "%a = const i8 0\n%b = const i8 1\n%s = select i8 %d, %b, %x\n%t = icmp.slt bool %s, %a\nret %t"},
	// Minima and maxima.
	{"%a = const i8 127\n%r = smin i8 %x, %a\nret %r", "ret %x"},
	{"%a = const i8 -128\n%r = smin i8 %x, %a\nret %r", "%a = const i8 -128\nret %a"},
	{"%a = const i8 -128\n%r = smax i8 %a, %x\nret %r", "ret %x"},
	{"%a = const i8 127\n%r = smax i8 %x, %a\nret %r", "%a = const i8 127\nret %a"},
	{"%a = const i8 -1\n%r = umin i8 %x, %a\nret %r", "ret %x"},
	{"%a = const i8 0\n%r = umin i8 %x, %a\nret %r", "%a = const i8 0\nret %a"},
	{"%a = const i8 0\n%r = umax i8 %x, %a\nret %r", "ret %x"},
	{"%a = const i8 -1\n%r = umax i8 %x, %a\nret %r", "%a = const i8 -1\nret %a"},
	{"%r = umax i8 %x, %x\nret %r", "ret %x"},
	// Logic.
	{"%n = not bool %c\n%r = and bool %c, %n\nret %r", "%r = const bool false\nret %r"},
	{"%n = not bool %c\n%a = and bool %n, %d\n%r = or bool %c, %a\nret %r", "%r = or bool %c, %d\nret %r"},
	{"%n = not bool %d\n%a = and bool %c, %d\n%b = and bool %c, %n\n%r = or bool %a, %b\nret %r", "ret %c"},
	{"%a = and bool %c, %d\n%n = not bool %a\n%r = and bool %c, %n\nret %r", "%0 = not bool %d\n%r = and bool %c, %0\nret %r"},
	{"%l = icmp.slt bool %x, %y\n%r = not bool %l\nret %r", "%r = icmp.sle bool %y, %x\nret %r"},
	{"%l = fcmp.lt bool %f, %g\n%r = not bool %l\nret %r", "%l = fcmp.lt bool %f, %g\n%r = not bool %l\nret %r"},
	{"%l = fcmp.eq bool %f, %g\n%r = not bool %l\nret %r", "%r = fcmp.ne bool %f, %g\nret %r"},
	// Choice.
	{"%l = icmp.slt bool %x, %y\n%r = select i8 %l, %x, %y\nret %r", "%r = smin i8 %x, %y\nret %r"},
	{"%l = icmp.ule bool %x, %y\n%r = select i8 %l, %y, %x\nret %r", "%r = umax i8 %x, %y\nret %r"},
	{"%l = fcmp.lt bool %f, %g\n%r = select f32 %l, %f, %g\nret %r", "%l = fcmp.lt bool %f, %g\n%r = select f32 %l, %f, %g\nret %r"},
	{"%n = not bool %c\n%r = select i8 %n, %x, %y\nret %r", "%r = select i8 %c, %y, %x\nret %r"},
	{"%a = const i8 1\n%b = const i8 0\n%r = select i8 %c, %a, %b\nret %r", "%r = zext i8 %c\nret %r"},
	{"%t = const bool true\n%r = select bool %c, %t, %d\nret %r", "%r = or bool %c, %d\nret %r"},
	{"%s = select i8 %c, %x, %y\n%r = select i8 %c, %s, %z\nret %r", "%r = select i8 %c, %x, %z\nret %r"},
	{"%s = select i8 %d, %x, %y\n%r = select i8 %c, %s, %y\nret %r", "%0 = and bool %c, %d\n%r = select i8 %0, %x, %y\nret %r"},
	// Conversions.
	{"%w = zext i32 %x\n%r = trunc i16 %w\nret %r", "%r = zext i16 %x\nret %r"},
	{"%w = sext i64 %x\n%r = trunc i8 %w\nret %r", "ret %x"},
	{"%v = zext i32 %x\n%w = zext i32 %y\n%r = icmp.slt bool %v, %w\nret %r", "%r = icmp.ult bool %x, %y\nret %r"},
	{"%v = sext i32 %x\n%w = const i32 -3\n%r = icmp.ult bool %v, %w\nret %r", "%0 = const i8 -3\n%r = icmp.ult bool %x, %0\nret %r"},
	{"%v = zext i8 %c\n%w = const i8 0\n%r = icmp.ne bool %v, %w\nret %r", "ret %c"},
	// Floats.
	{"%w = fpext f64 %f\n%a = fabs f64 %w\n%r = fptrunc f32 %a\nret %r", "%r = fabs f32 %f\nret %r"},
	{"%v = fpext f64 %f\n%w = fpext f64 %g\n%a = fmul f64 %v, %w\n%r = fptrunc f32 %a\nret %r", "%r = fmul f32 %f, %g\nret %r"},
	{"%v = fpext f64 %f\n%w = fpext f64 %g\n%a = fdiv f64 %v, %w\n%r = fptrunc f32 %a\nret %r", "%v = fpext f64 %f\n%w = fpext f64 %g\n%a = fdiv f64 %v, %w\n%r = fptrunc f32 %a\nret %r"},
	{"%a = const f32 32768\n%r = fdiv f32 %f, %a\nret %r", "%0 = const f32 3.0517578e-05\n%r = fmul f32 %f, %0\nret %r"},
	{"%a = const f32 3\n%r = fdiv f32 %f, %a\nret %r", "%a = const f32 3\n%r = fdiv f32 %f, %a\nret %r"},
	{"%a = const f32 0\n%r = fadd f32 %f, %a\nret %r", "%a = const f32 0\n%r = fadd f32 %f, %a\nret %r"},
	{"%a = const f32 -0\n%r = fadd f32 %f, %a\nret %r", "ret %f"},
	// Remainders.
	{"%a = const i8 4\n%b = srem i8 %x, %a\n%z0 = const i8 0\n%r = icmp.eq bool %b, %z0\nret %r",
		"%z0 = const i8 0\n%0 = const i8 3\n%1 = and i8 %x, %0\n%r = icmp.eq bool %1, %z0\nret %r"},
	{"%a = const i8 4\n%b = srem i8 %x, %a\n%o = const i8 1\n%r = icmp.ne bool %b, %o\nret %r",
		"%o = const i8 1\n%0 = const i8 -125\n%1 = and i8 %x, %0\n%r = icmp.ne bool %1, %o\nret %r"},
	{"%a = const i8 4\n%b = srem i8 %x, %a\n%o = const i8 -3\n%r = icmp.eq bool %b, %o\nret %r",
		"%0 = const i8 -125\n%1 = and i8 %x, %0\n%2 = const i8 -127\n%r = icmp.eq bool %1, %2\nret %r"},
	{"%a = const i8 6\n%b = srem i8 %x, %a\n%z0 = const i8 0\n%r = icmp.eq bool %b, %z0\nret %r",
		"%a = const i8 6\n%b = srem i8 %x, %a\n%z0 = const i8 0\n%r = icmp.eq bool %b, %z0\nret %r"},
	{"%a = const i8 4\n%b = srem i8 %x, %a\n%o = const i8 5\n%r = icmp.eq bool %b, %o\nret %r",
		"%a = const i8 4\n%b = srem i8 %x, %a\n%o = const i8 5\n%r = icmp.eq bool %b, %o\nret %r"},
	// Values of f32 in f64.
	{"%w = fpext f64 %f\n%n = frint f64 %w\n%a = const f64 127\n%m = fmin f64 %n, %a\n%r = ftosi i32 %m\nret %r",
		"%0 = frint f32 %f\n%1 = const f32 127\n%2 = fmin f32 %0, %1\n%r = ftosi i32 %2\nret %r"},
	{"%w = fpext f64 %f\n%a = const f64 0.1\n%m = fmax f64 %w, %a\n%r = ftosi i32 %m\nret %r",
		"%w = fpext f64 %f\n%a = const f64 0.1\n%m = fmax f64 %w, %a\n%r = ftosi i32 %m\nret %r"},
	{"%w = fpext f64 %f\n%a = const f64 0.5\n%m = fadd f64 %w, %a\n%r = ftosi i32 %m\nret %r",
		"%w = fpext f64 %f\n%a = const f64 0.5\n%m = fadd f64 %w, %a\n%r = ftosi i32 %m\nret %r"},
	{"%w = fpext f64 %f\n%n = fneg f64 %w\n%a = const f64 3\n%l = fcmp.lt bool %n, %a\n%s = select f64 %l, %a, %n\n%r = ftosi i32 %s\nret %r",
		"%0 = fneg f32 %f\n%1 = const f32 3\n%2 = fcmp.lt bool %0, %1\n%3 = select f32 %2, %1, %0\n%r = ftosi i32 %3\nret %r"},
	{"%w = fpext f64 %f\n%v = fpext f64 %g\n%n = fabs f64 %w\n%l = fcmp.le bool %n, %v\n%b = and bool %l, %c\n%s = select f64 %b, %w, %v\n%r = ftosi i32 %s\nret %r",
		"%0 = fabs f32 %f\n%1 = fcmp.le bool %0, %g\n%2 = and bool %c, %1\n%3 = select f32 %2, %f, %g\n%r = ftosi i32 %3\nret %r"},
	{"%w = fpext f64 %f\n%n = fabs f64 %w\n%a = const f64 3\n%r = fcmp.lt bool %n, %a\nret %r",
		"%w = fpext f64 %f\n%n = fabs f64 %w\n%a = const f64 3\n%r = fcmp.lt bool %n, %a\nret %r"},
	{"%w = fpext f64 %f\n%i = sext i16 %x\n%j = sitof f64 %i\n%m = fmin f64 %w, %j\n%r = fptrunc f32 %m\nret %r",
		"%i = sext i16 %x\n%0 = sitof f32 %i\n%r = fmin f32 %f, %0\nret %r"},
	{"%w = fpext f64 %f\n%i = sext i32 %x\n%j = sitof f64 %i\n%m = fmin f64 %w, %j\n%r = fptrunc f32 %m\nret %r",
		"%w = fpext f64 %f\n%i = sext i32 %x\n%j = sitof f64 %i\n%m = fmin f64 %w, %j\n%r = fptrunc f32 %m\nret %r"},
	{"%w = fpext f64 %f\n%a = ffloor f64 %w\n%v = fpext f64 %g\n%s = fmul f64 %a, %v\n%r = fptrunc f32 %s\nret %r",
		"%0 = ffloor f32 %f\n%r = fmul f32 %g, %0\nret %r"},
	{"%r = fcmp.lt bool %h, %h\nret %r", "%r = fcmp.lt bool %h, %h\nret %r"},
	// Lanes that take a step where something holds.
	{"%v = broadcast i8x4 %x\n%w = broadcast i8x4 %y\n%a = const i8x4 1\n%b = add i8x4 %v, %a\n%l = icmp.slt maskx4 %v, %w\n%s = blend i8x4 %l, %b, %v\n%r = extract i8 %s, 1\nret %r",
		"%v = broadcast i8x4 %x\n%w = broadcast i8x4 %y\n%l = icmp.slt maskx4 %v, %w\n%0 = zext i8x4 %l\n%s = add i8x4 %v, %0\n%r = extract i8 %s, 1\nret %r"},
	{"%v = broadcast i8x4 %x\n%w = broadcast i8x4 %y\n%a = const i8x4 6\n%b = or i8x4 %v, %a\n%l = icmp.slt maskx4 %v, %w\n%s = blend i8x4 %l, %v, %b\n%r = extract i8 %s, 1\nret %r",
		"%v = broadcast i8x4 %x\n%w = broadcast i8x4 %y\n%a = const i8x4 6\n%0 = icmp.sle maskx4 %w, %v\n%1 = const i8x4 0\n%2 = blend i8x4 %0, %a, %1\n%s = or i8x4 %v, %2\n%r = extract i8 %s, 1\nret %r"},
	{"%v = broadcast i8x4 %x\n%w = broadcast i8x4 %y\n%a = const i8x4 6\n%b = and i8x4 %v, %a\n%l = icmp.slt maskx4 %v, %w\n%s = blend i8x4 %l, %b, %v\n%r = extract i8 %s, 1\nret %r",
		"%v = broadcast i8x4 %x\n%w = broadcast i8x4 %y\n%a = const i8x4 6\n%b = and i8x4 %v, %a\n%l = icmp.slt maskx4 %v, %w\n%s = blend i8x4 %l, %b, %v\n%r = extract i8 %s, 1\nret %r"},
	// Limits behind conversions.
	{"%v = sext i16 %x\n%u = sext i16 %y\n%s = mul i16 %v, %u\n%t = trunc i8 %s\n%o = const i16 0\n%k = const i16 255\n%e = const i8 -1\n%l = icmp.slt bool %k, %s\n%a = select i8 %l, %e, %t\n%n = icmp.slt bool %s, %o\n%z0 = const i8 0\n%r = select i8 %n, %z0, %a\nret %r",
		"%v = sext i16 %x\n%u = sext i16 %y\n%s = mul i16 %v, %u\n%o = const i16 0\n%k = const i16 255\n%0 = smin i16 %s, %k\n%1 = smax i16 %0, %o\n%r = trunc i8 %1\nret %r"},
	{"%v = sext i16 %x\n%u = sext i16 %y\n%s = mul i16 %v, %u\n%t = trunc i8 %s\n%k = const i16 128\n%e = const i8 127\n%l = icmp.sle bool %k, %s\n%r = select i8 %l, %e, %t\nret %r",
		"%v = sext i16 %x\n%u = sext i16 %y\n%s = mul i16 %v, %u\n%0 = const i16 127\n%1 = smin i16 %s, %0\n%r = trunc i8 %1\nret %r"},
	{"%v = sext i16 %x\n%u = sext i16 %y\n%s = mul i16 %v, %u\n%t = trunc i8 %s\n%k = const i16 -128\n%e = const i8 -128\n%l = icmp.sle bool %k, %s\n%r = select i8 %l, %t, %e\nret %r",
		"%v = sext i16 %x\n%u = sext i16 %y\n%s = mul i16 %v, %u\n%k = const i16 -128\n%0 = smax i16 %s, %k\n%r = trunc i8 %0\nret %r"},
	{"%v = sext i16 %x\n%u = sext i16 %y\n%s = mul i16 %v, %u\n%t = trunc i8 %s\n%k = const i16 200\n%e = const i8 200\n%l = icmp.ult bool %k, %s\n%r = select i8 %l, %e, %t\nret %r",
		"%v = sext i16 %x\n%u = sext i16 %y\n%s = mul i16 %v, %u\n%k = const i16 200\n%0 = umin i16 %s, %k\n%r = trunc i8 %0\nret %r"},
	{"%v = sext i16 %x\n%u = sext i16 %y\n%s = mul i16 %v, %u\n%t = trunc i8 %s\n%k = const i16 128\n%e = const i8 126\n%l = icmp.sle bool %k, %s\n%r = select i8 %l, %e, %t\nret %r",
		"%v = sext i16 %x\n%u = sext i16 %y\n%s = mul i16 %v, %u\n%t = trunc i8 %s\n%k = const i16 128\n%e = const i8 126\n%l = icmp.sle bool %k, %s\n%r = select i8 %l, %e, %t\nret %r"},
	{"%v = sext i16 %x\n%u = sext i16 %y\n%s = mul i16 %v, %u\n%t = trunc i8 %s\n%o = const i16 20\n%k = const i16 10\n%e = const i8 10\n%l = icmp.slt bool %k, %s\n%a = select i8 %l, %e, %t\n%n = icmp.slt bool %s, %o\n%z0 = const i8 20\n%r = select i8 %n, %z0, %a\nret %r",
		"%v = sext i16 %x\n%u = sext i16 %y\n%s = mul i16 %v, %u\n%o = const i16 20\n%k = const i16 10\n%0 = smin i16 %s, %k\n%a = trunc i8 %0\n%n = icmp.slt bool %s, %o\n%z0 = const i8 20\n%r = select i8 %n, %z0, %a\nret %r"},
	{"%v = sext i16 %x\n%u = sext i16 %y\n%s = mul i16 %v, %u\n%t = trunc i8 %s\n%k = const i16 -32768\n%e = const i8 -1\n%l = icmp.slt bool %s, %k\n%r = select i8 %l, %e, %t\nret %r",
		"%v = sext i16 %x\n%u = sext i16 %y\n%s = mul i16 %v, %u\n%t = trunc i8 %s\n%k = const i16 -32768\n%e = const i8 -1\n%l = icmp.slt bool %s, %k\n%r = select i8 %l, %e, %t\nret %r"},
	{"%o = const f32 0\n%k = const f32 255\n%i = ftosi i32 %f\n%t = trunc i8 %i\n%e = const i8 -1\n%l = fcmp.lt bool %k, %f\n%a = select i8 %l, %e, %t\n%n = fcmp.lt bool %f, %o\n%z0 = const i8 0\n%r = select i8 %n, %z0, %a\nret %r",
		"%o = const f32 0\n%k = const f32 255\n%l = fcmp.lt bool %k, %f\n%0 = select f32 %l, %k, %f\n%n = fcmp.lt bool %f, %o\n%1 = select f32 %n, %o, %0\n%2 = ftosi i32 %1\n%r = trunc i8 %2\nret %r"},
	{"%o = const f32 -7\n%i = ftosi i32 %f\n%e = const i32 -7\n%n = fcmp.le bool %o, %f\n%r = select i32 %n, %i, %e\nret %r",
		"%o = const f32 -7\n%n = fcmp.le bool %o, %f\n%0 = select f32 %n, %f, %o\n%r = ftosi i32 %0\nret %r"},
	{"%o = const f32 1.6777216e+07\n%i = ftosi i32 %f\n%e = const i32 16777217\n%n = fcmp.le bool %o, %f\n%r = select i32 %n, %e, %i\nret %r",
		"%o = const f32 1.6777216e+07\n%i = ftosi i32 %f\n%e = const i32 16777217\n%n = fcmp.le bool %o, %f\n%r = select i32 %n, %e, %i\nret %r"},
	// Sharing.
	{"%a = xor i8 %x, %y\n%b = xor i8 %y, %x\n%r = sub i8 %a, %b\nret %r", "%r = const i8 0\nret %r"},
}

func function(body string) string {
	t := "i8"
	last := body[strings.LastIndex(body, "ret %")+5:]
	for line := range strings.Lines(body) {
		if w := strings.Fields(line); w[0] == "%"+last {
			t = w[3]
		}
	}
	switch last {
	case "c", "d":
		t = "bool"
	case "f", "g":
		t = "f32"
	}
	return fmt.Sprintf("func @f(%%x i8, %%y i8, %%z i8, %%f f32, %%g f32, %%h f64, %%c bool, %%d bool) (%s) {\nentry:\n\t%s\n}\n",
		t, strings.ReplaceAll(body, "\n", "\n\t"))
}

func TestRules(t *testing.T) {
	for _, r := range rules {
		f, err := parse.Func(function(r.in))
		if err != nil {
			t.Fatalf("%s: %v", r.in, err)
		}
		before := f.Clone()
		simplify.Func(f, always)
		if err := verify.Func(f); err != nil {
			t.Errorf("%s:\n%v", r.in, err)
		}
		if want := function(r.out); f.String() != want {
			t.Errorf("%s\nbecame\n%s\nwant\n%s", r.in, f, want)
		}
		same(t, before, f)
	}
}

// same runs both functions on all pairs of bytes and corner cases of floats.
func same(t *testing.T, f, g *vir.Func) {
	t.Helper()
	floats := []float32{0, 1, -1.5, 1e-44, 3e38, -7, float32(math.NaN()), float32(math.Inf(-1)), 126.5, 1 << 31, float32(math.Copysign(0, -1))}
	for i := range 256 * 256 {
		if i > 2000 && i%37 != 0 {
			continue // all first operands with some second ones
		}
		x, y := uint64(i/256), uint64(i%256)
		fl := func(k int) interp.Value { return interp.Float32(floats[k%len(floats)]) }
		byte := func(x uint64) interp.Value { return interp.New(vir.Scalar(vir.I8), x) }
		bool := func(x uint64) interp.Value { return interp.New(vir.Scalar(vir.Bool), x&1) }
		args := []interp.Value{byte(x), byte(y), byte(x ^ y<<1), fl(i), fl(i / 11), interp.Float64(1), bool(x), bool(y)}
		a, err := interp.Run(f, new(interp.Memory), args)
		b, err2 := interp.Run(g, new(interp.Memory), args)
		if err != nil || err2 != nil || !interp.Refines(a[0], b[0]) {
			t.Fatalf("%v: %v (%v), was %v (%v)\n%s", args, b, err2, a, err, f)
		}
	}
}

// TestRandomFunctions simplifies random functions, scalar and vector, and runs
// them before and after.
func TestRandomFunctions(t *testing.T) {
	n, changed := 1500, 0
	for seed := range uint64(n) {
		k := gen.Scalar(gen.Seed(seed))
		if seed%2 == 1 {
			k = gen.Vector(gen.Seed(seed))
		}
		out, result, err := k.Run()
		text := k.Fn.String()
		simplify.Func(k.Fn, always)
		if err := verify.Func(k.Fn); err != nil {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, err, text, k.Fn)
		}
		if k.Fn.String() != text {
			changed++
		}
		if err != nil {
			_, _, after := k.Run()
			if fmt.Sprintf("%T", after) != fmt.Sprintf("%T", err) {
				t.Fatalf("seed %d: ends with %v, before with %v\n%s\n%s", seed, after, err, text, k.Fn)
			}
			continue
		}
		if err := k.Compare(out, result); err != nil {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, err, text, k.Fn)
		}
	}
	if changed < n/2 {
		t.Errorf("only %d of %d functions changed", changed, n)
	}
}

// TestCountStops checks that a limit leaves the function as it is.
func TestCountStops(t *testing.T) {
	text := function("%a = const i8 0\n%b = add i8 %x, %a\nret %b")
	f, err := parse.Func(text)
	if err != nil {
		t.Fatal(err)
	}
	simplify.Func(f, func() bool { return false })
	if f.String() != text {
		t.Errorf("changed to\n%s", f)
	}
}

// TestMemory checks which loads share a value and which do not.
func TestMemory(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"a load again", "%a = load i8 [%p]\n%b = load i8 [%p]\n%r = xor i8 %a, %b\nret %r", "const i8 0"},
		{"a store between to the same place", "%a = load i8 [%p]\nstore i8 %x, [%p]\n%b = load i8 [%p]\nret %b", "ret %x"},
		{"a store between to an unknown place", "%a = load i8 [%p]\nstore i8 %x, [%q]\n%b = load i8 [%p]\n%r = xor i8 %a, %b\nret %r", "xor i8"},
		{"a store under a mask", "store i8 %x, [%p] mask %c\n%b = load i8 [%p]\nret %b", "ret %b"},
		{"both under the mask", "store i8 %x, [%p] mask %c\n%b = load i8 [%p] mask %c\n%r = select i8 %c, %b, %x\nret %r", "ret %x"},
		{"a check again", "check.div %x\ncheck.div %x\nret %x", "entry:\n\tcheck.div %x\n\tret"},
		{"a check under a stronger mask", "check.div %x mask %c\n%m = and bool %c, %d\ncheck.div %x mask %m\nret %x", "entry:\n\tcheck.div %x mask %c\n\tret"},
		{"a check under a weaker mask", "%m = and bool %c, %d\ncheck.div %x mask %m\ncheck.div %x mask %c\nret %x", "check.div %x mask %c"},
	} {
		text := "func @f(%p ptr, %q ptr, %x i8, %c bool, %d bool) (i8) {\nentry:\n\t" + strings.ReplaceAll(tt.body, "\n", "\n\t") + "\n}\n"
		f, err := parse.Func(text)
		if err != nil {
			t.Fatal(err)
		}
		simplify.Func(f, always)
		if !strings.Contains(f.String(), tt.want) {
			t.Errorf("%s: no %q in\n%s", tt.name, tt.want, f)
		}
	}
}
