// Package quaternion multiplies quaternions.
package quaternion

//go:generate go tool lanewise -tests .

// A Quaternion is W + Xi + Yj + Zk.
type Quaternion struct{ X, Y, Z, W float32 }

// mul stores p times q into dst. That is too little for the call of a kernel: the twin is
// the original.
//
//vec:func Mul
func mul(dst, p, q *Quaternion) {
	x := p.W*q.X + p.X*q.W + p.Y*q.Z - p.Z*q.Y
	y := p.W*q.Y - p.X*q.Z + p.Y*q.W + p.Z*q.X
	z := p.W*q.Z + p.X*q.Y - p.Y*q.X + p.Z*q.W
	w := p.W*q.W - p.X*q.X - p.Y*q.Y - p.Z*q.Z
	*dst = Quaternion{x, y, z, w}
}

// turn multiplies qs by r from the left. Lanes are quaternions.
//
//vec:func Turn
func turn(qs []Quaternion, r Quaternion) {
	for i := range qs {
		q := &qs[i]
		x := r.W*q.X + r.X*q.W + r.Y*q.Z - r.Z*q.Y
		y := r.W*q.Y - r.X*q.Z + r.Y*q.W + r.Z*q.X
		z := r.W*q.Z + r.X*q.Y - r.Y*q.X + r.Z*q.W
		w := r.W*q.W - r.X*q.X - r.Y*q.Y - r.Z*q.Z
		*q = Quaternion{x, y, z, w}
	}
}

// chain is the product of qs: each one waits for the one before, but the four numbers of
// one need not wait for each other.
//
//vec:func Chain
func chain(qs []Quaternion) Quaternion {
	p := Quaternion{W: 1}
	for i := range qs {
		q := &qs[i]
		p = Quaternion{
			X: p.W*q.X + p.X*q.W + p.Y*q.Z - p.Z*q.Y,
			Y: p.W*q.Y - p.X*q.Z + p.Y*q.W + p.Z*q.X,
			Z: p.W*q.Z + p.X*q.Y - p.Y*q.X + p.Z*q.W,
			W: p.W*q.W - p.X*q.X - p.Y*q.Y - p.Z*q.Z,
		}
	}
	return p
}
