// Command picture draws the Mandelbrot set, with vectors where there are any:
//
//	go run ./examples/mandelbrot/picture -o mandelbrot.png
package main

import (
	"bytes"
	"flag"
	"image/png"
	"log"
	"os"

	"github.com/lanewise/lanewise/examples/mandelbrot"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("picture: ")
	out := flag.String("o", "mandelbrot.png", "file to write")
	width := flag.Int("width", 1000, "pixels in a row")
	limit := flag.Int("limit", 256, "steps after which a point counts as one of the set")
	flag.Parse()

	var b bytes.Buffer
	if err := png.Encode(&b, mandelbrot.Picture(*width, int32(*limit), mandelbrot.Row32)); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, b.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
