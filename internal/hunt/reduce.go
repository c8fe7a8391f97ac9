package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lanewise/lanewise/internal/differ"
	"github.com/lanewise/lanewise/internal/randloop"
	"github.com/lanewise/lanewise/internal/reduce"
)

// patience is how long the reduction of one failure may take.
const patience = 20 * time.Minute

// A small failure is what is left of one: the declarations of a file, and how they fail.
type small struct {
	text    string
	failure differ.Failure
	result  *differ.Result // of this file
}

// shrink makes a failure small. A function that does not fail by itself takes others along.
func (h *hunt) shrink(ctx context.Context, j *job, f differ.Failure) (small, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s := &shrinker{hunt: h, job: j, way: way(f)}
	fs, err := s.culprits(ctx, f.Part)
	if err != nil {
		return small{}, err
	}
	s.together = len(fs) == 1 && !sharesCode(j.class)
	text := randloop.Source("hunted", fs)
	if err := s.choose(ctx, text); err != nil {
		return small{}, err
	}
	if len(fs) < len(j.functions) || len(fs) == 1 {
		o := reduce.Options{Keeps: s.keeps}
		if !s.together {
			o.Batch = 6
		}
		reduced, err := reduce.Source(ctx, text, o)
		if reduced == "" && ctx.Err() == nil {
			return small{}, err
		}
		if reduced != "" {
			text = reduced
		}
	}
	res, err := s.run(context.WithoutCancel(ctx), []differ.Part{whole(text)})
	if err != nil {
		return small{}, err
	}
	i := slices.IndexFunc(res.Failures, func(f differ.Failure) bool { return way(f) == s.way })
	if i < 0 {
		return small{}, fmt.Errorf("it does not fail once more")
	}
	return small{text, res.Failures[i], res}, nil
}

// sharesCode reports whether kernels of functions of the class share code, so that they are
// not independent of each other.
func sharesCode(class string) bool { return class == "outlined" || class == "straight" }

// A shrinker tests what may be left of a failure.
type shrinker struct {
	*hunt
	job      *job
	way      string // in which everything that is left has to fail
	together bool   // candidates may be parts of one package
	all      bool   // a share of the test cases is not enough
}

var (
	digits   = regexp.MustCompile(`[0-9]+`)
	internal = regexp.MustCompile(`\[internal:\w+\]`)
	vecTest  = regexp.MustCompile(`(?m)^\s*vec_test\.go:\d+: (.*)$`)
	position = regexp.MustCompile(`^[^ ]*\.(go|s):[0-9:]* ?`)
)

// way is what failures that have one cause have in common, as far as their texts show it.
func way(f differ.Failure) string {
	text := f.Text
	switch f.Kind {
	case differ.Broken:
		return string(f.Kind) + internal.FindString(text)
	case differ.Difference:
		if m := vecTest.FindStringSubmatch(text); m != nil {
			text = m[1]
		}
		for _, key := range []string{"panics differ", "invalid access", "store where"} {
			if strings.Contains(text, key) {
				return key
			}
		}
		return "values differ"
	}
	for line := range strings.Lines(text) {
		line = position.ReplaceAllString(strings.TrimSpace(line), "")
		if line != "" && !strings.HasPrefix(line, "exit status") && !strings.HasPrefix(line, "#") {
			words := strings.Fields(digits.ReplaceAllString(line, ""))
			return string(f.Kind) + ": " + strings.Join(words[:min(3, len(words))], " ")
		}
	}
	return string(f.Kind)
}

// culprits are the functions that fail: one alone, if it does, or as few as are found.
func (s *shrinker) culprits(ctx context.Context, name string) ([]randloop.Function, error) {
	all := s.job.functions
	fails := func(fs []randloop.Function) (bool, error) {
		var parts []differ.Part
		for _, f := range fs {
			parts = append(parts, differ.Part{Name: f.Name, Text: f.Text})
		}
		res, err := s.parts(ctx, s.job, randloop.Header("hunted"), parts, true)
		return err == nil && slices.ContainsFunc(res.Failures, s.same), err
	}
	if i := slices.IndexFunc(all, func(f randloop.Function) bool { return f.Name == name }); i >= 0 {
		if ok, err := fails(all[i : i+1]); ok || err != nil {
			return all[i : i+1], err
		}
	}
	for n := len(all) / 2; n > 0; n /= 2 {
		for at := 0; at < len(all); {
			rest := slices.Delete(slices.Clone(all), at, min(at+n, len(all)))
			ok, err := fails(rest)
			if err != nil {
				return nil, err
			}
			if ok {
				all = rest
			} else {
				at += n
			}
		}
	}
	return all, nil
}

