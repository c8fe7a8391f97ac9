// Package reduce makes Go source that has some property small while it keeps it: it removes
// declarations, statements, parameters and fields, replaces conditions and expressions by
// parts of themselves or by constants, and simplifies loops and types, as long as any of it
// works. It is delta debugging (Zeller, Hildebrandt, IEEE TSE 2002) with the syntax tree as
// a guide.
//
// Whatever type-checks is a candidate; what a candidate means is the property's business alone.
package reduce

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
)

// Options say what has to stay and how much is tried.
type Options struct {
	// Keeps reports for each of some files whether it has the property. Files are independent of
	// each other; testing several at a time may be faster.
	Keeps func(ctx context.Context, files []string) ([]bool, error)
	Batch int // the most files for one call of Keeps; 0 is 32
	Calls int // the most calls of Keeps; 0 is 200
}

// Source reduces a file with the property. When ctx ends, or the calls are used up, it
// returns what it has got until then.
func Source(ctx context.Context, file string, o Options) (string, error) {
	if o.Batch <= 0 {
		o.Batch = 32
	}
	if o.Calls <= 0 {
		o.Calls = 200
	}
	r := &reducer{Options: o, ctx: ctx, checker: newChecker(), seen: make(map[string]bool)}
	first, ok := r.clean(file)
	if !ok {
		return "", errors.New("reduce: the file does not type-check")
	}
	r.seen[first] = true
	kept, err := r.Keeps(ctx, []string{first})
	if err != nil {
		return "", err
	}
	if !kept[0] {
		return "", errors.New("reduce: the file does not have the property")
	}
	r.best = first
	for r.Calls > 0 && ctx.Err() == nil {
		better, err := r.round()
		if err != nil && ctx.Err() == nil {
			return r.best, err
		}
		if !better || err != nil {
			break
		}
	}
	return r.best, nil
}

type reducer struct {
	Options
	*checker
	ctx  context.Context
	best string
	seen map[string]bool // files that were tested, or are not valid
}

// A candidate is the best file after an edit.
type candidate struct {
	edit edit
	text string
}

// round tries all edits of the best file, those that remove most first, until some keep
// the property. It reports whether there were any.
func (r *reducer) round() (better bool, err error) {
	edits := r.edits(r.best)
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(b.gain(), a.gain()) })
	var batch []candidate
	for i, e := range edits {
		text, ok := r.clean(e.apply(r.best))
		if ok && !r.seen[text] && simpler(text, r.best) {
			r.seen[text] = true
			batch = append(batch, candidate{e, text})
		}
		if len(batch) < r.Batch && i+1 < len(edits) || len(batch) == 0 {
			continue
		}
		kept, err := r.test(batch)
		if err != nil {
			return false, err
		}
		if len(kept) > 0 {
			return true, r.combine(kept)
		}
		if batch = nil; r.Calls <= 0 {
			break
		}
	}
	return false, nil
}

// test returns the candidates that keep the property.
func (r *reducer) test(cs []candidate) (kept []candidate, err error) {
	var files []string
	for _, c := range cs {
		files = append(files, c.text)
	}
	r.Calls--
	ok, err := r.Keeps(r.ctx, files)
	for i := range ok {
		if ok[i] {
			kept = append(kept, cs[i])
		}
	}
	return kept, err
}

// combine makes the best file of the first edit that works, or of several at once: all of
// them, the first half, the first quarter and so on, whichever keeps the property first.
func (r *reducer) combine(kept []candidate) error {
	r.best = kept[0].text
	if len(kept) == 1 {
		return nil
	}
	base := r.base
	var batch []candidate
	for n := len(kept); n > 1; n /= 2 {
		e := kept[0].edit
		for _, c := range kept[1:n] {
			e = e.with(c.edit)
		}
		text, ok := r.clean(e.apply(base))
		if ok && !r.seen[text] && simpler(text, r.best) {
			r.seen[text] = true
			batch = append(batch, candidate{e, text})
		}
	}
	if len(batch) == 0 {
		return nil
	}
	both, err := r.test(batch)
	if len(both) > 0 {
		r.best = both[0].text
	}
	return err
}

// simpler orders files, so that reduction ends: fewer words, then shorter ones, then smaller ones.
func simpler(a, b string) bool {
	return cmp.Or(cmp.Compare(words(a), words(b)), cmp.Compare(len(a), len(b)), strings.Compare(a, b)) < 0
}
