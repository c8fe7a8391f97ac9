package frontend

import (
	"go/ast"
	"go/types"

	"github.com/lanewise/lanewise/frontend/lower"
	"github.com/lanewise/lanewise/frontend/textlib"
)

// ofText is the function of textlib that takes the place of fn, nil if there is none.
func (b *bodies) ofText(fn *types.Func) *lower.Body {
	name := textlib.Of(fn.Pkg().Path(), fn.Name())
	if name == "" {
		return nil
	}
	if b.decls[textlib.Path] == nil {
		b.decls[textlib.Path] = b.checkTextlib()
		b.text = make(map[string]*lower.Body)
		for fn, body := range b.decls[textlib.Path] {
			b.text[fn.Name()] = body
		}
	}
	if body := b.text[name]; body != nil && body.Func.Exported() {
		return body
	}
	return nil
}

func (b *bodies) checkTextlib() map[*types.Func]*lower.Body {
	file, err := textlib.Parse(b.fset)
	if err != nil {
		panic(err) // its tests would have failed
	}
	all, err := b.check(textlib.Path, []*ast.File{file}, nil)
	if err != nil {
		panic(err) // likewise
	}
	return all
}
