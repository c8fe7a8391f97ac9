package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A verdict is what became of a function.
type verdict struct {
	vectorized bool
	partial    bool // with a part that stays scalar
	why        string
	cost       bool // which is a matter of cost
}

// A remark is what lanewise -json tells about a loop.
type remark struct {
	Kind string         `json:"kind"`
	ID   string         `json:"id"`
	Twin string         `json:"twin"`
	Msg  string         `json:"msg"`
	Args map[string]any `json:"args"`
}

// generate writes the twins in dir and collects the verdicts, by twin.
func generate(dir string) (map[string]verdict, error) {
	out, err := command("go", "tool", "lanewise", "-tests", "-json", "./"+dir).Output()
	if err != nil {
		return nil, fmt.Errorf("lanewise: %w", err)
	}
	all := make(map[string]verdict)
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var r remark
		if err := d.Decode(&r); err != nil {
			return nil, err
		}
		v := all[r.Twin]
		switch r.Kind {
		case "passed":
			v.vectorized = true
			_, part := r.Args["partial"]
			v.partial = v.partial || part
		case "missed":
			if v.why == "" {
				v.why = r.ID
				v.cost = r.ID == "loopvec:Unprofitable" || r.Args["legal"] == true
			}
		}
		all[r.Twin] = v
	}
	return all, nil
}

// times are nanoseconds of one pass.
type times struct{ scalar, twin float64 }

var line = regexp.MustCompile(`^BenchmarkTSVC/(s?\w+)/(scalar|vector)\S*\s.*?([0-9.]+) ns/op`)

// measure runs the benchmark several times and keeps the fastest run of each
// contender, so that noise that lasts meets both.
func measure(dir string, rounds int, benchtime, only string) (map[string]times, error) {
	binary, err := filepath.Abs(filepath.Join(dir, "tsvc.test"))
	if err != nil {
		return nil, err
	}
	defer os.Remove(binary)
	if err := command("go", "test", "-c", "-o", binary, "./"+dir).Run(); err != nil {
		return nil, fmt.Errorf("go test -c: %w", err)
	}
	all := make(map[string]times)
	for range rounds {
		cmd := command(binary, "-test.run", "^$", "-test.bench", "TSVC/"+only, "-test.benchtime", benchtime)
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("benchmark: %w", err)
		}
		for l := range strings.Lines(string(out)) {
			m := line.FindStringSubmatch(l)
			if m == nil {
				continue
			}
			ns, err := strconv.ParseFloat(m[3], 64)
			if err != nil {
				return nil, err
			}
			t := all[m[1]]
			best := &t.scalar
			if m[2] == "vector" {
				best = &t.twin
			}
			if *best == 0 || ns < *best {
				*best = ns
			}
			all[m[1]] = t
		}
	}
	return all, nil
}

func command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	return cmd
}
