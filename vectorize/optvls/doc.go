// Package optvls is a server that turns strided and indexed vector accesses into
// loads and stores of successive lanes and shuffles: Optimization of Vector Loads
// and Stores. It knows neither an IR nor a machine, must import nothing of the
// project, and asks its client for whatever depends on either.
//
//	memrefs --Groups--> groups --Sequence--> abstract loads, stores, shuffles
//
// With x[2*i] and x[2*i+1] at VF 4 and registers of 4 lanes:
//
//	memory      x0 x1 x2 x3 | x4 x5 x6 x7      %1, %2 = loads
//	             |  |  |  |    |  |  |  |
//	x[2*i]      x0    x2      x4    x6         %3 = shuffle %1, %2, {0, 2, 4, 6}
//	x[2*i+1]       x1    x3      x5    x7      %4 = shuffle %1, %2, {1, 3, 5, 7}
//
// Stores are the same upwards: members are values, and what is shuffled out of them
// is stored.
//
// # Clients
//
// A client wraps its accesses as Memref, in program order, calls Groups, and then
// Sequence for each group of interest. It compares the Cost of the Code with that of
// other ways, such as gathers, and translates the instructions one by one:
//
//	groups, _ := optvls.Groups(memrefs, 32, optvls.Options{})
//	for _, g := range groups {
//		code, ok := optvls.Sequence(g, client)
//		if !ok || code.Cost >= otherwise(g) {
//			continue
//		}
//		for _, in := range code.Insts { ... }  // at g.Place
//		// g.Members[i].Ref has the value of code.Insts[code.Results[i]]
//	}
//
// The loop vectorizer has a memref for each access of the body, at VF lanes that fit
// one register: strided for p[i].x, indexed for x[idx[i]] and x[idx[i]+1], where each
// lane has an address of its own and loads and stores are made lane by lane. A client
// that groups scalar accesses gives memrefs of one lane: loads are then of several
// members at once, and shuffles take them apart.
//
// What a client has to know:
//   - Loads of a group are made where its first member stands in the program, stores
//     where its last does; the client says through CanMoveTo whether the others may
//     move there. The code of a group is made in one go and in its order: stores go
//     upwards in memory or, when indexed, in rows, and one may write lanes of any
//     value that a later one overwrites.
//   - Memory that no member touches is never written, and read only where the client
//     allows.
//   - Under masks, Rows of a load or store says which lane of the mask each of its
//     lanes has; an unmasked one in a masked group touches what the client allowed.
//   - Where members have elements of different sizes or of 16 bytes, lanes are units
//     that all are multiples of, and results and values are to be reinterpreted.
//   - Lanes -1 of a shuffle may hold anything, and its cost may make use of that.
//     Some hundred masks may be asked about, each once for a sequence.
//
// # Search
//
// Sequence makes plans: which loads or stores (memory.go), and how to get from there
// to the members or back. Units of memory are tags, a vector is the tags of its lanes,
// and each plan yields a net of shuffles (net.go) whose every lane is checked before
// it counts. What any lane may hold is used, and shuffles of shuffles become one where
// that is cheaper (relax.go). Ways from loads to members are:
//   - the bit-range graph, split to two sources and merged by cost (graph.go, split.go,
//     merge.go);
//   - selects and a permutation for each member, or the mirror image (strategy.go);
//   - few inner shuffles that serve several results (pack.go);
//   - networks that exchange address bits, as in transposing, by shortest paths
//     (network.go, path.go, grid.go);
//   - rotations for strides with an odd part (rotate.go);
//   - loads of their own for each member, or each bundle of members in one stride,
//     where that saves more shuffles than it takes loads (own.go).
//
// Where all shuffles of two sources cost the same, no sequence for up to four loads or
// stores of up to four members has more of them than needed; a test compares with
// bounds. Where costs depend on masks, networks are optimal among those of moves that
// movesOf lists, unless the search gives up; the others are good, not optimal: the
// lanes of inner shuffles are tried only up to four lanes, as there are too many.
package optvls
