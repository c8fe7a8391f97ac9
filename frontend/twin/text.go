package twin

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// texts gives the source text behind positions.
type texts struct {
	fset  *token.FileSet
	read  func(string) ([]byte, error)
	files map[string][]byte
}

// file is the text of the file that holds pos, with the offset of pos in it.
func (t *texts) file(pos token.Pos) ([]byte, int, error) {
	tf := t.fset.File(pos)
	if tf == nil {
		return nil, 0, fmt.Errorf("twin: no source position for a copied node")
	}
	src, ok := t.files[tf.Name()]
	if !ok {
		var err error
		if src, err = t.read(tf.Name()); err != nil {
			return nil, 0, err
		}
		if len(src) != tf.Size() {
			return nil, 0, fmt.Errorf("%s changed while it was read", tf.Name())
		}
		t.files[tf.Name()] = src
	}
	return src, tf.Offset(pos), nil
}

// An edit replaces the text from pos to end; with pos == end it inserts. Of
// edits inside one another the outermost wins, insertions at one place appear
// in the order of rank.
type edit struct {
	pos, end token.Pos
	text     string
	rank     int
}

// cut is the source text from pos to end with the edits that lie inside.
func (t *texts) cut(pos, end token.Pos, edits []edit) (string, error) {
	src, from, err := t.file(pos)
	if err != nil {
		return "", err
	}
	inside := slices.DeleteFunc(slices.Clone(edits), func(e edit) bool { return e.pos < pos || e.end > end })
	slices.SortStableFunc(inside, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.rank, b.rank))
	})
	var sb strings.Builder
	at := pos
	for _, e := range inside {
		if e.pos < at {
			continue // inside a replaced range
		}
		sb.Write(src[from+int(at-pos) : from+int(e.pos-pos)])
		sb.WriteString(e.text)
		at = e.end
	}
	sb.Write(src[from+int(at-pos) : from+int(end-pos)])
	return sb.String(), nil
}

// dropComments are the edits that take away the comments of file inside
// [pos, end) for which drop holds, with the line of a comment that has one to
// itself.
func (t *texts) dropComments(file *ast.File, pos, end token.Pos, drop func(*ast.Comment) bool) ([]edit, error) {
	src, base, err := t.file(pos)
	if err != nil {
		return nil, err
	}
	var edits []edit
	for _, g := range file.Comments {
		for _, c := range g.List {
			if c.Pos() < pos || c.End() > end || !drop(c) {
				continue
			}
			from, to := base+int(c.Pos()-pos), base+int(c.End()-pos)
			if strings.HasPrefix(c.Text, "/*") {
				text := " "
				if strings.Contains(c.Text, "\n") {
					text = "\n"
				}
				edits = append(edits, edit{pos: c.Pos(), end: c.End(), text: text})
				continue
			}
			start := len(bytes.TrimRight(src[:from], " \t"))
			if start > 0 && src[start-1] == '\n' && to < len(src) && src[to] == '\n' {
				to++
			}
			edits = append(edits, edit{pos: pos + token.Pos(start-base), end: pos + token.Pos(to-base)})
		}
	}
	return edits, nil
}

func everyComment(*ast.Comment) bool { return true }

// isDirective reports whether a comment speaks to a tool.
func isDirective(c *ast.Comment) bool {
	return strings.HasPrefix(c.Text, "//vec:") || strings.HasPrefix(c.Text, "//go:")
}
