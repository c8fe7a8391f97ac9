package optvls

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
)

// TestFiles runs the cases of testdata/optvls. The section "in" has a line for each
// of these, in any order, memrefs in program order:
//
//	vector 32            bytes of a register
//	lanes 8              VF
//	stride 12            bytes; or indexed
//	member a 0 32        a memref: name, distance in bytes, bits of an element
//	store, masked        of all memrefs
//	fence                what stands here lets no memref move across
//	greedy               option of grouping
//	gaps inside          what may be read: none, inside, stride
//	masks                masked accesses of any element are there
//	costs avx2           unit, document, avx2, or loads where a load costs 5
//
// The sections groups, initial, split, merges, merged and code are compared, those of
// the graph for the first group.
func TestFiles(t *testing.T) {
	filetest.Run(t, "../../testdata/optvls/*.txtar", func(t *testing.T, c *filetest.Case) {
		in := parseCase(t, c.Section("in"))
		groups, _ := Groups(in.refs, in.vector, in.options)
		out := map[string]string{}
		for _, g := range groups {
			out["groups"] += names([]*Group{g}) + ": " + g.String() + "\n"
			if code, ok := Sequence(g, in.client); ok {
				out["code"] += fmt.Sprintf("%sresults %d cost %d\n", code, numbered(code.Results), code.Cost)
			} else {
				out["code"] += "none\n"
			}
		}
		graphSections(groups[0], in.client, out)
		for _, name := range c.Names() {
			if name != "in" {
				c.Golden(name, out[name])
			}
		}
	})
}

func numbered(results []int) []int {
	var n []int
	for _, r := range results {
		n = append(n, r+1)
	}
	return n
}

type caseIn struct {
	refs    []Memref
	vector  int
	options Options
	client  Client
}

func parseCase(t *testing.T, text string) *caseIn {
	in := &caseIn{vector: 32}
	var (
		access   Access
		lanes    = 4
		stride   int64
		fences   []int
		client   = testClient{Client: unitCosts{}}
		costs    = "unit"
		gapKinds = map[string]int{"none": 0, "inside": 1, "stride": 2}
	)
	for line := range strings.Lines(text) {
		w := strings.Fields(line)
		num := func(i int) int64 {
			n, err := strconv.ParseInt(w[i], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		switch w[0] {
		case "vector":
			in.vector = int(num(1))
		case "lanes":
			lanes = int(num(1))
		case "stride":
			stride = num(1)
		case "indexed":
			access.Indexed = true
		case "store":
			access.Store = true
		case "masked":
			access.Masked = true
		case "member":
			in.refs = append(in.refs, &ref{name: w[1], off: num(2), typ: Type{int(num(3)), 0}, order: len(in.refs)})
		case "fence":
			fences = append(fences, len(in.refs))
		case "greedy":
			in.options.Greedy = true
		case "gaps":
			client.gaps = gapKinds[w[1]]
		case "masks":
			client.masks = true
		case "costs":
			costs = w[1]
		default:
			t.Fatalf("unknown line %q", line)
		}
	}
	for _, m := range in.refs {
		r := m.(*ref)
		r.access, r.typ.Lanes, r.stride, r.fences = access, lanes, stride, fences
	}
	switch costs {
	case "unit":
		in.client = client
	case "document":
		client.Client = documentCosts{}
		in.client = client
	case "loads":
		client.Client = dearLoads{}
		in.client = client
	case "avx2":
		in.client = newAVX2(client.gaps)
	}
	return in
}

// documentCosts are those of the document's table: 1 where AVX2 has an instruction
// for lanes of 64 bits, 8 for other masks.
type documentCosts struct{ unitCosts }

func (documentCosts) Shuffle(from Type, lanes []int) int {
	switch KindOf(from.Lanes, lanes) {
	case Transpose, Halves, Select:
		return 1
	}
	return 8
}

type dearLoads struct{ unitCosts }

func (dearLoads) Access(*Inst) (int, bool) { return 5, true }

// graphSections prints the graph of the group at each stage.
func graphSections(g *Group, client Client, out map[string]string) {
	l := newLayout(g)
	c := &cover{layout: l, client: client, widest: l.full}
	sources, want := tagsOf(c.pieces(l.areas...)), l.members
	if g.Access.Store {
		sources, want = want, sources
	}
	gr := newGraph(l.unit*8, l.full*l.unit*8, l.tags, sources, want)
	out["initial"] = gr.String()
	gr.split()
	out["split"] = gr.String()
	for _, m := range gr.testMerges(client) {
		out["merges"] += m.String() + "\n"
	}
	gr.merge(client, true)
	out["merged"] = gr.String()
}
