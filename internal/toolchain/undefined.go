package toolchain

import (
	"regexp"
	"slices"
	"strings"
)

// Undefined follows the ways through each kernel, calls of routines included, and reports
// registers that are read and on some way have not been written. Copies, masking and choices of
// lanes may have such operands, and what changes one lane: what is computed for some lanes alone
// has none for the others.
func Undefined(all []*Function) (wrong []string) {
	w := newWalker(all)
	w.step = func(i Instr, s state, kernel string) {
		read, written := registers(i)
		anything := false
		for _, r := range read {
			if !s.has(r) {
				continue
			}
			if anything = copies.MatchString(i.String()); !anything {
				w.report("%s: register %s may hold anything: %s", kernel, r, i)
			}
		}
		for _, r := range written {
			s.set(r, anything)
		}
	}
	undefined := make(state)
	for _, f := range all {
		for _, i := range f.Instrs {
			read, _ := registers(i)
			for _, r := range read {
				undefined[r] = true
			}
		}
	}
	for _, f := range all {
		if !f.Local {
			w.walk(f, undefined, f.Name)
		}
	}
	return w.wrong
}

var (
	anyRegister = regexp.MustCompile(`\b(AX|BX|CX|DX|SI|DI|[ABCD]L|SIB|DIB|R[89]|R1[0-3]|[XYZ](?:[12]?[0-9]|3[01]))[BWL]?\b`)
	copies      = regexp.MustCompile(` (MOV[LQ]|VMOV[AU]P[SD]|VMOVDQ(?:[AU]|A32)) \w+, \w+ `)
	choices     = regexp.MustCompile(`^V(P?BLENDV?(B|PS|PD)|PBLENDD|PBLENDW)$`)
	masking     = regexp.MustCompile(`^V(PANDN?[DQ]?|ANDN?P[SD])$`)
	named       = regexp.MustCompile(`[^\s,]+\((SB|FP)\)`)
	inPlace     = regexp.MustCompile(`^(CMOV|VFN?M(ADD|SUB)|ADD|SUB|AND[LQ]|OR[LQ]|XOR|IMUL[LQ]|NEG|NOT|INC|DEC|BSWAP|BTS|SH[LR][LQ]|SAR[LQ]|RO[LR][BWLQ]|VPTERNLOG|VFIXUPIMM)`)
	// Two equal operands of these give the same result whatever they hold.
	sameForAll = regexp.MustCompile(`^(XOR[LQ]|VXORP[SD]|VPXOR[DQ]?|VPCMPEQ[BWDQ]|VPSUB[BWDQ])$`)
	products   = regexp.MustCompile(`^I?(MUL|DIV)Q$`)
	merges     = regexp.MustCompile(`^(VCVTSI2S[SD][LQ]|VPINSR[BWDQ])$`)
)

// deciders are the operands of VPTERNLOGD by which a truth table takes bits from the other two.
var deciders = map[string]int{"$228": 1, "$216": 1, "$226": 2, "$184": 2, "$202": 3, "$172": 3}

// decider is the operand by which i takes lanes or bits from two others.
func decider(i Instr) (n int, ok bool) {
	if i.Op == "VPTERNLOGD" {
		n, ok = deciders[i.Args[0]]
		return n, ok
	}
	return 0, choices.MatchString(i.Op)
}

// keepsLanes reports whether i leaves the lanes of its result as they are where a mask register
// says so.
func keepsLanes(i Instr) bool {
	return !strings.HasSuffix(i.Op, ".Z") && !strings.HasPrefix(i.Op, "KMOV") && !strings.HasPrefix(i.Op, "VPMOVM2") && !strings.Contains(i.Op, "BLENDM") && underMask(i)
}

// registers are the registers that i reads and those that it writes, vectors as X0 to X31.
func registers(i Instr) (read, written []string) {
	last := len(i.Args) - 1
	decides, chooses := decider(i)
	for n, a := range i.Args {
		whole := anyRegister.FindString(a) == a
		switch {
		case whole && n == last && !readsOnly.MatchString(i.Op):
			written = append(written, register(a))
			if !inPlace.MatchString(i.Op) && !keepsLanes(i) || chooses && n != decides {
				continue
			}
		case chooses && n < last && n != decides, n < last && masking.MatchString(i.Op), n == last-1 && merges.MatchString(i.Op):
			continue // not looked at, or for some lanes alone
		}
		for _, r := range anyRegister.FindAllString(named.ReplaceAllString(a, ""), -1) {
			read = append(read, register(r))
		}
	}
	if sameForAll.MatchString(i.Op) && i.Args[0] == i.Args[1] {
		read = nil
	}
	switch {
	case i.Op == "CQO":
		read, written = []string{"AX"}, []string{"DX"}
	case inAXandDX(i):
		read, written = append(read, written...), []string{"AX", "DX"}
		read = append(read, "AX")
		if strings.HasSuffix(i.Op, "DIVQ") {
			read = append(read, "DX")
		}
	}
	slices.Sort(read)
	return slices.Compact(read), written
}
