package guard

// Idle is in the first word of a kernel's state when most of its lanes had nothing to
// do: they waited for the few that had. Some iterations of the original are better then.
const Idle = 1<<64 - 1
