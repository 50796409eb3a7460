// Command testall runs every test of the house: Go with the race detector against a throw-away Postgres, the web
// client's unit tests, and the browser tests on a stack of their own. It brings what they need by itself: Postgres,
// npm's packages, and a browser where the machine has none. Its last line counts them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// count is how many tests of a suite passed, failed and were skipped.
type count struct{ passed, failed, skipped int }

func (c *count) add(other count) {
	c.passed += other.passed
	c.failed += other.failed
	c.skipped += other.skipped
}

func (c count) String() string {
	text := fmt.Sprintf("%d passed, %d failed", c.passed, c.failed)
	if c.skipped > 0 {
		text = fmt.Sprintf("%d skipped, ", c.skipped) + text
	}
	return text
}

// suite is one kind of tests; run prints what a person wants to read and counts. An error means that the suite itself
// did not work, which counts as a failure.
type suite struct {
	name string
	run  func(ctx context.Context) (count, error)
}

func suites() []suite {
	return []suite{
		{"go", runGo},
		{"web", func(ctx context.Context) (count, error) { return runVitest(ctx, "test") }},
		{"browser", func(ctx context.Context) (count, error) { return runVitest(ctx, "e2e") }},
	}
}

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	total, err := run(context.Background())
	if err != nil {
		logger.Error("tests", slog.String("error", err.Error()))
		total.failed++
	}
	fmt.Fprintln(os.Stdout, total)
	if total.failed > 0 {
		os.Exit(1)
	}
}

// run runs the suites named on the command line, or all of them, one after the other, also after a failure.
func run(ctx context.Context) (count, error) {
	flag.Parse()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	var total count
	if err := embedded.NodeModules(ctx, "web"); err != nil {
		return total, err
	}
	var problems []error
	for _, s := range suites() {
		if flag.NArg() > 0 && !slices.Contains(flag.Args(), s.name) {
			continue
		}
		fmt.Fprintf(os.Stdout, "\n=== %s tests\n", s.name)
		begun := time.Now()
		counted, err := s.run(ctx)
		total.add(counted)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s tests: %w", s.name, err))
		}
		fmt.Fprintf(os.Stdout, "=== %s tests: %s (%s)\n", s.name, counted, time.Since(begun).Round(time.Second))
		if ctx.Err() != nil {
			break
		}
	}
	return total, errors.Join(problems...)
}

// tail is the end of a text, at a line's beginning.
func tail(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	_, rest, _ := strings.Cut(text[len(text)-limit:], "\n")
	return "…\n" + rest
}
