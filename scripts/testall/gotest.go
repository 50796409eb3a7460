package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// runGo tests all our modules against their own Postgres.
func runGo(ctx context.Context, out io.Writer) (total count, err error) {
	modules, err := filepath.Glob("scripts/*/go.mod")
	if err != nil {
		return total, fmt.Errorf("list the modules: %w", err)
	}
	if os.Getenv("TEST_DATABASE_URL") == "" {
		server, remove, startErr := startDatabase(ctx)
		if startErr != nil {
			return total, startErr
		}
		defer func() { err = errors.Join(err, server.Stop(), remove()) }()
		if err := os.Setenv("TEST_DATABASE_URL", server.SuperuserURL("postgres")); err != nil {
			return total, fmt.Errorf("hand on the database: %w", err)
		}
	}
	apart := []batch{}
	for _, file := range modules {
		packages, listErr := testedPackages(ctx, filepath.Dir(file))
		if listErr != nil {
			return total, listErr
		}
		apart = append(apart, batch{filepath.Dir(file), packages})
	}
	packages, err := testedPackages(ctx, ".")
	if err != nil {
		return total, err
	}
	stacks, others := stacksApart(packages)
	return testBeside(ctx, append([]batch{{".", stacks}}, apart...), batch{".", others}, out)
}

// batch is packages of the module in a folder.
type batch struct {
	dir      string
	packages []string
}

// testBeside tests packages one at a time that start whole stacks, because several stacks at once starve each other and the browser's, and
// those of the tools' modules after them; beside these, and after them at the processor, because processes that starve refuse their work, the
// others, one per core.
func testBeside(ctx context.Context, apart []batch, others batch, out io.Writer) (total count, err error) {
	var ofApart bytes.Buffer
	var countedApart count
	var apartErr error
	var running sync.WaitGroup
	running.Go(func() {
		for _, b := range apart {
			counted, err := testPackages(ctx, stackPriority, b, 1, &ofApart)
			countedApart.add(counted)
			apartErr = errors.Join(apartErr, err)
		}
	})
	total, err = testPackages(ctx, lowPriority, others, runtime.NumCPU(), out)
	running.Wait()
	fmt.Fprint(out, ofApart.String())
	total.add(countedApart)
	return total, errors.Join(err, apartErr)
}

// testPackages tests the packages with the go command, so many at a time.
func testPackages(ctx context.Context, niceness int, b batch, atOnce int, out io.Writer) (count, error) {
	if len(b.packages) == 0 {
		return count{}, nil
	}
	return twice(func(failed []string) (count, error) {
		packages := b.packages
		if len(failed) > 0 {
			packages = failed
		}
		command := withPriority(ctx, niceness, "go")
		command.Args = append(command.Args, "test", "-timeout=45m", "-json", "-vet=off", "-p="+strconv.Itoa(atOnce)) // `make check` vets
		command.Args = append(command.Args, packages...)
		command.Dir, command.Stderr = b.dir, os.Stderr
		output, err := command.StdoutPipe()
		if err != nil {
			return count{}, fmt.Errorf("run go test: %w", err)
		}
		if err := command.Start(); err != nil {
			return count{}, fmt.Errorf("run go test: %w", err)
		}
		total, err := countGo(output, out)
		waited := command.Wait()
		if total.failed > 0 {
			return total, err // the failures are in the count
		}
		return total, errors.Join(err, waited)
	})
}

// testedPackages skips packages without tests, which would only be compiled.
func testedPackages(ctx context.Context, dir string) ([]string, error) {
	const format = `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}`
	output, err := exec.CommandContext(ctx, "go", "list", "-C", dir, "-f", format, "./...").Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			return nil, fmt.Errorf("list the Go packages: %w\n%s", err, exit.Stderr)
		}
		return nil, fmt.Errorf("list the Go packages: %w", err)
	}
	return strings.Fields(string(output)), nil
}

