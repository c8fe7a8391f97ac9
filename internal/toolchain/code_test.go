package toolchain

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/internal/randloop"
	"github.com/lanewise/lanewise/vectorize/outline"
)

var (
	long  = flag.Bool("long", false, "everything: more kernels, all ways of building, longer runs")
	seed  = flag.Uint64("seed", 1, "seed of random kernels")
	loops = flag.Int("loops", 3, "number of random functions of each class")
)

// The code of examples, of random loops and of file tests of semantics, in the long run all of
// them, keeps to the rules for kernels, however much of it they share. It is assembled
// for programs that are linked dynamically: then register 15 is the assembler's, and the
// rest of the code is the same.
//
//	go test ./internal/toolchain -run Code -v -long -seed 7 -loops 500
func TestCodeKeepsToTheRules(t *testing.T) {
	files, err := filepath.Glob("../../examples/*/" + kernelFile)
	if err != nil || len(files) < 10 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	pkgs := []string{filepath.Join(common(t), "kinds"), filepath.Join(common(t), "small")}
	for _, level := range []outline.Level{outline.Merge, outline.Size} {
		if *long || level == outline.Size {
			pkgs = append(pkgs, sample(t, level)...)
		}
	}
	for _, p := range pkgs {
		files = append(files, filepath.Join(p, kernelFile))
	}
	kernels, instrs := 0, 0
	scratch := t.TempDir()
	for _, file := range files {
		all, err := Assemble(file, scratch, "-shared", "-dynlink")
		if err != nil {
			t.Error(err)
			continue
		}
		for _, w := range slices.Concat(Flow(all, pointersOf(t, file)), Undefined(all), Unlawful(all)) {
			t.Errorf("%s: %s", file, w)
		}
		for _, f := range all {
			kernels, instrs = kernels+1, instrs+len(f.Instrs)
		}
	}
	t.Logf("%d files, %d functions, %d instructions", len(files), kernels, instrs)
}

// sample makes packages of random functions of each class and of file tests of semantics.
func sample(t *testing.T, level outline.Level) (pkgs []string) {
	dir := t.TempDir()
	moduleIn(t, dir)
	for _, c := range randloop.Classes {
		pkg := filepath.Join(dir, c.Name)
		filetest.Write(t, filepath.Join(pkg, "f.go"), randloop.Source(c.Name, c.Functions(*seed, *loops)))
		pkgs = append(pkgs, pkg)
	}
	if *long {
		pkgs = append(pkgs, semantics(t, dir, "*")...)
	} else {
		pkgs = append(pkgs, semantics(t, dir, "zmm-*")...)
	}
	generateIn(t, level, pkgs...)
	if *long {
		mustRun(t, dir, nil, "go", "vet", "./...")
	}
	return pkgs
}

// semantics makes packages of the file tests of semantics that match, without the tests by hand.
func semantics(t *testing.T, dir, pattern string) (pkgs []string) {
	paths, err := filepath.Glob("../../testdata/semantics/" + pattern + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(a.Files, func(f txtar.File) bool { return strings.Contains(f.Name, "/") }) {
			continue // several packages, which have other paths here
		}
		pkg := filepath.Join(dir, strings.ReplaceAll(strings.TrimSuffix(filepath.Base(path), ".txtar"), "-", ""))
		for _, f := range a.Files {
			if !strings.HasSuffix(f.Name, "_test.go") {
				filetest.Write(t, filepath.Join(pkg, f.Name), string(f.Data))
			}
		}
		pkgs = append(pkgs, pkg)
	}
	return pkgs
}

// pointersOf reads the declarations beside a file with kernels.
func pointersOf(t *testing.T, file string) func(kernel, param string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), strings.TrimSuffix(file, ".s")+".go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pointer := make(map[string]bool) // and all other parameters
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body != nil {
			continue
		}
		for _, field := range fn.Type.Params.List {
			_, sel := field.Type.(*ast.SelectorExpr)
			for _, name := range field.Names {
				pointer[fn.Name.Name+" "+name.Name] = sel
			}
		}
		for _, field := range fn.Type.Results.List {
			for _, name := range field.Names {
				pointer[fn.Name.Name+" "+name.Name] = false
			}
		}
	}
	return func(kernel, param string) bool {
		is, known := pointer[kernel+" "+param]
		if !known {
			t.Errorf("%s: no parameter %s of %s", file, param, kernel)
		}
		return is
	}
}

