module github.com/lanewise/lanewise

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/klauspost/cpuid/v2 v2.4.2
	github.com/mmcloughlin/avo v0.6.0
	github.com/rogpeppe/go-internal v1.16.0
	golang.org/x/tools v0.52.0
)

require (
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

tool github.com/lanewise/lanewise/cmd/lanewise
