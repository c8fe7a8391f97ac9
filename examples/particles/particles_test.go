package particles

import "testing"

func TestMove(t *testing.T) {
	ps := []Particle{{X: 1, VX: 2, VY: -4, VZ: 8, Mass: 3, ID: 7}, {Mass: 0.5, ID: 2}}
	move(ps, 0.5)
	if want := (Particle{2, -2, 4, 2, -4, 8, 3, 7}); ps[0] != want {
		t.Errorf("move gave %v, want %v", ps[0], want)
	}
	if m := mass(ps); m != 3.5 {
		t.Errorf("mass is %v, want 3.5", m)
	}
	if id := maxID(ps); id != 7 {
		t.Errorf("maxID is %v, want 7", id)
	}
}

func TestFall(t *testing.T) {
	bs := []Body{{X: 1, Y: 10, VX: 2, VY: 4}}
	fall(bs, 8, 0.5)
	if want := (Body{2, 10, 2, 0}); bs[0] != want {
		t.Errorf("fall gave %v, want %v", bs[0], want)
	}
}