var (
	codeSymbol = regexp.MustCompile(`^[0-9a-f]+ <(\S+)>:$`)
	codeLine   = regexp.MustCompile(`^\s*[0-9a-f]+:\t((?:[0-9a-f]{2} )+)\s*(\S.*)$`)
	codeAt     = regexp.MustCompile(`^\s*([0-9a-f]+):\t`)
	tooWide    = regexp.MustCompile(`[xyz]mm(1[6-9]|2[0-9]|3[01])\b|\(bad\)`)
	maskText   = regexp.MustCompile(`%k[0-7]`)
	levelTest  = regexp.MustCompile(`cmpb .*runtime/cpu\.(AVX512|Fast512)>`)
	wideJump   = regexp.MustCompile(`^jne +([0-9a-f]+)`)
)

// Another disassembler finds the same in a program: no instruction that AVX2 does not have,
// but where a test of the level leads to.
func TestCodeDisassembled(t *testing.T) {
	needs(t, "objdump")
	dir := common(t)
	mustRun(t, dir, nil, "go", "build", "-o", "same.exe", "./same")
	names := make(map[string]bool) // of symbols, and whether they were seen
	for _, pkg := range []string{"kinds", "small"} {
		all, err := Assemble(filepath.Join(dir, pkg, kernelFile), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			if f.Local {
				names[f.Name] = false
			} else {
				names["example.com/m/"+pkg+"."+f.Name+".abi0"] = false
			}
		}
	}
	in, tested, from := "", false, uint64(math.MaxUint64) // where code for AVX-512 begins
	wide := 0
	for line := range strings.Lines(mustRun(t, dir, nil, "objdump", "-d", "--section=.text", "same.exe")) {
		line = strings.TrimRight(line, "\n")
		if m := codeSymbol.FindStringSubmatch(line); m != nil {
			in, from = m[1], math.MaxUint64
			if _, ok := names[in]; ok {
				names[in] = true
			}
			continue
		}
		m := codeLine.FindStringSubmatch(line)
		if !names[in] || m == nil {
			continue
		}
		if jump := wideJump.FindStringSubmatch(m[2]); tested && jump != nil {
			to, _ := strconv.ParseUint(jump[1], 16, 64)
			from = min(from, to)
		}
		tested = levelTest.MatchString(m[2])
		at, _ := strconv.ParseUint(codeAt.FindStringSubmatch(line)[1], 16, 64)
		evex := strings.HasPrefix(m[1], "62 ") || maskText.MatchString(m[2])
		other := evex || tooWide.MatchString(m[2])
		if other && at >= from {
			wide++
			other = strings.Contains(m[2], "(bad)")
		}
		legacy := strings.Contains(m[2], "mm") && !strings.HasPrefix(m[2], "v") && !strings.HasPrefix(m[2], "{vex}")
		if other || legacy {
			t.Errorf("%s: %s", in, line)
		}
	}
	if wide == 0 {
		t.Error("no code for AVX-512")
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !names[name] {
			t.Errorf("%s is not in the program", name)
		}
	}
}

// forWide leads to code for AVX-512 and nothing else.
const forWide = "CMPB github·com∕lanewise∕lanewise∕runtime∕cpu·AVX512(SB), $0\n JNE wide\n RET\nwide:\n "

