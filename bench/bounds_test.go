package main

import (
	"strings"
	"testing"
)

// TestFindMainLoop finds the loop with most iterations in a listing as objdump prints it, the one
// for AVX-512 behind the other, and none in nests.
func TestFindMainLoop(t *testing.T) {
	const narrow = `
  401000:	nop
  401001:	vmovups (%rdi,%rbx,4),%ymm1
  401005:	vaddps 0x100(%rip),%ymm1,%ymm1        # 501000 <lanewise_0>
  40100a:	add    $0x20,%rbx
  40100e:	jle    401001 <k+0x1>
  401010:	add    $0x8,%rbx
  401014:	vmovups %ymm1,(%rdi,%rbx,4)
  401018:	jle    401010 <k+0x10>
`
	const wide = `
  401020:	nopw   0x0(%rax,%rax,1)
  401028:	nop
  401029:	vmovups (%rdi,%rbx,4),%zmm1
  401030:	add    $0x20,%rbx
  401034:	jle    401029 <k+0x29>
  401036:	ret
`
	const nest = `
  401040:	vmovups (%rdi,%rbx,4),%ymm1
  401044:	add    $0x8,%rbx
  401048:	jle    401040 <k+0x40>
  40104a:	add    $0x40,%rcx
  40104e:	jle    401040 <k+0x40>
`
	const asks = "  401003:	cmpb   $0x0,0x100(%rip)        # 501000 <github.com/lanewise/lanewise/runtime/cpu.Fast512>\n"
	const first = "vmovups (%rdi,%rbx,4),%ymm1\nvaddps 0x100(%rip),%ymm1,%ymm1        \nadd $0x20,%rbx\njle .Lthere\n"
	const second = "vmovups (%rdi,%rbx,4),%zmm1\nadd $0x20,%rbx\njle .Lthere\n"
	for _, tt := range []struct {
		name, code     string
		wide, fast, ok bool
		want           string
	}{
		{"one", narrow, true, true, true, first},
		{"the first", narrow + wide, false, false, true, first},
		{"the last", narrow + wide, true, true, true, second},
		{"for all with AVX-512", narrow + wide, true, false, true, second},
		{"for no others than fast ones", narrow + asks + wide, true, false, true, first},
		{"for fast ones", narrow + asks + wide, true, true, true, second},
		{"the first of three", narrow + asks + wide + strings.ReplaceAll(wide, "4010", "4020"), false, false, true, first},
		{"nest", narrow + nest, false, false, false, ""},
		{"none", "", true, true, false, ""},
	} {
		loop, ok := findMainLoop(tt.code, tt.wide, tt.fast)
		if ok != tt.ok || loop.code != tt.want || ok && loop.lanes != 32 {
			t.Errorf("%s: %v, %d iterations of\n%q, not\n%q", tt.name, ok, loop.lanes, loop.code, tt.want)
		}
	}
}
