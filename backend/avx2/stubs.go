package avx2

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

func todo(c partOf) vec { c.s.fail(c.v, "not yet"); return nil }

func mul(c partOf) vec        { return todo(c) }
func shift(c partOf) vec      { return todo(c) }
func rotate(c partOf) vec     { return todo(c) }
func divide(c partOf) vec     { return todo(c) }
func remainder(c partOf) vec  { return todo(c) }
func minmax64(c partOf) vec   { return todo(c) }
func clz(c partOf) vec        { return todo(c) }
func ctz(c partOf) vec        { return todo(c) }
func popcnt(c partOf) vec     { return todo(c) }
func bitrev(c partOf) vec     { return todo(c) }
func bswap(c partOf) vec      { return todo(c) }
func selectPart(c partOf) vec { return todo(c) }
func blend(c partOf) vec      { return todo(c) }
func trunc(c partOf) vec      { return todo(c) }
func extension(c partOf) vec  { return todo(c) }
func intToFloat(c partOf) vec { return todo(c) }
func floatToInt(c partOf) vec { return todo(c) }
func fpext(c partOf) vec      { return todo(c) }
func fptrunc(c partOf) vec    { return todo(c) }

func addMask(c partOf) (vec, bool) { return nil, false }

func (s *selector) scalarFtoi(v *vir.Value) gpr                           { s.fail(v, "not yet"); return nil }
func (s *selector) maskedLoad(v *vir.Value, p int) vec                    { s.fail(v, "not yet"); return nil }
func (s *selector) maskedLoadReverse(v *vir.Value, p int) vec             { s.fail(v, "not yet"); return nil }
func (s *selector) maskedStore(v *vir.Value, p int, r vec, m operand.Mem) { s.fail(v, "not yet") }
func (s *selector) extendLanes(r vec, n, from, to int, signed bool) vec   { return nil }
func (s *selector) narrow(rs []vec, n, from, to int, signed bool) vec     { return nil }
func (s *selector) intCompare(v *vir.Value, p, size int) (vec, bool) {
	s.fail(v, "not yet")
	return nil, false
}
func (s *selector) floatCompare(v *vir.Value, p, size int) vec { s.fail(v, "not yet"); return nil }

const (
	cmpEq    = 0
	cmpUnord = 3
	cmpNe    = 4
)
