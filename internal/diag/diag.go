// Package diag is how lanewise talks to people: remarks about regions and errors
// in the input, both with a position in the user's source.
package diag

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vir"
)

// Kind classifies a remark.
type Kind string

const (
	Passed   Kind = "passed"   // the region was vectorized
	Missed   Kind = "missed"   // the region stays scalar
	Analysis Kind = "analysis" // anything else worth knowing
)

// A Remark is one decision about one region.
type Remark struct {
	Kind Kind
	ID   string // area:Name, stable: "loopvec:OrderedReduction"
	Pos  vir.Pos
	Func string // original function
	Twin string
	Msg  string // without position and ID
	Args map[string]any
}

// String is the line a user sees.
func (r Remark) String() string {
	msg := r.Msg
	switch r.Kind {
	case Passed:
		msg = "vectorized: " + msg
	case Missed:
		msg = "not vectorized: " + msg
	}
	return fmt.Sprintf("%s: %s [%s]", r.Pos, msg, r.ID)
}

// Broken reports whether the region stays scalar by a fault of ours.
func (r Remark) Broken() bool { return strings.HasPrefix(r.ID, "internal:") }

// MarshalJSON writes the stable object of -json.
func (r Remark) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Kind Kind           `json:"kind"`
		ID   string         `json:"id"`
		File string         `json:"file"`
		Line int            `json:"line"`
		Col  int            `json:"col"`
		Func string         `json:"func"`
		Twin string         `json:"twin"`
		Msg  string         `json:"msg"`
		Args map[string]any `json:"args,omitempty"`
	}{r.Kind, r.ID, r.Pos.File, r.Pos.Line, r.Pos.Col, r.Func, r.Twin, r.Msg, r.Args})
}

// An Error is a mistake in the input.
type Error struct {
	Pos vir.Pos
	Msg string
}

func (e Error) Error() string {
	if !e.Pos.IsValid() {
		return e.Msg
	}
	return fmt.Sprintf("%s: %s", e.Pos, e.Msg)
}

// Sort orders remarks by position, then by ID and twin, keeping the order of equals.
func Sort(rs []Remark) {
	slices.SortStableFunc(rs, func(a, b Remark) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Twin, b.Twin))
	})
}

// WriteJSON writes one object per line.
func WriteJSON(w io.Writer, rs []Remark) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, r := range rs {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return nil
}
