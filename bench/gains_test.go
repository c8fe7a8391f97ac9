package main

import "testing"

func TestOneLoop(t *testing.T) {
	forms := oneLoop([]byte(`{"kind":"passed","id":"loopvec:Vectorized","file":"examples/a/a.go","twin":"One","args":{"cost":0.5,"scalar":2}}
{"kind":"analysis","id":"loopvec:Candidates","file":"examples/a/a.go","twin":"One"}
{"kind":"passed","id":"loopvec:Vectorized","file":"examples/a/a.go","twin":"Two","args":{"cost":0.5,"scalar":2}}
{"kind":"missed","id":"dep:Order","file":"examples/a/a.go","twin":"Two"}
{"kind":"missed","id":"loopvec:Unprofitable","file":"examples/b/a.go","twin":"One"}
`))
	if r, ok := forms["a/One"]; len(forms) != 1 || !ok || r.Args.Cost != 0.5 {
		t.Errorf("got %v", forms)
	}
}

func TestBothSides(t *testing.T) {
	times := bothSides([]byte(`goos: linux
BenchmarkTwinAdd/n=4096/scalar-2   	  100	  30.5 ns/op	 1 MB/s
BenchmarkTwinAdd/n=4096/scalar-2   	  100	  20 ns/op	 1 MB/s
BenchmarkTwinAdd/n=4096/vec-2      	  100	  5 ns/op
BenchmarkTwinAdd/n=4096/vec-2      	  100	  7 ns/op
BenchmarkTwinSub/n=4096/vec        	  100	  3 ns/op
`))
	if times["Add"] != [2]float64{20, 5} || times["Sub"] != [2]float64{0, 3} {
		t.Errorf("got %v", times)
	}
}
