package loopvec

// Columns of matrices whose rows are a power of two apart: all elements fall into a
// few sets of the first-level cache, which is missed at every access. A single
// load or store in a loop is then served better by the processor than eight of them
// side by side. On Zen 5, with 256 rows 256 to 4096 bytes apart, sums of columns take 2
// to 6 cycles per element more than where rows have other lengths, updates 3 to 20;
// vectors of lanes from far apart gain nothing (0.7 to 1.1).
const (
	farStep   = 256 // bytes; multiples of it are far apart
	farScalar = 3.0 // cycles per access
	farLanes  = 4.0 // cycles per access and lane
)

// farAccesses is how many accesses of an iteration are far from those of the next.
func (l *loop) farAccesses() float64 {
	n := 0.0
	for _, a := range l.dp.Accesses {
		if a.Stream.Step != 0 && a.Stream.Step%farStep == 0 {
			n += innerWeight(l.depth(a.Inst.Block))
		}
	}
	return n
}
