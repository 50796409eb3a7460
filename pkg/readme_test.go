package pkg_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mostLines is how long a domain's README may be.
const mostLines = 60

var (
	namesTest   = regexp.MustCompile("`(Test\\w+)`")
	namesFile   = regexp.MustCompile("`(\\w+\\.go)`")
	namesRow    = regexp.MustCompile("`([a-z][a-z0-9_]*)`")
	definesTest = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	returnsRule = regexp.MustCompile(`(?m)^func \w+\(\) lifecycle\.Table\[`)
)

func TestEveryDomainHasAREADME(t *testing.T) {
	t.Parallel()
	tests := testsOfTheModule(t)
	for _, domain := range domains(t) {
		t.Run(domain, func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(filepath.Join(domain, "README.md"))
			require.NoError(t, err)
			text := string(raw)
			require.LessOrEqual(t, strings.Count(text, "\n"), mostLines, "lines")
			require.True(t, strings.HasPrefix(text, "# "+domain+": "), "the title is the folder's name and what it is")
			for _, part := range []string{"\n**It does not own** ", "\n## What it promises\n"} {
				require.Contains(t, text, part)
			}
			require.ElementsMatch(t, owners()[domain], namedRows(t, text), "the tables that it owns")
			for _, promise := range promises(text) {
				require.Regexp(t, namesTest, promise, "each promise names the test that holds it")
			}
			for _, found := range namesTest.FindAllStringSubmatch(text, -1) {
				require.True(t, tests[found[1]], "there is no test %s", found[1])
			}
			for _, found := range namesFile.FindAllStringSubmatch(text, -1) {
				require.FileExists(t, filepath.Join(domain, found[1]))
			}
		})
	}
}

// A diagram is compared with its table by testkit.RequireDiagram; here no table lacks one.
func TestEveryTableOfTransitionsIsDrawn(t *testing.T) {
	t.Parallel()
	tables := 0
	for _, domain := range domains(t) {
		code, tests := "", ""
		require.NoError(t, filepath.WalkDir(domain, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") {
				return err
			}
			raw, err := os.ReadFile(filepath.Clean(file))
			if strings.HasSuffix(file, "_test.go") {
				tests += string(raw)
			} else {
				code += string(raw)
			}
			return err
		}))
		found := len(returnsRule.FindAllString(code, -1))
		require.Equal(t, found, strings.Count(tests, "testkit.RequireDiagram("), domain)
		tables += found
	}
	require.Positive(t, tables)
}

// domains are the folders of pkg that hold neither adapters, nor the platform, nor what tests share.
func domains(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	var names []string
	for _, entry := range entries {
		if entry.IsDir() && !slices.Contains([]string{"adapter", "decisions", "platform", "testkit"}, entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names
}

// namedRows are the tables in the paragraph that says what the domain owns.
func namedRows(t *testing.T, text string) (names []string) {
	t.Helper()
	_, paragraph, found := strings.Cut(text, "\n**It owns** ")
	require.True(t, found, "what it owns")
	paragraph, _, _ = strings.Cut(paragraph, "\n\n")
	for _, name := range namesRow.FindAllStringSubmatch(paragraph, -1) {
		names = append(names, name[1])
	}
	return names
}

func promises(text string) (list []string) {
	_, text, _ = strings.Cut(text, "\n## What it promises\n")
	text, _, _ = strings.Cut(text, "\n## ")
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "- ") {
			list = append(list, line)
		}
	}
	return list
}

func testsOfTheModule(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, folder := range []string{".", "../api", "../migrations", "../scripts", "../worker"} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			raw, err := os.ReadFile(filepath.Clean(path))
			require.NoError(t, err)
			for _, found := range definesTest.FindAllStringSubmatch(string(raw), -1) {
				names[found[1]] = true
			}
			return nil
		}))
	}
	return names
}
