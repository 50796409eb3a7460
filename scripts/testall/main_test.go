package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCountGo_Events_AreCounted(t *testing.T) {
	t.Parallel()
	events := strings.Join([]string{
		`{"Action":"run","Package":"p","Test":"TestA"}`,
		`{"Action":"output","Package":"p","Test":"TestA","Output":"quiet\n"}`,
		`{"Action":"pass","Package":"p","Test":"TestA"}`,
		`{"Action":"output","Package":"p","Test":"TestB/sub","Output":"what went wrong\n"}`,
		`{"Action":"fail","Package":"p","Test":"TestB/sub"}`,
		`{"Action":"fail","Package":"p","Test":"TestB"}`,
		`{"Action":"skip","Package":"p","Test":"TestC"}`,
		`{"Action":"output","Package":"p","Test":"TestD","Output":"panic: nobody ended this test\n"}`,
		`{"Action":"fail","Package":"p","Elapsed":1.5}`,
		`{"ImportPath":"q","Action":"build-output","Output":"q.go:1: syntax error\n"}`,
		`{"ImportPath":"q","Action":"build-fail"}`,
		`{"Action":"fail","Package":"q","Elapsed":0}`,
		`{"Action":"pass","Package":"r","Elapsed":0.1}`,
		`not JSON`,
	}, "\n")
	var out bytes.Buffer
	total, err := countGo(strings.NewReader(events), &out)
	require.NoError(t, err)
	require.Equal(t, []string{
		"p TestB/sub\nwhat went wrong", "p TestB\n", "p ended early\npanic: nobody ended this test", "q\nq.go:1: syntax error",
	}, total.failures)
	require.Equal(t, []string{"p", "q"}, total.where)
	total.failures, total.where = nil, nil
	require.Equal(t, count{passed: 1, failed: 4, skipped: 1}, total)
	require.Equal(t, "1 skipped, 1 passed, 4 failed", total.String())
	require.Contains(t, out.String(), "what went wrong")
	require.Contains(t, out.String(), "nobody ended this test")
	require.Contains(t, out.String(), "syntax error")
	require.Contains(t, out.String(), "FAIL p (1.5 s)")
	require.Contains(t, out.String(), "ok   r (0.1 s)")
	require.Contains(t, out.String(), "not JSON")
	require.NotContains(t, out.String(), "quiet")
}

// A module missing from the lists is neither checked nor kept up to date.
func TestModules_AreAllInTheLists(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("../..", name))
		require.NoError(t, err)
		return string(text)
	}
	named := regexp.MustCompile(`(?m)^(?:TOOL_)?MODULES := (.*)$`).FindAllStringSubmatch(read("Makefile"), -1)
	require.Len(t, named, 2)
	checked := strings.Fields(named[0][1] + " " + named[1][1])
	updates := read(".github/dependabot.yml")
	found := 0
	require.NoError(t, filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && (name == "node_modules" || name == ".git" || name == ".data") {
			return filepath.SkipDir
		}
		if name != "go.mod" && name != "package-lock.json" {
			return nil
		}
		folder, err := filepath.Rel("../..", filepath.Dir(path))
		if name == "go.mod" {
			require.Contains(t, checked, folder, "in the Makefile")
		}
		found++
		require.Contains(t, updates, "      - /"+strings.TrimPrefix(folder, ".")+"\n", "in dependabot.yml")
		return err
	}))
	require.Equal(t, len(checked)+3, found)
}

func TestCountVitest_Report_IsCounted(t *testing.T) {
	t.Parallel()
	total, err := countVitest([]byte(`{"numPassedTests":3,"numFailedTests":1,"numPendingTests":1,"numTodoTests":1,
		"testResults":[{"name":"a.ts","status":"failed","message":"no such module","assertionResults":[]},{"name":"b.ts",
		"status":"failed","assertionResults":[{"fullName":"pays twice","status":"failed","failureMessages":["expected 1"]},
		{"fullName":"pays","status":"passed"}]}]}`))
	require.NoError(t, err)
	require.Equal(t, count{passed: 3, failed: 2, skipped: 2, failures: []string{
		"a.ts\nno such module", "b.ts pays twice\nexpected 1",
	}, where: []string{"a.ts", "b.ts"}}, total)
	_, err = countVitest([]byte(`<html>`))
	require.Error(t, err)
}

