package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// Tables that compare what the tool makes with other flags work on copies of the
// examples, never on the files that are committed.

// buildTool builds the tool as it is into a folder.
func buildTool(dir string) (exe string, err error) {
	exe, err = filepath.Abs(filepath.Join(dir, "lanewise.exe"))
	if err != nil {
		return "", err
	}
	_, err = command("..", "go", "build", "-o", exe, "./cmd/lanewise")
	return exe, err
}

// copyExamples makes dir a module that has the examples and what they import. It
// has the name of the real one, so that their code is the same.
func copyExamples(dir string) error {
	for _, tree := range []string{"examples", "runtime"} {
		if err := os.CopyFS(filepath.Join(dir, tree), os.DirFS(filepath.Join("..", tree))); err != nil {
			return fmt.Errorf("copying %s (in folder bench?): %w", tree, err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// generateAt writes the generated files of packages in dir, a copy of the
// examples, at a level of -outline; "" is the one that the tool has by itself. It
// returns the remarks of the tool, one JSON object per line.
func generateAt(tool, dir, level string, packages ...string) (remarks []byte, err error) {
	args := []string{"-tests", "-json"}
	if level != "" {
		args = append(args, "-outline="+level)
	}
	return command(dir, tool, append(args, packages...)...)
}
