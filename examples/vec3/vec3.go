// Package vec3 moves bodies in space: records of three numbers, which fit no vector.
package vec3

//go:generate go tool lanewise -tests .

// A Vector has three numbers.
type Vector struct{ X, Y, Z float64 }

// A Body has a position, a velocity, and the inverse of its mass.
type Body struct {
	Position, Velocity Vector
	Inverse            float64
}

// push lets force act on bodies for a time of dt.
//
//vec:func Push
func push(bs []Body, force *Vector, dt float64) {
	for i := range bs {
		b := &bs[i]
		k := b.Inverse * dt
		b.Velocity.X += force.X * k
		b.Velocity.Y += force.Y * k
		b.Velocity.Z += force.Z * k
		b.Position.X += b.Velocity.X * dt
		b.Position.Y += b.Velocity.Y * dt
		b.Position.Z += b.Velocity.Z * dt
	}
}

// momentum adds up what the velocities of bodies come to, in order.
//
//vec:func Momentum
func momentum(bs []Body) (sum Vector) {
	for i := range bs {
		b := &bs[i]
		sum.X += b.Velocity.X / b.Inverse
		sum.Y += b.Velocity.Y / b.Inverse
		sum.Z += b.Velocity.Z / b.Inverse
	}
	return sum
}
