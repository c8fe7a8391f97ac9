package differ

import (
	"testing"
	"time"
)

// TestWatch: a function is late when it began long ago, and so is what comes behind functions.
func TestWatch(t *testing.T) {
	w := new(watch)
	if f, is := w.late(); is {
		t.Errorf("%q is late before anything began", f)
	}
	for _, function := range []string{"f1", ""} {
		w.begin(function)
		if f, is := w.late(); is {
			t.Errorf("%q is late at once", f)
		}
		w.since = time.Now().Add(-late - time.Second)
		if f, is := w.late(); !is || f != function {
			t.Errorf("%q, %v after %v, want %q", f, is, late, function)
		}
	}
}