func TestTwice_FewFailures_RunASecondTime(t *testing.T) {
	t.Parallel()
	runs := func(answers ...count) (func([]string) (count, error), *[][]string) {
		var asked [][]string
		return func(files []string) (count, error) {
			asked = append(asked, files)
			return answers[len(asked)-1], nil
		}, &asked
	}
	bad := count{passed: 7, failed: 2, skipped: 1, failures: []string{"a x\nlate", "b y\nwrong"}, where: []string{"a", "b"}}
	run, asked := runs(bad, count{passed: 3, failed: 1, failures: []string{"b y\nwrong again"}, where: []string{"b"}})
	total, err := twice(run)
	require.NoError(t, err)
	require.Equal(t, count{passed: 8, failed: 1, skipped: 1, failures: []string{"b y\nwrong again"}, unsteady: []string{"a x\nlate"}}, total)
	require.Equal(t, [][]string{nil, {"a", "b"}}, *asked)

	many := count{failed: 4, where: []string{"a", "b", "c", "d"}}
	for _, stands := range []count{{passed: 9}, many} {
		run, asked = runs(stands)
		total, err = twice(run)
		require.NoError(t, err)
		require.Equal(t, stands, total)
		require.Len(t, *asked, 1)
	}
}

func TestTail_BeginsAtALine(t *testing.T) {
	t.Parallel()
	require.Equal(t, "short", tail("short", 10))
	require.Equal(t, "…\nthree\n", tail("one\ntwo\nthree\n", 8))
}

func TestPriority_OtherTests_IsBelowTheBrowsers(t *testing.T) {
	t.Parallel()
	priority := func(command *exec.Cmd) int {
		output, err := command.Output()
		require.NoError(t, err)
		number, err := strconv.Atoi(strings.TrimSpace(string(output)))
		require.NoError(t, err)
		return number
	}
	own := priority(exec.CommandContext(t.Context(), "nice"))
	require.Equal(t, min(own+lowPriority, 19), priority(withPriority(t.Context(), lowPriority, "nice")))
}

func TestStacksApart_PackagesWithStacks_AreSeparate(t *testing.T) {
	t.Parallel()
	stacks, others := stacksApart([]string{"x/api", "x/scripts/faults", "x/scripts/admin/numbers", "x/scripts/production"})
	require.Equal(t, []string{"x/scripts/faults", "x/scripts/production"}, stacks)
	require.Equal(t, []string{"x/api", "x/scripts/admin/numbers"}, others)
}

func TestRunSuites_Parallel_PrintInOrder(t *testing.T) {
	t.Parallel()
	second := make(chan struct{})
	boom := errors.New("boom")
	var out bytes.Buffer
	total, err := runSuites(t.Context(), []suite{
		{name: "first", run: func(_ context.Context, out io.Writer) (count, error) {
			<-second // ends only once the parallel suite has started
			fmt.Fprintln(out, "one")
			return count{passed: 1, failed: 1}, nil
		}},
		{name: "second", beside: true, run: func(_ context.Context, out io.Writer) (count, error) {
			fmt.Fprintln(out, "two")
			close(second)
			return count{passed: 2}, boom
		}},
		{name: "third", run: func(_ context.Context, out io.Writer) (count, error) {
			fmt.Fprintln(out, "three")
			return count{skipped: 3}, nil
		}},
	}, &out)
	require.ErrorIs(t, err, boom)
	require.Equal(t, count{passed: 3, failed: 1, skipped: 3}, total)
	require.Equal(t, "\n=== first tests\none\n=== first tests: 1 passed, 1 failed (0s)\n"+
		"\n=== second tests\ntwo\n=== second tests: 2 passed, 0 failed (0s)\n"+
		"\n=== third tests\nthree\n=== third tests: 3 skipped, 0 passed, 0 failed (0s)\n", out.String())
}
