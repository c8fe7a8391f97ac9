// Package optvls is a server that turns strided and indexed vector accesses into
// loads and stores of successive lanes and shuffles: Optimization of Vector Loads
// and Stores. It knows neither an IR nor a machine, must import nothing of the
// project, and asks its client for whatever depends on either.
//
//	memrefs --Groups--> groups --Sequence--> abstract loads, stores, shuffles
//
// With x[2*i] and x[2*i+1] at VF 4 and registers of 4 lanes:
//
//	            x0 x1 x2 x3 | x4 x5 x6 x7      %1, %2 = loads
//	               \  |  \   /   /  /
//	x[2*i]      x0 x2 x4 x6                    %3 = shuffle %1, %2, {0, 2, 4, 6}
//	x[2*i+1]    x1 x3 x5 x7                    %4 = shuffle %1, %2, {1, 3, 5, 7}
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
// Loads of a group are made where its first member stands in the program, stores
// where its last does; the client says through CanMoveTo whether the others may
// move there. Stores are in ascending order of lanes where the group is indexed.
//
// Memory that no member touches is never written, and read only where the client
// allows. Where members have elements of different sizes, code works on lanes of a
// common unit.
package optvls
