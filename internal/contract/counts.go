//go:build amd64 && unix

package contract

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
)

// What checks have seen, by rule and kind: the evidence.
var (
	counting sync.Mutex
	counts   = map[string]int{}
)

// Count adds to what the check that t belongs to has seen.
func Count(t *testing.T, what string, n int) {
	counting.Lock()
	defer counting.Unlock()
	check, _, _ := strings.Cut(t.Name(), "/")
	counts[check+": "+what] += n
}

// Report prints what all checks have seen.
func Report(w io.Writer) {
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "count %s %d\n", k, counts[k])
	}
}
