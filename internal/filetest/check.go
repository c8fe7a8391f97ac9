package filetest

import (
	"fmt"
	"strconv"
	"strings"
)

// Check tests got against check lines; use it when one property of an output
// matters and not all of its text. Runs of white space count as one space, and
// lines of other forms than these are errors:
//
//	check: text    a line behind the last match contains text
//	next: text     the line right behind the last match contains text
//	not: text      no line between the matches around this one contains text
//	count: n text  n lines of the whole output contain text
//	# comment
func Check(got, lines string) error {
	c := &checks{}
	for line := range strings.Lines(got) {
		c.out = append(c.out, squeeze(line))
	}
	for n, line := range strings.Split(lines, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if err := c.line(line); err != nil {
			return fmt.Errorf("line %d: %s: %w", n+1, line, err)
		}
	}
	return c.flushNots(len(c.out))
}

type checks struct {
	out  []string
	pos  int      // first line behind the last match
	nots []string // texts that must not occur before the next match
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

func (c *checks) line(line string) error {
	verb, text, ok := strings.Cut(line, ":")
	text = squeeze(text)
	if !ok || text == "" {
		return fmt.Errorf("want check:, next:, not: or count: and a text")
	}
	switch verb {
	case "check":
		for i := c.pos; i < len(c.out); i++ {
			if strings.Contains(c.out[i], text) {
				return c.match(i)
			}
		}
		return fmt.Errorf("not found from line %d of the output on", c.pos+1)
	case "next":
		if c.pos >= len(c.out) || !strings.Contains(c.out[c.pos], text) {
			return fmt.Errorf("not in line %d of the output", c.pos+1)
		}
		return c.match(c.pos)
	case "not":
		c.nots = append(c.nots, text)
		return nil
	case "count":
		return c.count(text)
	}
	return fmt.Errorf("unknown verb %q", verb)
}

func (c *checks) match(i int) error {
	err := c.flushNots(i)
	c.pos = i + 1
	return err
}

// flushNots tests the lines from pos to end, exclusive, for the forbidden texts.
func (c *checks) flushNots(end int) error {
	for _, text := range c.nots {
		for i := c.pos; i < end; i++ {
			if strings.Contains(c.out[i], text) {
				return fmt.Errorf("not: %s: found in line %d of the output", text, i+1)
			}
		}
	}
	c.nots = nil
	return nil
}

func (c *checks) count(text string) error {
	num, text, _ := strings.Cut(text, " ")
	want, err := strconv.Atoi(num)
	if err != nil || text == "" {
		return fmt.Errorf("want a number and a text")
	}
	have := 0
	for _, line := range c.out {
		if strings.Contains(line, text) {
			have++
		}
	}
	if have != want {
		return fmt.Errorf("%d lines", have)
	}
	return nil
}
