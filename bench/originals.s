// This file is empty on purpose: it tells the compiler that the functions of
// originals.go have their bodies elsewhere.
