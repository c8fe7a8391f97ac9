// Package particles moves particles.
package particles

//go:generate go tool lanewise -tests .

// A Particle has a position, a velocity and what the move does not touch.
type Particle struct {
	X, Y, Z    float32
	VX, VY, VZ float32
	Mass       float32
	ID         uint32
}

// move advances particles by dt.
//
//vec:func Move
func move(ps []Particle, dt float32) {
	for i := range ps {
		p := &ps[i]
		p.X += p.VX * dt
		p.Y += p.VY * dt
		p.Z += p.VZ * dt
	}
}

// A Body has nothing but position and velocity.
type Body struct{ X, Y, VX, VY float64 }

// fall advances bodies by dt under gravity g.
//
//vec:func Fall
func fall(bs []Body, g, dt float64) {
	for i := range bs {
		b := &bs[i]
		b.VY -= g * dt
		b.X += b.VX * dt
		b.Y += b.VY * dt
	}
}

// mass sums up the mass of particles.
//
//vec:func Mass reassoc
func mass(ps []Particle) float32 {
	var sum float32
	for i := range ps {
		sum += ps[i].Mass
	}
	return sum
}

// maxID finds the largest identifier.
//
//vec:func MaxID
func maxID(ps []Particle) uint32 {
	var id uint32
	for i := range ps {
		id = max(id, ps[i].ID)
	}
	return id
}
