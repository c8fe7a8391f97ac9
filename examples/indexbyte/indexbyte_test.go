package indexbyte

import (
	"bytes"
	"testing"
)

func TestIndexByte(t *testing.T) {
	x := bytes.Repeat([]byte("ab"), 100)
	for i := range x {
		x[i] = 'c'
		if got := IndexByte(x, 'c'); got != i {
			t.Errorf("IndexByte = %d, want %d", got, i)
		}
		x[i] = 'a'
	}
	if got := indexByte(x, 'c'); got != -1 {
		t.Errorf("indexByte = %d, want -1", got)
	}
}
