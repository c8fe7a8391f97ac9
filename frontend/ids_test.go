package frontend_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryReasonIsExplained looks for identifiers of refusals in the source
// and in the table for users, in both directions.
func TestEveryReasonIsExplained(t *testing.T) {
	readme, err := os.ReadFile("lower/README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("lower/*.go")
	files = append(files, "regions.go")
	used := make(map[string]bool)
	literal := regexp.MustCompile(`refuse\([^"]*"([A-Z]\w*)"|"lower:([A-Z]\w*)"`)
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range literal.FindAllStringSubmatch(string(src), -1) {
			used[m[1]+m[2]] = true
		}
		if strings.HasSuffix(name, "/types.go") { // names after kinds of types
			for _, m := range regexp.MustCompile(`return "([A-Z]\w*)"`).FindAllStringSubmatch(string(src), -1) {
				used[m[1]] = true
			}
		}
	}
	if len(used) < 25 {
		t.Fatalf("only %d identifiers found in the source", len(used))
	}
	for id := range used {
		if id != "Name" && id != "Range" && !strings.Contains(string(readme), "`lower:"+id+"`") {
			t.Errorf("lower/README.md does not explain lower:%s", id)
		}
	}
	for _, m := range regexp.MustCompile("`lower:(\\w+)`").FindAllStringSubmatch(string(readme), -1) {
		id := m[1]
		if base, ok := strings.CutPrefix(id, "Range"); ok && used[base] {
			continue
		}
		if !used[id] {
			t.Errorf("lower/README.md explains lower:%s, which does not occur", id)
		}
	}
}
