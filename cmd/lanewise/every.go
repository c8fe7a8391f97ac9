package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/frontend/directive"
	"github.com/lanewise/lanewise/internal/survey"
	"github.com/lanewise/lanewise/vir/plan"
)

// everyLimit is the time that a function may take under -every.
const everyLimit = 10 * time.Second

// every is the flag -every: which functions, and clauses for them.
type every struct {
	which   frontend.Every
	clauses plan.Clauses
}

func (e *every) String() string   { return "" }
func (e *every) IsBoolFlag() bool { return true }

// Set reads loops or all, with clauses behind it.
func (e *every) Set(s string) error {
	which, clauses, _ := strings.Cut(s, ",")
	switch which {
	case "true", "loops":
		e.which = frontend.Loops
	case "all":
		e.which = frontend.All
	case "false":
		e.which = frontend.Annotated
	default:
		return errors.New("want loops or all, and clauses behind commas")
	}
	d, err := directive.Parse(directive.Loop.String() + " " + strings.ReplaceAll(clauses, ",", " "))
	if err != nil {
		return err
	}
	e.clauses = d.Clauses
	return nil
}

// survey considers every function and tells what came of it.
func (p *printer) survey(ctx context.Context) int {
	c := survey.Config{Config: p.config(), Limit: everyLimit, Assemble: true, Remarks: p.printRemarks}
	c.Every, c.Clauses = p.every.which, p.every.clauses
	c.Warn = func(msg string) { fmt.Fprintf(p.err, "lanewise: %s\n", msg) }
	sum, err := survey.Run(ctx, c)
	if err != nil {
		p.fail(err)
		return exitError
	}
	for _, e := range sum.Errors {
		fmt.Fprintln(p.err, e.Error())
	}
	sum.Print(p.err)
	if cpu, peak, ok := survey.Usage(); ok {
		fmt.Fprintf(p.err, "%.1f s of processor time, at most %d MB of memory\n", cpu.Seconds(), peak>>20)
	}
	if len(sum.Errors)+len(sum.Complaints) > 0 {
		return exitError
	}
	return exitOK
}