// TestRulesAreSeen breaks each rule in a kernel of its own.
func TestRulesAreSeen(t *testing.T) {
	tests := []struct{ name, code, want string }{
		{"clean", "VADDPS (AX), Y1, Y1\n VMOVUPS Y1, (AX)\n VZEROUPPER", ""},
		{"EVEX", "VPSRAVQ Y0, Y1, Y2\n VZEROUPPER", "EVEX encoding"},
		{"EVEX behind a test", forWide + "VPSRAVQ Y1, Y1, Y0\n VZEROUPPER", ""},
		{"EVEX in front of it", "CMPB github·com∕lanewise∕lanewise∕runtime∕cpu·AVX512(SB), $0\n JNE wide\n VPSRAVQ Y1, Y1, Y0\n VZEROUPPER\n RET\nwide:\n", "EVEX encoding"},
		{"EVEX behind no test", "CMPB github·com∕lanewise∕lanewise∕runtime∕cpu·AVX2(SB), $0\n JNE wide\n RET\nwide:\n VPSRAVQ Y1, Y1, Y0\n VZEROUPPER", "EVEX encoding"},
		{"for two kinds of processors", "CMPB github·com∕lanewise∕lanewise∕runtime∕cpu·Fast512(SB), $0\n JNE fast\n " + forWide + "VPSRAVQ Y1, Y1, Y0\n VZEROUPPER\n RET\nfast:\n VPSRAVQ Y1, Y1, Y0\n VZEROUPPER", ""},
		{"another way between tests", "CMPB github·com∕lanewise∕lanewise∕runtime∕cpu·Fast512(SB), $0\n JNE wide\n DECQ CX\n JLT wide\n " + forWide + "VPSRAVQ Y1, Y1, Y0\n VZEROUPPER", "without a test"},
		{"two ways to EVEX", "CMPB github·com∕lanewise∕lanewise∕runtime∕cpu·AVX512(SB), $0\n JNE wide\n JMP wide\nwide:\n VPSRAVQ Y1, Y1, Y0\n VZEROUPPER", "without a test"},
		{"512 bits at AVX2", "l:\n VADDPS Z1, Z1, Z1\n DECQ CX\n JNE l\n VZEROUPPER", "EVEX encoding"},
		{"512 bits in a loop", forWide + "VADDPS Z1, Z1, Z1\nl:\n VADDPS Z1, Z1, Z1\n DECQ CX\n JNE l\n VADDPS Z1, Z1, Z1\n VZEROUPPER", ""},
		{"512 bits without a loop", forWide + "VADDPS Z1, Z1, Z1\n VZEROUPPER", "without a loop"},
		{"512 bits on the way around a loop", forWide + "VADDPS Z1, Z1, Z1\n CMPQ CX, DX\n JLT out\nl:\n DECQ CX\n JNE l\nout:\n VZEROUPPER", "without a loop"},
		{"512 bits in a turn in front of a loop", forWide + "VMOVUPS (AX), Z1\n CMPQ CX, DX\n JLT out\nl:\n VADDPS 64(AX), Z1, Z1\n DECQ CX\n JNE l\nout:\n VADDPS Z1, Z1, Z1\n VZEROUPPER", ""},
		{"512 bits in a turn in front of a loop that begins behind its head", forWide + "VMOVUPS (AX), Z1\n CMPQ CX, DX\n JLT other\n JMP in\nother:\n INCQ CX\n JMP out\nl:\n INCQ BX\nin:\n VADDPS 64(AX), Z1, Z1\n DECQ CX\n JNE l\nout:\n VADDPS Z1, Z1, Z1\n VZEROUPPER", ""},
		{"512 bits in half a turn", forWide + "VMOVUPS (AX), Z1\n CMPQ CX, DX\n JLT out\nl:\n VADDPS 64(AX), Z1, Z1\n VADDPS 128(AX), Z1, Z1\n DECQ CX\n JNE l\nout:\n VZEROUPPER", "without a loop"},
		{"512 bits beside loads of 256", forWide + "VMOVUPS (AX), Y1\n VADDPS Z1, Z1, Z2\n CMPQ CX, DX\n JLT out\nl:\n VADDPS 64(AX), Y1, Y1\n VADDPS Z1, Z1, Z2\n DECQ CX\n JNE l\nout:\n VADDPS Z2, Z2, Z2\n VZEROUPPER", ""},
		{"512 bits beside half as many loads of 256", forWide + "VMOVUPS (AX), Y1\n VADDPS Z1, Z1, Z2\n CMPQ CX, DX\n JLT out\nl:\n VADDPS 64(AX), Y1, Y1\n VADDPS 96(AX), Y1, Y1\n VADDPS Z1, Z1, Z2\n DECQ CX\n JNE l\nout:\n VZEROUPPER", "without a loop"},
		{"512 bits left in use", forWide + "l:\n VADDPS Z1, Z1, Z1\n DECQ CX\n JNE l", "upper halves"},
		{"512 bits, high register", forWide + "l:\n VADDPS Z17, Z1, Z17\n DECQ CX\n JNE l\n VZEROUPPER", "register X17 may hold anything"},
		{"512 bits, high register that is written", forWide + "VMOVUPS Y1, Y17\nl:\n VADDPS Z17, Z1, Z17\n DECQ CX\n JNE l\n VZEROUPPER", ""},
		{"high register behind a test", forWide + "VADDPS X1, X1, X17", ""},
		{"mask register", "KMOVW K1, CX", "register that AVX2 does not have"},
		{"high register", "VADDPS X1, X1, X17", "EVEX encoding"},
		{"half precision", "VCVTPH2PS X1, X2", "not known to be in"},
		{"legacy", "MOVQ X1, CX", "legacy SSE"},
		{"no VZEROUPPER", "VADDPS Y0, Y1, Y1", "upper halves"},
		{"one way without", "CMPQ CX, $1\n JEQ out\n VADDPS Y0, Y1, Y1\nout:", "upper halves"},
		{"on the way to a loop", "VADDPS Y0, Y1, Y1\n VZEROUPPER\nl:\n VADDPS Y0, Y1, Y1\n DECQ CX\n JNE l", "upper halves"},
		{"in a routine", "CALL wide<>(SB)", "upper halves"},
		{"behind a routine", "CALL wide<>(SB)\n VZEROUPPER", ""},
		{"stored", "MOVQ AX, (BX)", "keeps an address"},
		{"sum stored", "LEAQ 8(AX)(CX*4), DX\n MOVQ DX, 8(BX)", "keeps an address"},
		{"by routine", "CALL add<>(SB)\n MOVQ DX, 8(BX)", "keeps an address"},
		{"by frame", "MOVQ AX, 8(SP)\n MOVQ 8(SP), R9\n MOVQ R9, 8(BX)", "keeps an address"},
		{"in a vector", "VMOVQ AX, X3\n VPBROADCASTQ X3, Y3\n VMOVDQU Y3, (BX)\n VZEROUPPER", "keeps an address"},
		{"on one way", "CMPQ CX, $1\n JEQ out\n MOVQ AX, CX\nout:\n MOVQ CX, (BX)", "keeps an address"},
		{"returned", "MOVQ AX, r0+16(FP)", "keeps an address"},
		{"overwritten", "MOVQ AX, CX\n MOVQ $1, CX\n MOVQ CX, (BX)", ""},
		{"distance", "SUBQ BX, AX\n MOVQ AX, r0+16(FP)", ""},
		{"product", "MOVQ AX, DX\n MOVQ CX, AX\n IMULQ CX\n MOVQ DX, (BX)", ""},
		{"element", "MOVQ (AX), CX\n MOVQ CX, (BX)", ""},
		{"register 15", "XORL R15, R15", "register of the assembler"},
		{"undefined", "ADDQ CX, R8", "register R8 may hold anything"},
		{"undefined stored", "VMOVUPS X2, (AX)", "register X2 may hold anything"},
		{"undefined address", "VMOVUPS X1, (AX)(SI*8)", "register SI may hold anything"},
		{"defined on one way", "CMPQ CX, DX\n JLT out\n VADDPS X1, X1, X2\nout:\n VADDPS X2, X1, X1", "register X2 may hold anything"},
		{"defined by a copy of nothing", "VMOVAPS X2, X3\n VADDPS X3, X1, X1", "register X3 may hold anything"},
		{"undefined factor", "MOVQ CX, AX\n IMULQ R8", "register R8 may hold anything"},
		{"undefined under a mask", forWide + "VADDPS X1, X1, K1, X2", "register X2 may hold anything"},
		{"undefined function of bits", forWide + "VPTERNLOGD $150, X1, X1, X2", "register X2 may hold anything"},
		{"chosen bits", forWide + "VPTERNLOGD $202, X2, X1, X1", ""},
		{"chosen by bits of nothing", forWide + "VPTERNLOGD $202, X1, X1, X2", "register X2 may hold anything"},
		{"chosen by the second or third", forWide + "VPTERNLOGD $226, X3, X1, X2\n VPTERNLOGD $216, X1, X5, X4", ""},
		{"chosen by a second of nothing", forWide + "VPTERNLOGD $184, X1, X2, X1", "register X2 may hold anything"},
		{"chosen by a third of nothing", forWide + "VPTERNLOGD $228, X2, X1, X1", "register X2 may hold anything"},
		{"chosen", "VBLENDVPS X1, X0, X2, X1\n VPAND X5, X0, X0\n VXORPS X4, X4, X4\n MOVQ CX, AX\n CQO\n IMULQ DX", ""},
		{"other calls", "CALL ·other(SB)", "no routine"},
		{"flags", "CMPQ CX, DX\n MOVQ DX, R8\n SETLT R8\n JLT out\n JEQ out\n VPTEST X1, X1\n JNE out\nout:", ""},
		{"flags behind a jump", "CMPQ CX, DX\n JLT out\n SETEQ R8\nout:", "flags of no comparison"},
		{"flags on two ways", "CMPQ CX, DX\n JLT out\n CMPQ DX, CX\nout:\n JEQ end\nend:", "flags of no comparison"},
		{"flags of nothing", "CMPQ CX, DX\n IMULQ CX, DX\n CMOVQLT CX, DX", "flags of no comparison"},
		{"flags of a zero", "CMPQ CX, DX\n XORL R8, R8\n CMOVQLT CX, R8", "flags of no comparison"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all, err := Assemble(broken(t, tt.code), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			pointers := func(_, param string) bool { return param == "p" || param == "q" }
			wrong := slices.Concat(Flow(all, pointers), Undefined(all), Unlawful(all))
			slices.Sort(wrong)
			wrong = slices.Compact(wrong)
			got := strings.Join(wrong, "\n")
			if len(wrong) > 1 || !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Register 15 is refused by the assembler itself where a program is linked dynamically
// and the kernel has used a global variable that other modules see.
func TestDynamicLinkingNeedsRegister15(t *testing.T) {
	file := broken(t, "MOVQ ·global(SB), CX\n MOVQ R15, DX")
	if _, err := Assemble(file, t.TempDir(), "-shared", "-dynlink"); err == nil || !strings.Contains(err.Error(), "R15 is clobbered") {
		t.Errorf("got %v, want an error of the assembler", err)
	}
}

// broken is a file with a kernel.
func broken(t *testing.T, code string) string {
	const text = `#include "textflag.h"
TEXT wide<>(SB), NOSPLIT|NOFRAME, $0-0
	VADDPS Y0, Y1, Y1
	RET
TEXT add<>(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ 8(AX), DX
	RET
TEXT ·kernel(SB), NOSPLIT, $16-24
	MOVQ p+0(FP), AX
	MOVQ q+8(FP), BX
	MOVQ n+16(FP), CX
	MOVQ n+16(FP), DX
	VXORPS X0, X0, X0
	VXORPS X1, X1, X1
	%s
	RET
`
	file := filepath.Join(t.TempDir(), "k.s")
	filetest.Write(t, file, fmt.Sprintf(text, code))
	return file
}

func TestListingErrors(t *testing.T) {
	if _, err := Assemble(broken(t, "NOTHING"), t.TempDir()); err == nil {
		t.Error("no error for what does not assemble")
	}
	if _, err := parseListing("kernels.f STEXT size=1\n\t0x0001 00001 (f.s:1)\tRET\n\t0x0000 c3  .\n"); err != nil {
		t.Error(err)
	}
	if _, err := parseListing("kernels.f STEXT size=1\n\t0x0002 00002 (f.s:1)\tRET\n\t0x0000 c3  .\n"); err == nil {
		t.Error("no error for an instruction without bytes")
	}
}