func (s *shrinker) same(f differ.Failure) bool { return way(f) == s.way }

func (s *shrinker) run(ctx context.Context, parts []differ.Part) (*differ.Result, error) {
	return s.parts(ctx, s.job, "package hunted\n", parts, true)
}

// choose finds out whether the failure shows in whatever share of the cases.
func (s *shrinker) choose(ctx context.Context, text string) error {
	s.all = true
	if !s.together {
		return nil
	}
	s.all = false
	kept, err := s.keeps(ctx, slices.Repeat([]string{text}, 7))
	s.all = slices.Contains(kept, false)
	return err
}

// keeps tests files, all as one package where that is possible.
func (s *shrinker) keeps(ctx context.Context, files []string) ([]bool, error) {
	kept := make([]bool, len(files))
	if !s.together {
		for i, f := range files {
			res, err := s.run(ctx, []differ.Part{whole(f)})
			if err != nil {
				return kept, err
			}
			kept[i] = slices.ContainsFunc(res.Failures, s.same)
		}
		return kept, nil
	}
	var parts []differ.Part
	imports := make(map[string]bool)
	for i, f := range files {
		p := numbered(f, i)
		parts = append(parts, p.Part)
		for _, path := range p.imports {
			imports[path] = true
		}
	}
	res, err := s.parts(ctx, s.job, "package hunted\n\n"+importing(imports), parts, s.all)
	if err != nil {
		return kept, err
	}
	for _, f := range res.Failures {
		if i := slices.IndexFunc(parts, func(p differ.Part) bool { return p.Name == f.Part }); i >= 0 && s.same(f) {
			kept[i] = true
		}
	}
	return kept, nil
}

// importing imports the packages of all parts; parts that are tested without the others
// need none of them.
func importing(paths map[string]bool) string {
	imports, uses := "", ""
	for _, p := range []struct{ path, use string }{{"encoding/binary", "binary.LittleEndian"}, {"math", "math.Abs"}, {"math/bits", "bits.Len"}} {
		if paths[p.path] {
			imports += fmt.Sprintf("import %q\n", p.path)
			uses += fmt.Sprintf("var _ = %s\n", p.use)
		}
	}
	return imports + uses
}

// whole is a file as the only part of a package, without its package clause.
func whole(file string) differ.Part {
	_, text, _ := strings.Cut(file, "\n")
	return differ.Part{Name: functionOf(file), Text: text}
}

var directive = regexp.MustCompile(`(?m)^//vec:func (\w+)`)

// functionOf is the name of the original of the first twin.
func functionOf(file string) string {
	m := directive.FindStringSubmatch(file)
	if m == nil {
		return ""
	}
	return strings.ToLower(m[1][:1]) + m[1][1:]
}

// A numberedPart has a number in all names that it declares, so that many fit into a package.
type numberedPart struct {
	differ.Part
	imports []string
}

func numbered(file string, number int) numberedPart {
	var p numberedPart
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", file, parser.ParseComments)
	if err != nil {
		return p
	}
	names := make(map[string]bool)
	start := fset.Position(f.Name.End()).Offset
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names[d.Name.Name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ImportSpec:
					path, _ := strconv.Unquote(s.Path.Value)
					p.imports, start = append(p.imports, path), fset.Position(d.End()).Offset
				case *ast.TypeSpec:
					names[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, id := range s.Names {
						names[id.Name] = id.Name != "_"
					}
				}
			}
		}
	}
	suffix := fmt.Sprintf("_%d", number)
	p.Name = functionOf(file) + suffix
	text := renamed(file[start:], names, suffix)
	p.Text = directive.ReplaceAllString(text, "${0}"+suffix)
	return p
}

// renamed adds a suffix to names.
func renamed(text string, names map[string]bool, suffix string) string {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	var sb strings.Builder
	at := 0
	before := token.ILLEGAL
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.IDENT && names[lit] && before != token.PERIOD {
			end := file.Offset(pos) + len(lit)
			sb.WriteString(text[at:end] + suffix)
			at = end
		}
		before = tok
	}
	return sb.String() + text[at:]
}
