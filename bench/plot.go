package main

import (
	"fmt"
	colors "image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// writePlot measures the first row wanted at lengths from 1 to 1<<22 and draws the time
// per element of every contender into a file of the format that its name ends with.
func writePlot(file string, o options) error {
	for _, r := range menus() {
		if o.wants(r.name) {
			return drawing(r, o.rounds).Save(20*vg.Centimeter, 11*vg.Centimeter, file)
		}
	}
	return fmt.Errorf("no row matches %q", o.rows)
}

// plotted are all lengths up to 8 and then eight per power of two up to 64, fewer above:
// 2^k with one less, one more and the half of it, where loops pass to other code.
func plotted() []int {
	ns := []int{1, 2, 3, 4, 5, 6, 7}
	for n := 8; n < 1<<22; n *= 2 {
		switch {
		case n < 64:
			for k := range 8 {
				ns = append(ns, n+n*k/8)
			}
		case n < 4096:
			ns = append(ns, n, n+1, n+n/2-1, n+n/2, 2*n-1)
		default:
			ns = append(ns, n, n+n/2)
		}
	}
	return append(ns, 1<<22)
}

func drawing(r row, rounds int) *plot.Plot {
	p := plot.New()
	p.Title.Text = r.name
	p.X.Label.Text, p.Y.Label.Text = "elements", "ns per element"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = powers(2, 2), powers(10, 1)
	p.Legend.Top = true
	p.Legend.TextStyle.Font.Size = font.Points(9)
	p.Add(plotter.NewGrid())
	lines := make(map[string]plotter.XYs)
	var names []string
	for _, n := range plotted() {
		cs := r.contenders(n)
		for i, ns := range measure(cs, rounds) {
			name := cs[i].name
			if lines[name] == nil {
				names = append(names, name)
			}
			lines[name] = append(lines[name], plotter.XY{X: float64(n), Y: ns / float64(n)})
		}
	}
	for i, name := range names {
		line := &plotter.Line{XYs: lines[name], LineStyle: plotter.DefaultLineStyle}
		line.Color = colours[i%len(colours)]
		if name == "twin" {
			line.Width = vg.Points(2.5)
		}
		p.Add(line)
		p.Legend.Add(name, line)
	}
	return p
}

// colours are told apart also by those who do not see all colours (Okabe and Ito).
var colours = []colors.Color{
	colors.RGBA{0, 0, 0, 255}, colors.RGBA{213, 94, 0, 255}, colors.RGBA{0, 114, 178, 255},
	colors.RGBA{0, 158, 115, 255}, colors.RGBA{230, 159, 0, 255}, colors.RGBA{204, 121, 167, 255},
}

// powers marks the powers of a base, and names every step-th of them.
func powers(base float64, step int) plot.TickerFunc {
	return func(lo, hi float64) (ts []plot.Tick) {
		log := func(x float64) float64 { return math.Log(x) / math.Log(base) }
		for k := int(math.Floor(log(lo))); k <= int(math.Ceil(log(hi))); k++ {
			t := plot.Tick{Value: math.Pow(base, float64(k))}
			if k%step == 0 {
				t.Label = inUnits(t.Value)
			}
			ts = append(ts, t)
		}
		return ts
	}
}

// inUnits is a number with Ki and Mi for powers of 1024.
func inUnits(x float64) string {
	unit := ""
	for _, u := range []string{"Ki", "Mi"} {
		if x < 1024 {
			break
		}
		x, unit = x/1024, u
	}
	return strconv.FormatFloat(x, 'g', -1, 64) + unit
}
