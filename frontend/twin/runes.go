package twin

import (
	"fmt"
	"go/token"
	"strings"
)

// Loops over the runes of a string. For the kernel an iteration is one byte, and what counts its iterations counts bytes in the
// user's code, where an iteration takes as many as the rune has.

// startsPlain is the condition that the string, which is not empty, starts with a single byte: text that does not seldom has
// many of them in a row.
func (l *loop) startsPlain() []string {
	if l.runes == nil {
		return nil
	}
	text, _ := l.rangeText()
	return []string{fmt.Sprintf("%s[0] < %s.RuneSelf", text, l.imports.own("unicode/utf8"))}
}

// runesAgain prints the user's loop over the rest of the string:
//
//	k = i
//	i = len(s)
//	for at, c := range s[k:] {
//		if at >= most {
//			i = k + at
//			break
//		}
//		<key> := k + at
//		<body>
//	}
//	k = i - k
//
// where most limits the iterations.
func (l *loop) runesAgain(r remainder, edits []edit) string {
	var before, prefix strings.Builder
	key, hasKey := l.named(l.rng.Key)
	value, hasValue := l.named(l.rng.Value)
	from, at, c := l.counter, "_", "_"
	if r.most != "" || hasKey {
		at = l.local("at")
		defer l.release(at)
	}
	switch {
	case r.most != "":
		from = r.counter
		fmt.Fprintf(&before, "%s = %s\n%[2]s = len(%s)\n", from, l.counter, l.ranged)
		fmt.Fprintf(&prefix, "if %s >= %s {\n%s = %s + %[1]s\nbreak\n}\n", at, r.most, l.counter, from)
	case hasKey:
		from = l.local("from")
		defer l.release(from)
		fmt.Fprintf(&before, "%s := %s\n", from, l.counter)
	}
	if hasKey {
		fmt.Fprintf(&prefix, "%s %s %s + %s\n", key, l.rng.Tok, from, at)
	}
	switch {
	case hasValue && l.rng.Tok == token.DEFINE:
		c = value
	case hasValue:
		c = l.local("c")
		defer l.release(c)
		fmt.Fprintf(&prefix, "%s = %s\n", value, c)
	}
	clause := fmt.Sprintf("for %s, %s := range", at, c)
	switch {
	case at == "_" && c == "_":
		clause = "for range"
	case c == "_":
		clause = fmt.Sprintf("for %s := range", at)
	}
	text := l.labelled(r, edits, fmt.Sprintf("%s %s[%s:] {\n%s}", clause, l.ranged, from, prefix.String()+l.bodyAgain(l.rng.Body, edits)))
	text = before.String() + text
	switch {
	case r.most != "":
		text += fmt.Sprintf("\n%s = %s - %[1]s", r.counter, l.counter)
	case hasKey: // which no goto may pass
		text = "{\n" + text + "\n}"
	}
	return text
}

// keepsCount reports whether a count of iterations in the user's code is looked at behind it: the loop may end before, or
// an iteration be several ones of the kernel.
func (l *loop) keepsCount() bool { return l.r.Stops || l.runes != nil }

// took is the number of the kernel's iterations that the user's code has done when it has counted at least as many as
// asked for in the variable count.
func (l *loop) took(count, asked string) string {
	if l.runes != nil {
		return count
	}
	return asked
}
