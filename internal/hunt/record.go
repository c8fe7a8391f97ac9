package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lanewise/lanewise/internal/differ"
	"github.com/lanewise/lanewise/internal/randloop"
)

// A record is what hunts have found out: records of several runs add up.
type record struct {
	Statistics randloop.Statistics `json:"statistics"`
	Tested     int                 `json:"tested"`   // functions whose tests ran to their end
	Skipped    int                 `json:"skipped"`  // functions with nothing to compare
	Seconds    differ.Times        `json:"seconds"`  // per stage
	Runs       []run               `json:"runs"`     // by class and seed
	Failures   []failure           `json:"failures"` // in the order found
}

// A run is one package.
type run struct {
	Class     string `json:"class"`
	Seed      uint64 `json:"seed"`
	Functions int    `json:"functions"`
}

// A failure is a function that failed.
type failure struct {
	Class string      `json:"class"`
	Seed  uint64      `json:"seed"`
	Func  string      `json:"func"`
	Kind  differ.Kind `json:"kind"`
	Text  string      `json:"text"`
}

func newRecord(j *job, res *differ.Result) record {
	r := record{Tested: res.Tested, Skipped: res.Skipped, Seconds: res.Times, Runs: []run{{j.class, j.seed, len(j.functions)}}}
	r.Statistics.Count(j.functions, res.Remarks)
	for _, f := range res.Failures {
		r.Failures = append(r.Failures, failure{j.class, j.seed, f.Part, f.Kind, f.Text})
	}
	return r
}

// Failed is the number of failures.
func (r *record) Failed() int { return len(r.Failures) }

// Add adds another record.
func (r *record) Add(o record) {
	r.Statistics.Add(o.Statistics)
	r.Tested += o.Tested
	r.Skipped += o.Skipped
	r.Seconds.Add(o.Seconds)
	r.Runs = append(r.Runs, o.Runs...)
	slices.SortStableFunc(r.Runs, func(a, b run) int { return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Seed, b.Seed)) })
	r.Failures = append(r.Failures, o.Failures...)
}

// nextSeed is the one behind all seeds of a class.
func (r *record) nextSeed(class string) uint64 {
	next := uint64(1)
	for _, x := range r.Runs {
		if x.Class == class {
			next = max(next, x.Seed+1)
		}
	}
	return next
}

// readRecord reads the file of statistics; none is an empty one.
func readRecord(path string) (r record, err error) {
	if path == "" {
		return r, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	return r, err
}

// addTo adds a record to the file of statistics, which another run may have changed. Runs
// that end at the same moment would lose one of the records.
func addTo(path string, r record) error {
	if path == "" {
		return nil
	}
	sum, err := readRecord(path)
	if err != nil {
		return err
	}
	sum.Add(r)
	text, err := json.MarshalIndent(sum, "", "\t")
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "stats")
	if err != nil {
		return err
	}
	_, err = temp.Write(append(text, '\n'))
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// summary prints what all runs together have found.
func (h *hunt) summary(w io.Writer, passed time.Duration) {
	r := h.this
	if sum, err := readRecord(h.statsFile); h.statsFile != "" && err == nil {
		fmt.Fprintf(w, "this run: %d functions, %d failed, %.0f s; all runs:\n", h.this.Statistics.Functions.All, h.this.Failed(), passed.Seconds())
		r = sum
	}
	r.Statistics.Print(w)
	n := float64(max(r.Statistics.Functions.All, 1))
	fmt.Fprintf(w, "%d tested, %d with nothing to compare, %d failed\n", r.Tested, r.Skipped, r.Failed())
	fmt.Fprintf(w, "time per function: generate %.0f ms, build %.0f ms, run %.0f ms\n", 1000*r.Seconds.Generate/n, 1000*r.Seconds.Build/n, 1000*r.Seconds.Run/n)
	kinds := make(map[differ.Kind]int)
	for _, f := range r.Failures {
		kinds[f.Kind]++
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(w, "%7d %s\n", kinds[k], k)
	}
}
