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
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// runGo tests all our modules against their own Postgres, the product's first.
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
	for _, file := range append([]string{"go.mod"}, modules...) {
		counted, testErr := testModule(ctx, filepath.Dir(file), out)
		total.add(counted)
		err = errors.Join(err, testErr)
	}
	return total, err
}

// testModule tests every package of the module in dir that has tests: those that start whole stacks one at a time, because
// several at once starve each other and the browser's, and before the rest, because processes that starve refuse their work; beside them
// the rest, one package per core.
func testModule(ctx context.Context, dir string, out io.Writer) (total count, err error) {
	packages, err := testedPackages(ctx, dir)
	if err != nil {
		return total, err
	}
	stacks, others := stacksApart(packages)
	var ofStacks bytes.Buffer
	var countedStacks count
	var stacksErr error
	var running sync.WaitGroup
	running.Go(func() {
		countedStacks, stacksErr = testPackages(withPriority(ctx, stackPriority, "go"), dir, stacks, 1, &ofStacks)
	})
	total, err = testPackages(withPriority(ctx, lowPriority, "go"), dir, others, runtime.NumCPU(), out)
	running.Wait()
	fmt.Fprint(out, ofStacks.String())
	total.add(countedStacks)
	return total, errors.Join(err, stacksErr)
}

// testPackages tests the packages with the go command, so many at a time.
func testPackages(command *exec.Cmd, dir string, packages []string, atOnce int, out io.Writer) (total count, err error) {
	if len(packages) == 0 {
		return total, nil
	}
	command.Args = append(command.Args, "test", "-timeout=45m", "-json", "-vet=off", "-p="+strconv.Itoa(atOnce)) // `make check` vets
	command.Args = append(command.Args, packages...)
	command.Dir, command.Stderr = dir, os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return total, fmt.Errorf("run go test: %w", err)
	}
	if err := command.Start(); err != nil {
		return total, fmt.Errorf("run go test: %w", err)
	}
	total, err = countGo(output, out)
	waited := command.Wait()
	if total.failed > 0 {
		return total, err // the failures are in the count
	}
	return total, errors.Join(err, waited)
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

// stacksApart separates the scripts, of which some start whole stacks and wait minutes for them, from the other packages.
func stacksApart(packages []string) (stacks, others []string) {
	for _, name := range packages {
		if strings.Contains(name, "/scripts/") {
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

// closePackage prints a package's line; one that failed without a failed test did not build, or ended early.
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
