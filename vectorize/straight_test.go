package vectorize

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
)

// straightStats is what a comparison of many regions has seen.
type straightStats struct {
	kernels int
	refused map[string]int
	notes   map[string]int // kernels by remarks about them
	total   vectest.Stats

	generous bool // groups whatever they cost
}

// compare compares the kernel that runs r as it is with r.
func (s *straightStats) compare(t *testing.T, name string, r *plan.Region, seed uint64, inputs, size int) {
	t.Helper()
	c := *r
	c.Clauses.Force = true
	k, remarks := Straight(&c, target.AVX2(), Options{Verify: true, Generous: s.generous})
	last := remarks[len(remarks)-1]
	if k == nil {
		s.refused[last.ID]++
		if last.Broken() {
			t.Errorf("%s: %s\n%s\n%v", name, last, r.Fn, last.Args["ir"])
		}
		return
	}
	s.kernels++
	if s.notes == nil {
		s.notes = make(map[string]int)
	}
	for _, r := range remarks {
		s.notes[r.ID]++
	}
	k.Min = 1 // whether that pays is no matter
	stats, err := vectest.Compare(&c, k, seed, inputs, size)
	if err != nil {
		t.Errorf("%s: %v\n%s\n%s", name, err, r.Fn, k.Fn)
	}
	s.total.Add(stats)
}

// TestStraightLoops runs the loops of testdata/loopvec iteration by iteration.
func TestStraightLoops(t *testing.T) {
	s := &straightStats{refused: make(map[string]int)}
	filetest.Run(t, "../testdata/loopvec/*.txtar", func(t *testing.T, c *filetest.Case) {
		s.compare(t, "loop", corpusRegion(t, c), 1, 12, 30)
	})
	t.Logf("%d kernels, refused %v, %+v", s.kernels, s.refused, s.total)
}

// TestStraightGenerous packs whatever can be packed in the loops of testdata/straight.
func TestStraightGenerous(t *testing.T) {
	s := &straightStats{refused: make(map[string]int), generous: true}
	filetest.Run(t, "../testdata/straight/*.txtar", func(t *testing.T, c *filetest.Case) {
		s.compare(t, "loop", corpusRegion(t, c), 1, 300, 60)
	})
	if s.kernels == 0 || s.total.Calls == 0 {
		t.Errorf("refused %v, %+v", s.refused, s.total)
	}
}

// TestStraightRandom does so with random loops, as they are and as one iteration.
func TestStraightRandom(t *testing.T) {
	s := &straightStats{refused: make(map[string]int)}
	for i := 0; i < *loops/2 && !t.Failed(); i++ {
		r, _ := vectest.RandomRegion(rand.New(rand.NewPCG(*seed, uint64(i))))
		s.compare(t, "loop", r, uint64(i), 10, 30)
		once := *r
		once.Once = true
		once.State = slices.Clone(r.State)
		for i := range once.State {
			once.State[i].Live = true
		}
		s.compare(t, "once", &once, uint64(i), 10, 30)
	}
	t.Logf("%d kernels, refused %v, %+v", s.kernels, s.refused, s.total)
}