// stacksApart separates the packages that start whole stacks, and wait minutes for them, from the others.
func stacksApart(packages []string) (stacks, others []string) {
	for _, name := range packages {
		if slices.Contains([]string{"faults", "production"}, path.Base(name)) {
			stacks = append(stacks, name)
		} else {
			others = append(others, name)
		}
	}
	return stacks, others
}

func startDatabase(ctx context.Context) (*embedded.Postgres, func() error, error) {
	repository, err := os.Getwd()
	if err != nil {
		return nil, nil, fmt.Errorf("find the repository: %w", err)
	}
	if err := embedded.Install(ctx, repository); err != nil {
		return nil, nil, err
	}
	folder, remove, err := embedded.MemoryFolder()
	if err != nil {
		return nil, nil, err
	}
	// Tests provoke errors on purpose, so the server's log would only bury what matters.
	server, err := embedded.StartPostgres(ctx, embedded.PostgresConfig{
		Repository: repository, Data: filepath.Join(folder, "data"), Throwaway: true, Log: io.Discard,
		// To plan a statement costs most tests more than to run it.
		Settings: map[string]string{"plan_cache_mode": "force_generic_plan"},
	})
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	if err := server.GiveWay(lowPriority); err != nil {
		return nil, nil, errors.Join(err, server.Stop(), remove())
	}
	return server, remove, nil
}

// event is a line of `go test -json`.
type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64
}

// takeUnended removes what a package's unfinished tests printed, and returns it if the package failed: a panic ended them along
// with it, and none of them is reported as failed.
func takeUnended(outputs map[string]string, e event) string {
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(outputs)) {
		if !strings.HasPrefix(key, e.Package+" ") {
			continue
		}
		if e.Action == "fail" {
			text.WriteString(tail(outputs[key], 20_000))
		}
		delete(outputs, key)
	}
	return text.String()
}

// countGo counts tests, including subtests, and prints a line per package and the output of failed tests and builds.
func countGo(events io.Reader, out io.Writer) (count, error) {
	var total count
	outputs := map[string]string{}
	failed := map[string]int{}
	lines := bufio.NewScanner(events)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			fmt.Fprintln(out, lines.Text()) // not from a test
			continue
		}
		key := e.Package + e.ImportPath + " " + e.Test
		switch e.Action {
		case "output", "build-output":
			if !strings.HasPrefix(e.Output, "=== ") { // skip the lines where a test starts or waits
				outputs[key] += e.Output
			}
		case "pass", "skip", "fail":
			if e.Action == "fail" && e.Test == "" {
				total.where = append(total.where, e.Package)
			}
			output := outputs[key]
			delete(outputs, key)
			if e.Test != "" {
				total.add(countTest(e, output, failed))
			} else {
				unended := takeUnended(outputs, e)
				if unended != "" {
					failed[e.Package]++
					total.add(failedTest(e.Package+" ended early", unended))
				}
				total.add(closePackage(e, output, failed[e.Package], out))
				output += unended
			}
			if e.Action == "fail" {
				fmt.Fprint(out, tail(output, 20_000))
			}
		case "build-fail":
			fmt.Fprint(out, tail(outputs[key], 20_000))
		}
	}
	return total, lines.Err()
}

func countTest(e event, output string, failed map[string]int) count {
	switch e.Action {
	case "pass":
		return count{passed: 1}
	case "skip":
		return count{skipped: 1}
	default:
		failed[e.Package]++
		return failedTest(e.Package+" "+e.Test, output)
	}
}

// closePackage prints a package's line; a failed package without a failed test did not build, or ended early.
func closePackage(e event, output string, failedTests int, out io.Writer) count {
	mark := "ok  "
	if e.Action == "fail" {
		mark = "FAIL"
	}
	fmt.Fprintf(out, "%s %s (%.1f s)\n", mark, e.Package, e.Elapsed)
	if e.Action == "fail" && failedTests == 0 {
		return failedTest(e.Package, output)
	}
	return count{}
}
