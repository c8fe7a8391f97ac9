package mathlib

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/format"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// An origin is what a function of math is made of, where its bits are decided: declarations
// of package math and assembly files.
type origin struct {
	decls []string
	files []string
	sum   string // of their text, without comments
	// compiled is whether the compiler has products and sums to fuse, in what is not assembly.
	compiled bool
}

// origins by the name of the function. A function whose text is another one, in a later
// version of Go, is not known to give the same bits.
var origins = map[string]origin{
	"Exp":    {[]string{"Exp", "useFMA", "haveArchExp"}, []string{"exp_amd64.s"}, "f4a656fc84effaec", false},
	"Log":    {[]string{"Log", "haveArchLog"}, []string{"log_amd64.s"}, "f6f17939f07fce21", false},
	"Hypot":  {[]string{"Hypot", "haveArchHypot"}, []string{"hypot_amd64.s"}, "0820b54efec68ee2", false},
	"Exp2":   {[]string{"Exp2", "exp2", "expmulti", "Ldexp", "ldexp", "haveArchExp2"}, nil, "25a093998feec934", true},
	"Sin":    {[]string{"Sin", "sin", "_sin", "_cos", "reduceThreshold", "haveArchSin"}, nil, "5f51b45b08817867", true},
	"Cos":    {[]string{"Cos", "cos", "_sin", "_cos", "reduceThreshold", "haveArchCos"}, nil, "bdb2a6c7a128d1b8", true},
	"Tan":    {[]string{"Tan", "tan", "_tanP", "_tanQ", "reduceThreshold", "haveArchTan"}, nil, "f5262108d675a814", true},
	"Tanh":   {[]string{"Tanh", "tanh", "tanhP", "tanhQ", "haveArchTanh"}, nil, "8a2eb41b41ee1956", true},
	"Sincos": {[]string{"Sincos", "_sin", "_cos", "reduceThreshold"}, nil, "c9961f0fcdbcf847", true},
	"Pow":    {[]string{"Pow", "pow", "Modf", "Frexp", "frexp", "Ldexp", "ldexp", "Exp", "Log", "haveArchPow", "haveArchExp", "haveArchLog"}, []string{"exp_amd64.s", "log_amd64.s"}, "8b0934d4ba2e4ed0", true},
	"Cbrt":   {[]string{"Cbrt", "cbrt", "haveArchCbrt"}, nil, "1a1eece8a103974f", true},
	"Erf":    {[]string{"Erf", "erf", "erx", "haveArchErf"}, nil, "c6dabcec1633d713", true},
}

// Compiled reports whether the bits of a function depend on how the compiler takes its source:
// it fuses products and sums for GOAMD64=v3.
func Compiled(name string) bool { return origins[name].compiled }

// Known reports whether package math, of the given files, has the function as it is here.
// What is approximate is nobody's copy.
func Known(name string, fset *token.FileSet, syntax []*ast.File, others []string) bool {
	o, ok := origins[name]
	return strings.HasSuffix(name, Float32) || ok && o.text(fset, syntax, others) == o.sum
}

// Sum identifies the text of a function in package math.
func Sum(name string) string { return origins[name].sum }

// text is the hash of what an origin consists of, in a given package math.
func (o origin) text(fset *token.FileSet, syntax []*ast.File, others []string) string {
	h := sha256.New()
	for _, f := range syntax {
		for _, d := range f.Decls {
			if declares(d, o.decls) {
				h.Write(bare(fset, d))
			}
		}
	}
	for _, file := range others {
		if slices.Contains(o.files, filepath.Base(file)) {
			text, err := os.ReadFile(file)
			if err != nil {
				return err.Error()
			}
			h.Write(asmComment.ReplaceAll(text, nil))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

var asmComment = regexp.MustCompile(`[ \t]*//[^\n]*|\n+`)

// declares reports whether d declares a function or a variable of one of the names.
func declares(d ast.Decl, names []string) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Recv == nil && slices.Contains(names, d.Name.Name)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok && slices.ContainsFunc(v.Names, func(id *ast.Ident) bool { return slices.Contains(names, id.Name) }) {
				return true
			}
		}
	}
	return false
}

// bare is the text of d without comments.
func bare(fset *token.FileSet, d ast.Decl) []byte {
	switch d := d.(type) {
	case *ast.FuncDecl:
		c := *d
		c.Doc = nil
		var b bytes.Buffer
		if err := format.Node(&b, fset, &c); err != nil {
			return []byte(err.Error())
		}
		return b.Bytes()
	case *ast.GenDecl:
		var b bytes.Buffer
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok {
				c := *v
				c.Doc, c.Comment = nil, nil
				if err := format.Node(&b, fset, &c); err != nil {
					return []byte(err.Error())
				}
				b.WriteByte('\n')
			}
		}
		return b.Bytes()
	}
	return nil
}
