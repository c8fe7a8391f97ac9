// Package slev is SIMD lane evolution (SLEV): how the values that the lanes of
// one vector operation hold relate to each other, when scalar code runs with one
// lane per iteration of a loop (Options.Loop), or one per call of a function.
//
// It classifies values, branches and loops; it changes nothing and does not
// decide what is to be done about them. It knows nothing of machines.
//
// # Lattice
//
// Bottom lies below everything and Random above everything; Uniform and the
// strides lie side by side between them (Uniform is the stride 0), since a value
// that may be either is in general neither:
//
//	                Random
//	  /        /      |       \        \
//	... Strided(-1) Uniform Strided(1) ...
//	  \        \      |       /        /
//	                Bottom
//
// Every value starts at Bottom and only rises, at most twice. Values are looked
// at again when an operand has risen or when a branch has become divergent, until
// nothing changes. Divergent branches, and the pairs of lanes that walk from them,
// only become more, and there are finitely many.
//
// # What a shape says
//
// A shape holds among the lanes that execute an instruction together: in the same
// iteration of every cycle (loops.Cycle) around it, counted from where the lane
// has entered that cycle. So the count of an inner loop is uniform even when lanes
// leave that loop one after the other. It is behind the loop that each lane has the count
// of its own last iteration: an operand may be worse than its definition (Use, IsStale).
//
// That a load from a uniform address is uniform assumes that no store of the
// loop reaches it: vectorize/dep proves or tests that.
//
// # Control divergence
//
// The classical formulation works on definitions and uses of variables: a
// definition in the influence region of a divergent branch taints a use together
// with a second one (unless a dominator shields it), or alone, because a loop leaks
// iterations or because it kills the definition of an earlier iteration for some
// lanes only. Here values are in SSA form, and all of these are one question: can
// two lanes that part at a divergent branch meet at a phi with different values,
// or behind a cycle that they left in different iterations? parting.go answers it by
// walking with pairs of lanes. That decides per use and, by the edges over which
// lanes come, per operand; the influence region (loops.Region.Influence, from
// post-dominators) remains as the answer to what is executed for some lanes only
// (IsPartial). Irreducible cycles need no rule of their own.
//
// The classical pseudo-code gives up the influence region after the first use it
// taints. That is wrong: the branch is not visited again unless its own evolution
// changes, so other uses of the region stay uniform for good, and with them branches that
// depend on those (testdata/slev/two-uses-of-one-branch.txtar). Every use is visited here. It also sets
// evolutions without joining them with what was there, so that a use that was tainted may
// be set back when an operand changes and nothing makes it end; and it has lanes of a
// cycle nested in L leak from L wherever a way leads around the inner one.
//
// Definitions of the same value taint nothing (same.go): congruent ones, and those
// that are invariant in the cycle that leaks or kills. Poison taints nothing: a lane
// that has it may take the value of the others.
//
// # What a vectorizer asks
//
// For a loop whose iterations become lanes, with whatever control inside:
//
//   - Which branches stay branches? Those that are not IsDivergent. All lanes that
//     come to it take the same way. Where IsPartial holds for the block, a lane must be
//     active for the condition to mean anything: the branch belongs inside of a test
//     for any active lane, and its arms inherit the mask of the block.
//   - Where are masks needed? In blocks with IsPartial. The mask of such a block is the
//     or, over its edges, of the mask of the predecessor and of the condition; edges of
//     uniform branches hand the mask on as it is. Behind the immediate post-dominator
//     of the branch the mask is again that of the branch; Influence lists what lies
//     between.
//   - Which phis become blends? Those with IsBlend, by the masks of the edges. All others
//     take the value of the edge by which all lanes come, or any of operands that are
//     the same; where an operand is poison, the other one.
//   - Which inner loops are scalar loops? Loops without Exits: same trip for all lanes that
//     enter. One with Exits runs while a lane is active. An edge in Exits takes lanes
//     out of its mask; an edge not in it ends it for all that are left.
//   - What must be kept when a lane leaves? LiveOuts, by a blend under the mask of the
//     lanes that leave, per loop: one that leaves two loops is frozen in both. A live out
//     may be uniform inside: it needs no lanes there, only where it is frozen. Everything else
//     that is read behind the loop is invariant in it, or all its readers come by exits
//     that end the loop, and may be read from its scalar or vector as it is.
//   - Which form has an access? Address: uniform, strided, or else indexed; together
//     with IsPartial (a masked access) and the masks of v itself.
//   - Is a value needed in lanes or as a scalar? Shape and Use, as input to vectorize/sva: broadcast
//     where Use is Uniform, first lane and steps where Strided.
//
// A branch that leaves Options.Loop itself early is divergent, but the lane that
// takes it meets nobody again: no phi becomes a blend for it, and code behind it is
// partial. A vectorizer that stops before the block in which a lane leaves may put
// the branch into Options.Control. IsReducible tells whether loop transformations that
// need natural loops may go on.
package slev
