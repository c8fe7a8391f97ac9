package randloop

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// What Go does not allow, or the compiler does in ways of its own, is mended in the text.

// selfless has no assignments like x[3] = x[3] or x[3] = int(x[3]): the compiler keeps the store
// or drops it, and not in all copies alike, which looks like an invented write.
func selfless(text string) string {
	var sb strings.Builder
	for line := range strings.Lines(text) {
		to, from, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if ok && !strings.Contains(to, ", ") && (from == to || isConversion(from, to)) {
			line = strings.Replace(line, to, "_", 1)
		}
		sb.WriteString(line)
	}
	return sb.String()
}

// isConversion reports whether e is x as a number of some type.
func isConversion(e, x string) bool {
	t, ok := strings.CutSuffix(e, "("+x+")")
	return ok && slices.Contains(slices.Concat(intTypes, floatTypes), t)
}

var (
	resultList = regexp.MustCompile(`(?m)^func .*\) \((.+)\) \{$`)
	inPlace    = regexp.MustCompile(`^\t+\S+ ([-+|^]|&\^)= (\w+)[\w.\[\]]*\n$`)
)

// withoutZeros has x[3] = r for x[3] -= r, where r is a result or a part of one: as long as that
// is zero, the compiler keeps or drops the store as it does in what selfless mends.
func withoutZeros(text string) string {
	m := resultList.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	var results []string
	for r := range strings.SplitSeq(m[1], ", ") {
		results = append(results, strings.Fields(r)[0])
	}
	var sb strings.Builder
	for line := range strings.Lines(text) {
		if m := inPlace.FindStringSubmatch(line); m != nil && slices.Contains(results, m[2]) {
			line = strings.Replace(line, " "+m[1]+"= ", " = ", 1)
		}
		sb.WriteString(line)
	}
	return sb.String()
}

var rangeClause = regexp.MustCompile(`^(\t*)for (\w+)(?:, (\w+))? := range .*\{$`)

// usingVariables has mentions of the variables of range clauses that their loops do not use.
func usingVariables(text string) string {
	lines := strings.Split(text, "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		m := rangeClause.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		n := slices.IndexFunc(lines[i+1:], func(s string) bool { return strings.HasPrefix(s, m[1]+"}") })
		body := strings.Join(lines[i+1:i+1+n], "\n")
		for _, v := range m[2:] {
			if v != "" && v != "_" && !regexp.MustCompile(`\b`+v+`\b`).MatchString(body) {
				lines = slices.Insert(lines, i+1, fmt.Sprintf("%s\t_ = %s", m[1], v))
			}
		}
	}
	return strings.Join(lines, "\n")
}
