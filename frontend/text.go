package frontend

import (
	"go/types"

	"github.com/lanewise/lanewise/frontend/lower"
	"github.com/lanewise/lanewise/frontend/textlib"
)

// ofText is the function of textlib that takes the place of fn, nil if there is none: methods, like
// those of unicode.SpecialCase, are other functions.
func (b *bodies) ofText(fn *types.Func) *lower.Body {
	if !textlib.Covers(fn.Pkg().Path(), fn.Name()) || fn.Signature().Recv() != nil {
		return nil
	}
	if b.decls[textlib.Path] == nil {
		b.decls[textlib.Path] = b.checkTextlib()
		b.text = make(map[string]*lower.Body)
		for fn, body := range b.decls[textlib.Path] {
			if fn.Exported() {
				b.text[fn.Name()] = body
			}
		}
	}
	return b.text[fn.Name()]
}

func (b *bodies) checkTextlib() map[*types.Func]*lower.Body {
	files, err := textlib.Parse(b.fset)
	if err != nil {
		panic(err) // its tests would have failed
	}
	all, err := b.check(textlib.Path, files, nil)
	if err != nil {
		panic(err) // likewise
	}
	return all
}
