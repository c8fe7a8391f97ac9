package main

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A build is a program that uses all twins of some examples, in a copy of them.
type build struct {
	dir   string
	names []string // of the examples

	kernels []kernelsOf // of the examples
	text    int         // bytes of machine code of the program
}

// kernelsOf are the kernels of an example.
type kernelsOf struct {
	number  int // of kernels
	bytes   int // of kernels and routines
	padding int // bytes of them that align loops
	saved   int // bytes, as the tool estimated
}

const examplesPath = "github.com/lanewise/lanewise/examples/"

// make generates the examples at a level, builds the program and measures it.
func (b *build) make(tool, level string) error {
	if err := copyExamples(b.dir); err != nil {
		return err
	}
	var paths []string
	for _, name := range b.names {
		paths = append(paths, "./examples/"+name)
	}
	remarks, err := generateAt(tool, b.dir, level, paths...)
	if err != nil {
		return err
	}
	saved, err := savings(remarks)
	if err != nil {
		return err
	}
	exe, err := b.link()
	if err != nil {
		return err
	}
	f, err := elf.Open(exe)
	if err != nil {
		return err
	}
	defer f.Close()
	symbols, err := functions(f)
	if err != nil {
		return err
	}
	b.text = int(f.Section(".text").Size)
	for _, name := range b.names {
		k, err := b.measure(name, symbols)
		if err != nil {
			return err
		}
		k.saved = saved[name]
		b.kernels = append(b.kernels, k)
	}
	return nil
}

// measure adds up the functions of an example.
func (b *build) measure(name string, symbols map[string]int) (k kernelsOf, err error) {
	file := filepath.Join(b.dir, "examples", name, "vec_amd64.s")
	assembly, err := os.ReadFile(file)
	if err != nil {
		return k, err
	}
	for _, f := range assemblyFunctions(assembly) {
		size, ok := symbols[f.in(examplesPath+name)]
		if !ok {
			return k, fmt.Errorf("no symbol of %s in %s", f.name, name)
		}
		k.bytes += size
		if !f.local {
			k.number++
		}
	}
	root, err := command(b.dir, "go", "env", "GOROOT")
	if err != nil {
		return k, err
	}
	include := filepath.Join(strings.TrimSpace(string(root)), "pkg", "include")
	listing, err := command(b.dir, "env", "GOARCH=amd64", "go", "tool", "asm", "-p", name, "-I", include, "-S", "-o", filepath.Join(b.dir, "listed.o"), file)
	k.padding = paddingIn(listing)
	return k, err
}

// listedAt is the place and the name of an instruction in the assembler's listing.
var listedAt = regexp.MustCompile(`(?m)^\t0x[0-9a-f]+ ([0-9]+) \(.*\)\t(\S+)`)

// paddingIn are the bytes in front of aligned instructions in a listing.
func paddingIn(listing []byte) (bytes int) {
	from := -1
	for _, m := range listedAt.FindAllSubmatch(listing, -1) {
		at, _ := strconv.Atoi(string(m[1]))
		if from >= 0 {
			bytes, from = bytes+at-from, -1
		}
		if string(m[2]) == "PCALIGN" {
			from = at
		}
	}
	return bytes
}

// savings are the bytes that remarks on outlining say are saved, by package.
func savings(remarks []byte) (map[string]int, error) {
	bytesOf := make(map[string]int)
	d := json.NewDecoder(bytes.NewReader(remarks))
	for d.More() {
		var r struct {
			ID, File string
			Args     json.RawMessage
		}
		if err := d.Decode(&r); err != nil {
			return nil, fmt.Errorf("remarks: %w", err)
		}
		if !strings.HasPrefix(r.ID, "outline:") {
			continue
		}
		var args struct{ Bytes int }
		if err := json.Unmarshal(r.Args, &args); err != nil {
			return nil, fmt.Errorf("arguments of %s: %w", r.ID, err)
		}
		bytesOf[filepath.Base(filepath.Dir(r.File))] += args.Bytes
	}
	return bytesOf, nil
}

