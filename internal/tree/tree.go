// Package tree is about the tree of files that lanewise is: where it is, and how other
// modules use it. It is for commands and tests that work on the tree, and must not know what
// they do with it.
package tree

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Root is the folder with go.mod, at or above the current one.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no go.mod at or above the current folder")
		}
		dir = filepath.Dir(dir)
	}
}

const path = "github.com/lanewise/lanewise"

var notOfUsers = regexp.MustCompile(`(?m)^(module|tool) .*\n`)

// Use makes dir a module that uses the one at root as a user's would, with its requirements,
// so that nothing has to be fetched. Other lines come behind those.
func Use(root, dir, name string, lines ...string) error {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	text := "module " + name + "\n" + notOfUsers.ReplaceAllString(string(mod), "") +
		fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", path, root) + strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o666)
}
