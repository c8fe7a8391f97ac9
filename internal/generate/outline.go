package generate

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/outline"
	"github.com/lanewise/lanewise/vir/plan"
)

// Kernels of a package share code. That is to save space and nothing else: when it fails by
// a fault of its own, every kernel keeps its code.

// outlined starts the line of vec_amd64.go that names the level, unless it is the usual one.
const outlined = "// outline: "

func (g *packager) outlineHeader() []string {
	if g.Outline == outline.Merge {
		return nil
	}
	return []string{outlined + g.Outline.String()}
}

// recall takes the level of the files that are there when it is asked for.
func (g *packager) recall() {
	path := g.path(nameGo)
	if !g.AsBefore || !isOurs(path) {
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		name, ok := strings.CutPrefix(line, outlined)
		if level, known := outline.LevelByName(strings.TrimSpace(name)); ok && known {
			g.Outline = level
		}
		if !strings.HasPrefix(line, "//") {
			return
		}
	}
}

// assembleOutlined is assemble with the kernels as they are outlined, if that can be done.
func (g *packager) assembleOutlined() ([]byte, error) {
	first := slices.IndexFunc(g.regions, func(a *attempt) bool { return a.kernel != nil })
	if first < 0 || g.stages.outline == nil || g.Outline == outline.None {
		return g.assemble()
	}
	before := make([]attempt, len(g.regions))
	for i, a := range g.regions {
		before[i] = *a
	}
	fault := g.outline()
	if fault == nil {
		var asm []byte
		if asm, fault = g.emit(g.regions); fault == nil {
			return asm, nil
		}
	}
	for i, a := range g.regions {
		*a = before[i]
	}
	asm, err := g.assemble()
	for i, a := range g.regions {
		if a.kernel != before[i].kernel {
			return asm, err // it was not the outliner's fault
		}
	}
	why := internal(g.regions[first].region, "Outliner", fault)
	why.Kind = diag.Analysis
	g.regions[first].remark(why)
	return asm, err
}

// outline replaces kernels by those that share code.
func (g *packager) outline() (err error) {
	defer func() {
		if x := recover(); x != nil {
			g.fault(x)
			err = fmt.Errorf("%v", x)
		}
	}()
	var as []*attempt
	var ks []*plan.Kernel
	for _, a := range g.regions {
		if a.kernel != nil && !a.isWideOnly() {
			as, ks = append(as, a), append(ks, a.kernel)
		}
	}
	out, err := g.stages.outline(ks, g.Outline, g.Passes)
	if err != nil {
		return err
	}
	for i, k := range out.Kernels {
		as[i].kernel = k
	}
	g.keepWide()
	for _, m := range out.Merged {
		as[m.Kernel].remark(sharing(as[m.Kernel], as[m.Into], m.Bytes))
	}
	if out.Outlining == nil {
		return nil
	}
	for _, r := range out.Outlining.Routines {
		as[r.First].remark(routineRemark(as[r.First], r))
	}
	return nil
}

// remark adds to the remarks of a, of which others may have a copy.
func (a *attempt) remark(r diag.Remark) { a.remarks = append(slices.Clip(a.remarks), r) }

// routineRemark is the remark for a routine, at the first region that calls it.
func routineRemark(a *attempt, r outline.Routine) diag.Remark {
	remark := a.analysis("outline:Routine")
	remark.Msg = fmt.Sprintf("%s is called in %d places (estimated %d bytes less)", r.Fn.Name, r.Places, r.Gain)
	remark.Args = map[string]any{"routine": r.Fn.Name, "places": r.Places, "bytes": r.Gain}
	return remark
}

func (a *attempt) analysis(id string) diag.Remark {
	r := a.region
	return diag.Remark{Kind: diag.Analysis, ID: id, Pos: r.Pos, Func: r.Func, Twin: r.Twin}
}

// sharing is the remark for a kernel that has been given up for that of another region.
func sharing(a, into *attempt, bytes int) diag.Remark {
	remark := a.analysis("outline:Merged")
	remark.Msg = "shares the kernel of " + into.region.Twin
	remark.Args = map[string]any{"with": into.region.Twin}
	if bytes > 0 {
		remark.Msg += fmt.Sprintf(" (estimated %d bytes less)", bytes)
		maps.Copy(remark.Args, map[string]any{"bytes": bytes})
	}
	return remark
}