// link builds a program with all twins.
func (b *build) link() (exe string, err error) {
	var imports, uses strings.Builder
	for _, name := range b.names {
		if err := keepTwins(filepath.Join(b.dir, "examples", name)); err != nil {
			return "", err
		}
		fmt.Fprintf(&imports, "\t%s %q\n", "x"+name, examplesPath+name)
		fmt.Fprintf(&uses, "\tfmt.Println(len(x%s.KeepTwins))\n", name)
	}
	text := "package main\n\nimport (\n\t\"fmt\"\n\n" + imports.String() + ")\n\nfunc main() {\n" + uses.String() + "}\n"
	folder := filepath.Join(b.dir, "program")
	if err := os.Mkdir(folder, 0o777); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(text), 0o666); err != nil {
		return "", err
	}
	exe = filepath.Join(b.dir, "program.exe")
	_, err = command(b.dir, "env", "GOOS=linux", "GOARCH=amd64", "go", "build", "-trimpath", "-ldflags=-w", "-o", exe, "./program")
	return exe, err
}

// keepTwins adds a file to a package that has all its twins in a variable. Packages
// may have something of their own named any.
func keepTwins(folder string) error {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, "vec_amd64.go"), nil, 0)
	if err != nil {
		return err
	}
	text := "package " + file.Name.Name + "\n\nvar KeepTwins = []interface{}{\n"
	for _, name := range twinsIn(file) {
		text += "\t" + name + ",\n"
	}
	return os.WriteFile(filepath.Join(folder, "keep_amd64.go"), []byte(text+"}\n"), 0o666)
}

// twinsIn are the functions of a file with their bodies, those with receivers as
// method expressions.
func twinsIn(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || f.Type.TypeParams != nil {
			continue
		}
		name := f.Name.Name
		if f.Recv != nil {
			switch t := f.Recv.List[0].Type.(type) {
			case *ast.Ident:
				name = t.Name + "." + name
			case *ast.StarExpr:
				name = "(*" + t.X.(*ast.Ident).Name + ")." + name
			default:
				continue
			}
		}
		names = append(names, name)
	}
	return names
}

// An asmFunc is a function in assembly.
type asmFunc struct {
	name  string
	local bool // a routine that only functions of its file know
}

var textDirective = regexp.MustCompile(`(?m)^TEXT (·?)(\w+)(<>)?\(SB\)`)

// assemblyFunctions lists the functions of a file.
func assemblyFunctions(text []byte) (all []asmFunc) {
	for _, m := range textDirective.FindAllSubmatch(text, -1) {
		all = append(all, asmFunc{name: string(m[2]), local: len(m[3]) > 0})
	}
	return all
}

// in is the key of f, of a package, in the sizes of functions.
func (f asmFunc) in(pkg string) string {
	if f.local {
		return pkg + "." + f.name + "<>"
	}
	return pkg + "." + f.name + ".abi0"
}

// functions are the sizes of functions of a program by name. Routines, whose symbols
// do not say where they belong, have the package of what follows them.
func functions(f *elf.File) (map[string]int, error) {
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	symbols = slices.DeleteFunc(symbols, func(s elf.Symbol) bool { return elf.ST_TYPE(s.Info) != elf.STT_FUNC })
	slices.SortStableFunc(symbols, func(a, b elf.Symbol) int { return cmp.Compare(a.Value, b.Value) })
	sizes := make(map[string]int)
	pkg := ""
	for _, s := range slices.Backward(symbols) {
		name := s.Name
		if elf.ST_BIND(s.Info) == elf.STB_LOCAL && !strings.ContainsAny(name, "./") {
			name = pkg + "." + name + "<>"
		} else {
			pkg = packageOf(name)
		}
		sizes[name] += int(s.Size)
	}
	return sizes, nil
}

// packageOf is the import path in the name of a symbol.
func packageOf(symbol string) string {
	slash := strings.LastIndexByte(symbol, '/') + 1
	name, _, _ := strings.Cut(symbol[slash:], ".")
	return symbol[:slash] + name
}
