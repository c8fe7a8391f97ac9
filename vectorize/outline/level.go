package outline

var levels = []string{None: "none", Merge: "merge", Size: "size"}

func (l Level) String() string { return levels[l] }

// LevelByName finds a level by the name that String gives it.
func LevelByName(name string) (Level, bool) {
	for l, s := range levels {
		if s == name {
			return Level(l), true
		}
	}
	return None, false
}

// What levels do differently. There is little to be had at level Merge, so not much is tried.

// patience is how many candidates in a row may come to nothing before the rest, which
// promises less, is given up.
func (l Level) patience() int {
	if l == Size {
		return 40
	}
	return 4
}

// readings are the ways to read code, one after the other.
func (l Level) readings() []reading {
	if l == Size {
		return []reading{withoutSums, isItem}
	}
	return []reading{withoutSums}
}

// orders are those of which the one with the best end is taken. To look at long vectors as
// they are first, or in pieces first: neither is always better.
func (l Level) orders() [][]stage {
	switch l {
	case Merge:
		return [][]stage{{whole}}
	case Size:
		return [][]stage{{whole, pieces}, {pieces, whole}}
	}
	return nil
}
