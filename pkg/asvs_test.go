package pkg_test

import (
	"encoding/csv"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// requirements is how many the standard has of levels 1 and 2.
const requirements = 253

// A table that names missing tests and files proves nothing.
func TestASVSTable_NamedTestsAndFiles_Exist(t *testing.T) {
	t.Parallel()
	file, err := os.Open("asvs.csv")
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	table, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	seen, places := map[string]bool{}, ""
	for _, row := range table[1:] {
		ids, verdict, where, note := row[1], row[2], row[3], row[4]
		for id := range strings.FieldsSeq(ids) {
			require.False(t, seen[id], "%s is listed twice", id)
			seen[id] = true
		}
		require.Contains(t, []string{"met", "part", "n/a"}, verdict, ids)
		require.False(t, verdict == "part" && note == "", "%s has no reason", ids)
		places += where + "\n"
	}
	require.Len(t, seen, requirements)

	known := map[string]bool{}
	for _, folder := range []string{"../api", "../pkg", "../worker", "../scripts", "../migrations"} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && entry.Name() == "node_modules":
				return filepath.SkipDir
			case !strings.HasSuffix(path, "_test.go"):
				return nil
			}
			source, err := os.ReadFile(path)
			for _, name := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(source, -1) {
				known[string(name[1])] = true
			}
			return err
		}))
	}
	for _, name := range regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(places, -1) {
		require.True(t, known[name], "no test is called %s", name)
	}
	for _, path := range regexp.MustCompile(`(?m)(?:^|, )((?:api|pkg|web|worker|scripts)/[^,\n]+)`).FindAllStringSubmatch(places, -1) {
		require.FileExists(t, existing(t, path[1]), path[1])
	}
}

// existing returns the path of a file, or of one in the folder.
func existing(t *testing.T, path string) string {
	t.Helper()
	path = filepath.Join("..", path)
	if entries, err := os.ReadDir(path); err == nil {
		require.NotEmpty(t, entries)
		for _, entry := range entries {
			if !entry.IsDir() {
				return filepath.Join(path, entry.Name())
			}
		}
	}
	return path
}
