package interp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanewise/lanewise/vir"
)

// Transcript runs f as a script says and returns the script with the outcome
// behind each run: the results or the error, and the objects that changed. Lines:
//
//	x = i32 {1, 2, -3}           an object of three i32
//	s = const i8 {65, 66}        a read-only object
//	run x, x+4, 3, -1.5          arguments by the parameters' types, x+4 is byte 4 of x
//	// comment
//
// A vector argument is a list in braces. Every run starts with the objects as written.
func Transcript(f *vir.Func, script string) (string, error) {
	s := &scripter{f: f, mem: new(Memory), elems: make(map[string]vir.Elem)}
	for n, line := range strings.Split(strings.TrimRight(script, "\n"), "\n") {
		line, _, _ = strings.Cut(line, "//")
		if line = strings.TrimSpace(line); line == "" || line[0] == '=' || strings.HasPrefix(line, "now ") {
			continue // outcomes of an earlier transcript
		}
		if err := s.line(line); err != nil {
			return "", fmt.Errorf("line %d: %s: %w", n+1, line, err)
		}
	}
	return s.sb.String(), nil
}

type scripter struct {
	f     *vir.Func
	mem   *Memory
	elems map[string]vir.Elem // of objects
	sb    strings.Builder
}

func (s *scripter) line(line string) error {
	fmt.Fprintln(&s.sb, line)
	if args, ok := strings.CutPrefix(line, "run"); ok {
		return s.run(splitList(args))
	}
	name, def, ok := strings.Cut(line, "=")
	if !ok {
		return fmt.Errorf("want an object or run")
	}
	def, readOnly := strings.CutPrefix(strings.TrimSpace(def), "const ")
	typ, list, _ := strings.Cut(strings.TrimSpace(def), " ")
	t, ok := vir.ParseType(typ)
	if !ok || t.IsVector() {
		return fmt.Errorf("bad element type %q", typ)
	}
	items := splitList(strings.Trim(strings.TrimSpace(list), "{}"))
	data := make([]byte, len(items)*t.Size())
	for i, item := range items {
		x, err := number(t.Elem, item)
		if err != nil {
			return err
		}
		put(data[i*t.Size():][:t.Size()], x)
	}
	name = strings.TrimSpace(name)
	s.elems[name] = t.Elem
	s.mem.Alloc(name, data).ReadOnly = readOnly
	return nil
}

func (s *scripter) run(words []string) error {
	if len(words) != len(s.f.Params) {
		return fmt.Errorf("%d arguments for %d parameters", len(words), len(s.f.Params))
	}
	mem := s.mem.Clone()
	args := make([]Value, len(words))
	for i, p := range s.f.Params {
		a, err := argument(mem, p.Type, words[i])
		if err != nil {
			return err
		}
		args[i] = a
	}
	res, err := Run(s.f, mem, args)
	if err != nil {
		fmt.Fprintf(&s.sb, "= %v\n", err)
	} else {
		s.results(res)
	}
	for i, o := range mem.objects {
		if !slices.Equal(o.Data, s.mem.objects[i].Data) {
			fmt.Fprintf(&s.sb, "now %s {%s}\n", o.Name, listText(s.elems[o.Name], o.Data))
		}
	}
	return nil
}

func (s *scripter) results(res []Value) {
	if len(res) == 0 {
		fmt.Fprintln(&s.sb, "= done")
		return
	}
	texts := make([]string, len(res))
	for i, v := range res {
		texts[i] = v.String()
	}
	fmt.Fprintf(&s.sb, "= %s\n", strings.Join(texts, ", "))
}

func listText(e vir.Elem, data []byte) string {
	n := e.Size()
	var items []string
	for ; len(data) >= n; data = data[n:] {
		items = append(items, New(vir.Scalar(e), get(data[:n])).lane(0))
	}
	return strings.Join(items, ", ")
}

// argument reads a value of type t.
func argument(mem *Memory, t vir.Type, word string) (Value, error) {
	if t == vir.Scalar(vir.Ptr) && word != "nil" {
		name, off, more := strings.Cut(word, "+")
		o := mem.Object(name)
		if o == nil {
			return Value{}, fmt.Errorf("no object %q", name)
		}
		n := 0
		if more {
			var err error
			if n, err = strconv.Atoi(off); err != nil {
				return Value{}, err
			}
		}
		return o.Ptr(int64(n)), nil
	}
	items := []string{word}
	if t.IsVector() {
		items = splitList(strings.Trim(word, "{}"))
		if len(items) != t.Lanes {
			return Value{}, fmt.Errorf("%d lanes for %s", len(items), t)
		}
	}
	v := blank(t)
	for i, item := range items {
		var err error
		if v.Poison[i] = item == "poison"; v.Poison[i] {
			continue
		}
		if v.Bits[i], err = number(t.Elem, item); err != nil {
			return Value{}, err
		}
	}
	return v, nil
}

// number reads a lane: true, false, nil, 0x bits, or a decimal number.
func number(e vir.Elem, s string) (uint64, error) {
	switch {
	case s == "true":
		return 1, nil
	case s == "false", s == "nil":
		return 0, nil
	case strings.HasPrefix(s, "0x"):
		x, err := strconv.ParseUint(s, 0, 64)
		return clip(e, x), err
	case e == vir.F32:
		x, err := strconv.ParseFloat(s, 32)
		return uint64(math.Float32bits(float32(x))), err
	case e == vir.F64:
		x, err := strconv.ParseFloat(s, 64)
		return math.Float64bits(x), err
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return clip(e, uint64(n)), err
}

// splitList splits at commas outside of braces.
func splitList(s string) []string {
	var items []string
	depth, start := 0, 0
	for i, c := range s {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				items = append(items, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	if last := strings.TrimSpace(s[start:]); last != "" {
		items = append(items, last)
	}
	return items
}
