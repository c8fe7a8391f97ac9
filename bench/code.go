package main

import (
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

// generated is the code of a package that lanewise made: the text of each
// function and of each constant of the assembly, by name, without comments.
type generated struct {
	text      map[string]string
	constants map[string]bool
}

// readGenerated reads what was generated in a folder. There may be no assembly.
func readGenerated(dir string) (*generated, error) {
	g := &generated{map[string]string{}, map[string]bool{}}
	if err := g.readGo(filepath.Join(dir, "vec_amd64.go")); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "vec_amd64.s"))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	g.readAssembly(string(text))
	return g, nil
}

func (g *generated) readGo(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, 0)
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			g.add(f.Name.Name, string(text[fset.Position(f.Pos()).Offset:fset.Position(f.End()).Offset]))
		}
	}
	return nil
}

var (
	commentLine = regexp.MustCompile(`(?m)^[ \t]*//.*\n?`)
	symbolLine  = regexp.MustCompile(`^(TEXT|DATA|GLOBL)\s+·?(\w+)`)
	word        = regexp.MustCompile(`\w+`)
)

func (g *generated) readAssembly(text string) {
	var name string
	for line := range strings.Lines(text) {
		if m := symbolLine.FindStringSubmatch(line); m != nil {
			name = m[2]
			g.constants[name] = m[1] != "TEXT"
		}
		if name != "" {
			g.add(name, line)
		}
	}
}

// add adds text to that of a name: kernels are declared in Go and have their
// body in assembly, constants have several lines.
func (g *generated) add(name, text string) {
	g.text[name] += commentLine.ReplaceAllString(text, "")
}

// of is the code of a function and of all that it names, "" when there is no such
// function. Constants, which are counted through a file, are counted from here.
func (g *generated) of(function string) string {
	names := []string{function}
	var all strings.Builder
	for i := 0; i < len(names); i++ {
		all.WriteString(word.ReplaceAllStringFunc(g.text[names[i]], func(w string) string {
			if g.text[w] == "" {
				return w
			}
			at := slices.Index(names, w)
			if at < 0 {
				at, names = len(names), append(names, w)
			}
			if g.constants[w] {
				return "constant" + strconv.Itoa(at)
			}
			return w
		}))
	}
	return all.String()
}
