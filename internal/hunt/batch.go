package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"sync"
	"time"

	"github.com/lanewise/lanewise/internal/differ"
	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/internal/randloop"
	"github.com/lanewise/lanewise/internal/tree"
	"github.com/lanewise/lanewise/vectorize/outline"
	"github.com/lanewise/lanewise/vir/plan"
)

// A hunt is one run of the command.
type hunt struct {
	budget    time.Duration
	functions int
	seed      uint64
	batch     int
	classes   []string
	jobs      int
	statsFile string
	found     string
	all       bool
	whole     bool

	root  string             // of the module
	spoil func(*plan.Kernel) // damage done on purpose, in tests
	mu    sync.Mutex
	begun int // functions of batches that have begun
	next  map[string]uint64
	turn  int // of the classes
	this  record
}

// A job is one package of functions.
type job struct {
	class     string
	seed      uint64
	functions []randloop.Function
}

// prepare finds the module and the first seeds.
func (h *hunt) prepare() error {
	var err error
	if h.root, err = tree.Root(); err != nil {
		return err
	}
	if h.found == "" {
		h.found = filepath.Join(h.root, "testdata", "fixedbugs")
	}
	before, err := readRecord(h.statsFile)
	if err != nil {
		return err
	}
	h.next = make(map[string]uint64)
	for _, class := range h.classes {
		if _, _, err := settings(class); err != nil {
			return err
		}
		h.next[class] = max(h.seed, 1)
		if h.seed == 0 {
			h.next[class] = before.nextSeed(class)
		}
	}
	if h.budget == 0 && h.functions == 0 {
		h.functions = h.batch * len(h.classes)
	}
	return nil
}

// settings are the kind of functions of a class, and how the generator treats those of a seed.
func settings(class string) (randloop.Class, func(seed uint64) generate.Config, error) {
	usual := func(uint64) generate.Config {
		return generate.Config{Outline: outline.Merge, Passes: generate.PassOptions{Brief: randloop.EveryThird}}
	}
	small := func(uint64) generate.Config {
		return generate.Config{Outline: outline.Size, Passes: generate.PassOptions{Guess: true, Brief: randloop.EveryThird}}
	}
	name, config := class, usual
	switch class {
	case "outlined":
		name, config = "loops", small
	case "straight":
		config = func(seed uint64) generate.Config {
			c := usual(seed)
			if seed%2 == 1 {
				c = small(seed)
			}
			c.Passes.Generous = randloop.EveryOther
			return c
		}
	}
	c, ok := randloop.ClassNamed(name)
	if !ok {
		return c, nil, fmt.Errorf("unknown class %q", class)
	}
	return c, config, nil
}

// sharing is the most functions whose kernels share code: that takes time that grows
// faster than their number.
const sharing = 100

// take is the next job; nil when there are no more.
func (h *hunt) take(start time.Time) *job {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.budget > 0 && time.Since(start) > h.budget || h.functions > 0 && h.begun >= h.functions {
		return nil
	}
	class := h.classes[h.turn%len(h.classes)]
	h.turn++
	j := &job{class: class, seed: h.next[class]}
	h.next[class]++
	n := h.batch
	if class == "outlined" || class == "straight" && j.seed%2 == 1 {
		n = min(n, sharing)
	}
	if h.functions > 0 {
		n = min(n, h.functions-h.begun)
	}
	h.begun += n
	c, _, _ := settings(class)
	j.functions = c.Functions(j.seed+shifted[class], n)
	return j
}

// shifted is what is added to the seeds of classes whose functions would be those of loops.
var shifted = map[string]uint64{"nests": 1 << 32, "outlined": 1 << 33}

func (h *hunt) run(ctx context.Context) error {
	start := time.Now()
	errs := make(chan error, h.jobs)
	for range h.jobs {
		go func() {
			for {
				j := h.take(start)
				if j == nil || ctx.Err() != nil {
					errs <- nil
					return
				}
				if err := h.try(ctx, j, start); err != nil && ctx.Err() == nil {
					errs <- fmt.Errorf("%s, seed %d: %w", j.class, j.seed, err)
					return
				}
			}
		}()
	}
	var first error
	for range h.jobs {
		if err := <-errs; first == nil {
			first = err
		}
	}
	return first
}

// stuck is how long a batch may take: something does not end.
const stuck = 45 * time.Minute

// try tests the functions of a job, and keeps what fails.
func (h *hunt) try(ctx context.Context, j *job, start time.Time) error {
	watch := time.AfterFunc(stuck, func() {
		fmt.Fprintf(os.Stderr, "hunt: %s, seed %d: no end after %v\n", j.class, j.seed, stuck)
		pprof.Lookup("goroutine").WriteTo(os.Stderr, 1)
		os.Exit(3)
	})
	defer watch.Stop()
	res, err := h.test(ctx, j, j.functions)
	if err != nil {
		return err
	}
	h.pursue(ctx, j, res.Failures)
	r := newRecord(j, res)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.this.Add(r)
	passed := time.Since(start)
	fmt.Printf("%8s seed %d: %3d functions, %3d vectorized, %d failed; %d in all, %d failed, %.1f/s\n", j.class, j.seed,
		r.Statistics.Functions.All, r.Statistics.Functions.Vectorized, r.Failed(),
		h.this.Statistics.Functions.All, h.this.Failed(), float64(h.this.Statistics.Functions.All)/passed.Seconds())
	return addTo(h.statsFile, r)
}

// test tests functions of a job.
func (h *hunt) test(ctx context.Context, j *job, fs []randloop.Function) (*differ.Result, error) {
	var parts []differ.Part
	for _, f := range fs {
		parts = append(parts, differ.Part{Name: f.Name, Text: f.Text})
	}
	return h.parts(ctx, j, randloop.Header("hunted"), parts, h.all)
}

// parts tests parts as functions of a job are tested: all cases, however long they take, or a share.
func (h *hunt) parts(ctx context.Context, j *job, header string, parts []differ.Part, all bool) (*differ.Result, error) {
	_, config, err := settings(j.class)
	if err != nil {
		return nil, err
	}
	c := config(j.seed)
	c.Passes.Spoil = h.spoil
	o := differ.Options{Generate: c, Scratch: filepath.Join(h.root, "internal", "hunt", "testdata"), Short: !all}
	if all {
		o.Budget = 15 * time.Second
	}
	return differ.Run(ctx, header, parts, o)
}
