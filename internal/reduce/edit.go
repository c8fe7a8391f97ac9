package reduce

import (
	"cmp"
	"go/ast"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// A change replaces the bytes from..to of a file.
type change struct {
	from, to int
	text     string
}

// An edit is some changes that belong together and do not overlap.
type edit []change

// gain is how many bytes shorter the file becomes.
func (e edit) gain() (n int) {
	for _, c := range e {
		n += c.to - c.from - len(c.text)
	}
	return n
}

// with adds the changes of another edit as far as they do not overlap with those of e.
func (e edit) with(o edit) edit {
	for _, c := range o {
		if slices.ContainsFunc(e, func(d change) bool { return c.from < d.to && d.from < c.to || c.from == d.from }) {
			return e
		}
	}
	return append(slices.Clip(e), o...)
}

func (e edit) apply(file string) string {
	e = slices.Clone(e)
	slices.SortFunc(e, func(a, b change) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var sb strings.Builder
	at := 0
	for _, c := range e {
		if c.from < at {
			continue // inside of the one before
		}
		sb.WriteString(file[at:c.from] + c.text)
		at = c.to
	}
	sb.WriteString(file[at:])
	return sb.String()
}

// words counts the tokens of a file.
func words(file string) (n int) {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(file)), []byte(file), nil, 0)
	for {
		switch _, tok, _ := s.Scan(); tok {
		case token.EOF:
			return n
		case token.SEMICOLON, token.LPAREN, token.RPAREN, token.COMMA:
		default:
			n++
		}
	}
}

// A finder collects the edits of one file.
type finder struct {
	file
	list []edit
}

func (f *finder) add(cs ...change) { f.list = append(f.list, cs) }

func (f *finder) offset(p token.Pos) int { return f.fset.Position(p).Offset }

// source is the text of a node.
func (f *finder) source(n ast.Node) string { return f.text[f.offset(n.Pos()):f.offset(n.End())] }

// cut removes what is between two positions.
func (f *finder) cut(from, to token.Pos) change { return change{f.offset(from), f.offset(to), ""} }

// put replaces a node by a text.
func (f *finder) put(n ast.Node, text string) change {
	return change{f.offset(n.Pos()), f.offset(n.End()), text}
}

// between is the text from one position to another.
func (f *finder) between(from, to token.Pos) string { return f.text[f.offset(from):f.offset(to)] }

// cutItem removes item i of a list in which commas separate items.
func cutItem[T ast.Node](f *finder, list []T, i int) change {
	if i+1 < len(list) {
		return f.cut(list[i].Pos(), list[i+1].Pos())
	}
	if i > 0 {
		return f.cut(list[i-1].End(), list[i].End())
	}
	return f.put(list[i], "")
}
