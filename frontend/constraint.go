package frontend

import (
	"go/ast"
	"go/build/constraint"
	"path/filepath"
	"strings"
)

var knownOS = words(`aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd
	openbsd plan9 solaris wasip1 windows zos`)

var knownArch = words(`386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le
	mips64p32 mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm`)

var unixOS = words(`aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris`)

func words(s string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// buildConstraints are the //go:build lines of a file and what its name says.
func buildConstraints(name string, f *ast.File) (xs []constraint.Expr) {
	for _, g := range f.Comments {
		if g.Pos() > f.Package {
			break
		}
		for _, c := range g.List {
			if constraint.IsGoBuild(c.Text) {
				if x, err := constraint.Parse(c.Text); err == nil {
					xs = append(xs, x)
				}
			}
		}
	}
	base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".go"), "_test")
	parts := strings.Split(base, "_")[1:]
	n := len(parts)
	if n >= 1 && (knownArch[parts[n-1]] || knownOS[parts[n-1]]) {
		xs = append(xs, &constraint.TagExpr{Tag: parts[n-1]})
		if n >= 2 && knownArch[parts[n-1]] && knownOS[parts[n-2]] {
			xs = append(xs, &constraint.TagExpr{Tag: parts[n-2]})
		}
	}
	return xs
}

// impliedByAMD64 reports whether every amd64 build has the file.
func impliedByAMD64(name string, f *ast.File) bool {
	for _, x := range buildConstraints(name, f) {
		if !holdsEverywhere(x, "amd64", nil) {
			return false
		}
	}
	return true
}

// withoutKernels are tags of builds that have no kernels, or no user's code.
var withoutKernels = words(`purego race msan asan compiler_bootstrap cmd_go_bootstrap`)

// impliedByKernels reports whether every build that has kernels has the file.
func impliedByKernels(name string, f *ast.File) bool {
	for _, x := range buildConstraints(name, f) {
		if !holdsEverywhere(x, "amd64", withoutKernels) {
			return false
		}
	}
	return true
}

// everyArch reports whether builds for all architectures have the file, given
// that amd64 builds do.
func everyArch(name string, f *ast.File) bool {
	for _, x := range buildConstraints(name, f) {
		for arch := range knownArch {
			if !holdsEverywhere(x, arch, nil) {
				return false
			}
		}
	}
	return true
}

func hasConstraintTag(f *ast.File, tag string) bool {
	for _, x := range buildConstraints("", f) {
		if tags(x)[tag] {
			return true
		}
	}
	return false
}

func tags(x constraint.Expr) map[string]bool {
	m := make(map[string]bool)
	x.Eval(func(tag string) bool { m[tag] = true; return true })
	x.Eval(func(tag string) bool { m[tag] = true; return false })
	var walk func(constraint.Expr)
	walk = func(x constraint.Expr) {
		switch x := x.(type) {
		case *constraint.TagExpr:
			m[x.Tag] = true
		case *constraint.NotExpr:
			walk(x.X)
		case *constraint.AndExpr:
			walk(x.X)
			walk(x.Y)
		case *constraint.OrExpr:
			walk(x.X)
			walk(x.Y)
		}
	}
	walk(x)
	return m
}

// holdsEverywhere tries all operating systems and all values of other tags but those that
// are off.
func holdsEverywhere(x constraint.Expr, arch string, off map[string]bool) bool {
	var free []string
	systems := []string{"someother"}
	for tag := range tags(x) {
		switch {
		case off[tag], knownArch[tag], tag == "gc", tag == "unix", strings.HasPrefix(tag, "go1."):
		case knownOS[tag]:
			systems = append(systems, tag)
		default:
			free = append(free, tag)
		}
	}
	if tags(x)["unix"] {
		systems = append(systems, "freebsd")
	}
	if len(free) > 12 {
		return false
	}
	for _, system := range systems {
		for set := range 1 << len(free) {
			on := func(tag string) bool {
				switch {
				case off[tag]:
					return false
				case knownArch[tag]:
					return tag == arch
				case tag == "unix":
					return unixOS[system]
				case tag == "gc", strings.HasPrefix(tag, "go1."):
					return true
				case knownOS[tag]:
					return tag == system
				}
				for i, f := range free {
					if f == tag {
						return set>>i&1 != 0
					}
				}
				return false
			}
			if !x.Eval(on) {
				return false
			}
		}
	}
	return true
}
