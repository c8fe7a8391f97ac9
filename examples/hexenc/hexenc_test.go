package hexenc

import (
	"encoding/hex"
	"testing"
)

func TestHex(t *testing.T) {
	src := make([]byte, 256)
	for i := range src {
		src[i] = byte(i)
	}
	text, back := make([]byte, 512), make([]byte, 256)
	encode(text, src)
	if want := hex.EncodeToString(src); string(text) != want {
		t.Errorf("encode gave %s, want %s", text, want)
	}
	decode(back, text)
	if string(back) != string(src) {
		t.Errorf("decode gave %v", back)
	}
}
