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
