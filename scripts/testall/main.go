// Command testall runs every test in the repository: Go against a throw-away Postgres, the web client's
// unit tests, and the browser tests on their own stack. It installs what they need: Postgres, npm packages, and a browser if
// the machine has none. It ends with what failed, and its last line gives the totals.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// count is the number of passed, failed and skipped tests of a suite, and what each failed one printed last, under its name.
type count struct {
	passed, failed, skipped int
	failures                []string
	where                   []string // the packages or files with failures
	unsteady                []string // like failures, of tests that passed the second time
}

func (c *count) add(other count) {
	c.passed += other.passed
	c.failed += other.failed
	c.skipped += other.skipped
	c.failures = append(c.failures, other.failures...)
	c.unsteady = append(c.unsteady, other.unsteady...)
}

// failedTest counts one.
func failedTest(name, output string) count {
	const limit = 1500
	return count{failed: 1, failures: []string{name + "\n" + tail(strings.TrimSpace(output), limit)}}
}

func (c count) String() string {
	text := fmt.Sprintf("%d passed, %d failed", c.passed, c.failed)
	if c.skipped > 0 {
		text = fmt.Sprintf("%d skipped, ", c.skipped) + text
	}
	return text
}

// twice runs all tests, then repeats the packages or files that failed. The suites and linters share the processors, so a test sometimes
// waits too long for a browser or a process. A test that passes the second time counts as passed and is reported as unsteady. Failures
// in more than a few packages or files have another cause, so twice does not repeat them.
func twice(run func(where []string) (count, error)) (count, error) {
	const few = 3
	first, err := run(nil)
	if err != nil || first.failed == 0 || len(first.where) > few {
		return first, err
	}
	second, err := run(first.where)
	failsAgain := func(failure string) bool {
		name, _, _ := strings.Cut(failure, "\n")
		return slices.ContainsFunc(second.failures, func(other string) bool { return strings.HasPrefix(other, name+"\n") })
	}
	return count{
		passed:   first.passed + max(first.failed-second.failed, 0),
		failed:   second.failed,
		skipped:  first.skipped,
		failures: second.failures,
		unsteady: slices.DeleteFunc(slices.Clone(first.failures), failsAgain),
	}, err
}

// suite is one kind of test; run prints the report and counts. An error means that the suite itself did not work, which counts
// as a failure.
type suite struct {
	name string
	run  func(ctx context.Context, out io.Writer) (count, error)
	// beside makes the suite run in parallel with the previous one, and print after it.
	beside bool
}

func suites() []suite {
	return []suite{
		{name: "go", run: runGo},
		{name: "web", beside: true, run: func(ctx context.Context, out io.Writer) (count, error) {
			npm := func(script string) (count, error) {
				return twice(func(files []string) (count, error) {
					arguments := append([]string{"run", "--silent", script, "--"}, files...)
					return runVitest(withPriority(ctx, lowPriority, "npm", arguments...), out)
				})
			}
			total, err := npm("test")
			if err != nil {
				return total, err
			}
			hindi, err := npm("test:hindi")
			total.add(hindi)
			return total, err
		}},
		{name: "browser", beside: true, run: func(ctx context.Context, out io.Writer) (count, error) {
			return twice(func(files []string) (count, error) {
				command := exec.CommandContext(ctx, "npm", append([]string{"run", "--silent", "e2e", "--"}, files...)...)
				// They wait more than they compute: one file at a time leaves half a processor idle. E2E_WORKERS=1 is for who looks on.
				command.Env = append([]string{"E2E_WORKERS=2"}, os.Environ()...)
				return runVitest(command, out)
			})
		}},
	}
}

// The browser tests run in parallel with all others, mostly wait for a page, and fail if it does not answer in time: one of them is worth
// nine of the others to the scheduler, and three of the tests that start whole stacks without a browser, which wait and fail likewise.
const (
	lowPriority   = 10
	stackPriority = 5
)

// withPriority returns a command that yields the processor to the browser tests.
func withPriority(ctx context.Context, niceness int, name string, arguments ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "nice", append([]string{"-n", strconv.Itoa(niceness), name}, arguments...)...)
}

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	total, err := run(context.Background())
	if err != nil {
		logger.Error("tests", slog.String("error", err.Error()))
		total.failed++
	}
	for _, text := range total.failures {
		fmt.Fprintf(os.Stdout, "\n=== failed: %s\n", text)
	}
	for _, text := range total.unsteady {
		fmt.Fprintf(os.Stdout, "\n=== failed, and passed the second time: %s\n", text)
	}
	fmt.Fprintln(os.Stdout, total)
	if total.failed > 0 {
		os.Exit(1)
	}
}

// run runs the suites named on the command line, or all of them, continuing after failures.
func run(ctx context.Context) (count, error) {
	flag.Parse()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := embedded.NodeModules(ctx, "web"); err != nil {
		return count{}, err
	}
	wanted := slices.DeleteFunc(suites(), func(s suite) bool { return flag.NArg() > 0 && !slices.Contains(flag.Args(), s.name) })
	return runSuites(ctx, wanted, os.Stdout)
}

// result is a suite's outcome.
type result struct {
	counted count
	err     error
	took    time.Duration
}

// runSuites runs the suites one after the other, except those marked beside, and prints them in order.
func runSuites(ctx context.Context, wanted []suite, out io.Writer) (count, error) {
	var total count
	var problems []error
	for len(wanted) > 0 && ctx.Err() == nil {
		together := 1
		for together < len(wanted) && wanted[together].beside {
			together++
		}
		outputs := make([]bytes.Buffer, together)
		results := make([]chan result, together)
		for i, s := range wanted[:together] {
			to := io.Writer(&outputs[i])
			if i == 0 {
				fmt.Fprintf(out, "\n=== %s tests\n", s.name)
				to = out
			}
			results[i] = make(chan result, 1)
			go func() {
				begun := time.Now()
				counted, err := s.run(ctx, to)
				results[i] <- result{counted, err, time.Since(begun)}
			}()
		}
		for i, s := range wanted[:together] {
			r := <-results[i]
			if i > 0 {
				fmt.Fprintf(out, "\n=== %s tests\n%s", s.name, outputs[i].String())
			}
			total.add(r.counted)
			if r.err != nil {
				problems = append(problems, fmt.Errorf("%s tests: %w", s.name, r.err))
			}
			fmt.Fprintf(out, "=== %s tests: %s (%s)\n", s.name, r.counted, r.took.Round(time.Second))
		}
		wanted = wanted[together:]
	}
	return total, errors.Join(problems...)
}

// tail returns the end of a text, starting at the beginning of a line.
func tail(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	_, rest, _ := strings.Cut(text[len(text)-limit:], "\n")
	return "…\n" + rest
}
