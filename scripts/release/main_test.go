package main

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/stack"
)

func TestRelease_VersionAndChangelog_MustAgree(t *testing.T) {
	t.Parallel()
	const good = "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2027-01-31\n\n### Added\n\n- Something.\n"
	require.NoError(t, described("v1.2.0", good))
	for name, c := range map[string]struct{ version, changes, problem string }{
		"no version":      {"1.2.0", good, "not a version"},
		"leading nought":  {"v1.02.0", good, "not a version"},
		"another version": {"v1.3.0", good, "the newest version in CHANGELOG.md is [1.2.0]"},
		"unreleased":      {"v1.2.0", strings.Replace(good, "[Unreleased]\n", "[Unreleased]\n\n- More.\n", 1), "changes under Unreleased"},
		"no date":         {"v1.2.0", strings.Replace(good, " - 2027-01-31", "", 1), "has no date"},
		"no such day":     {"v1.2.0", strings.Replace(good, "2027-01-31", "2027-02-31", 1), "has no date"},
		"says nothing":    {"v1.2.0", strings.Replace(good, "- Something.", "", 1), "says nothing"},
		"nothing yet":     {"v1.2.0", "# Changelog\n\n## [Unreleased]\n\n- Something.\n", "no Unreleased section with a version"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.ErrorContains(t, described(c.version, c.changes), c.problem)
		})
	}
}

func TestRelease_UncommittedFileOrForeignTag_IsRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	git := func(arguments ...string) {
		command := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.in"}, arguments...)...)
		command.Dir = folder
		out, err := command.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "--date=2027-01-31T10:00:00Z", "-m", "x")
	at, err := commit(t.Context(), folder)
	require.NoError(t, err)
	require.False(t, at.IsZero())
	require.NoError(t, os.WriteFile(filepath.Join(folder, "new.go"), nil, 0o600))
	_, err = commit(t.Context(), folder)
	require.ErrorContains(t, err, "new.go")

	tagged, err := tag(t.Context(), folder, "v1.2.0")
	require.NoError(t, err)
	require.False(t, tagged, "nobody has made it yet")
	git("tag", "-a", "v1.2.0", "-m", "x")
	tagged, err = tag(t.Context(), folder, "v1.2.0")
	require.NoError(t, err)
	require.True(t, tagged)
	git("commit", "-q", "--allow-empty", "-m", "y")
	_, err = tag(t.Context(), folder, "v1.2.0")
	require.ErrorContains(t, err, "v1.2.0 is the tag of")
}

// npm gives each list a new name and the call's time; a release of the same commit has the same bytes.
func TestWebSBOM_IsReproducible(t *testing.T) {
	t.Parallel()
	at := time.Date(2027, time.January, 31, 10, 0, 0, 0, time.UTC)
	list := func(name, called string) string {
		body, err := settled([]byte(`{"bomFormat":"CycloneDX","serialNumber":"urn:uuid:`+name+`","metadata":{"timestamp":"`+called+`"},"components":[{"name":"react"}]}`), at)
		require.NoError(t, err)
		return string(body)
	}
	once := list("f858b564-2a79-49d9-a9b4-07a4b0fde005", "2027-02-01T10:00:00.123Z")
	require.Equal(t, once, list("0193a0c0-0000-7000-8000-000000000001", "2027-02-02T10:00:00.000Z"))
	require.Contains(t, once, `"timestamp": "2027-01-31T10:00:00Z"`)
	require.Contains(t, once, `"name": "react"`)
	for _, broken := range []string{"", "npm error", "[]", "{}"} {
		_, err := settled([]byte(broken), at)
		require.Error(t, err, broken)
	}
}

func TestNotes_EqualTheVersionsChangelog(t *testing.T) {
	t.Parallel()
	text := notes("v1.2.0", "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2027-01-31\n\n### Added\n\n- Something.\n\n## [1.1.0] - 2027-01-01\n\n- Older.\n")
	require.True(t, strings.HasPrefix(text, "# Franchise 360 v1.2.0\n\n### Added\n\n- Something.\n"), text)
	require.Contains(t, text, "UPGRADING.md")
	require.NotContains(t, text, "Older")
}

// The same files produce the same bytes, whenever and by whomever they were written.
func TestArchive_IsReproducible(t *testing.T) {
	t.Parallel()
	at := time.Date(2027, time.January, 31, 10, 0, 0, 0, time.UTC)
	pack := func(written time.Time, mode os.FileMode) string {
		folder := t.TempDir()
		for _, name := range []string{"r/web/index.html", "r/bin/api", "r/LICENSE"} {
			path := filepath.Join(folder, "tree", name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, []byte(name), mode))
			require.NoError(t, os.Chtimes(path, written, written))
		}
		require.NoError(t, archive(filepath.Join(folder, "tree"), filepath.Join(folder, "r.tar.gz"), at))
		require.NoError(t, os.RemoveAll(filepath.Join(folder, "tree")))
		require.NoError(t, checksums(folder))
		sums, err := os.ReadFile(filepath.Join(folder, "SHA256SUMS"))
		require.NoError(t, err)
		check := exec.CommandContext(t.Context(), "sha256sum", "-c", "--quiet", "SHA256SUMS")
		check.Dir = folder
		out, err := check.CombinedOutput()
		require.NoError(t, err, string(out))
		file, err := os.Open(filepath.Join(folder, "r.tar.gz"))
		require.NoError(t, err)
		defer func() { require.NoError(t, file.Close()) }()
		zip, err := gzip.NewReader(file)
		require.NoError(t, err)
		var names []string
		for from := tar.NewReader(zip); ; {
			header, err := from.Next()
			if err != nil {
				require.ErrorIs(t, err, io.EOF)
				break
			}
			require.Equal(t, header.Name == "r/bin/api", header.Mode == 0o755)
			names = append(names, header.Name)
		}
		require.Equal(t, []string{"r/LICENSE", "r/bin/api", "r/web/index.html"}, names)
		return string(sums)
	}
	require.Equal(t, pack(at, 0o600), pack(at.AddDate(0, 0, 3), 0o644))
}

// Built in another folder, a program is byte-identical and reports its release.
func TestProgram_BuiltElsewhere_IsIdentical(t *testing.T) {
	t.Parallel()
	var built []string
	for range 2 {
		module, bin := t.TempDir(), t.TempDir()
		require.NoError(t, copyTree("../../pkg/platform/version", filepath.Join(module, "pkg", "platform", "version")))
		require.NoError(t, os.WriteFile(filepath.Join(module, "go.mod"), []byte("module github.com/franchise360/franchise360\n\ngo 1.26\n"), 0o600))
		require.NoError(t, os.MkdirAll(filepath.Join(module, "teller"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(module, "teller", "main.go"), []byte(`package main

import (
	"os"

	"github.com/franchise360/franchise360/pkg/platform/version"
)

func main() { version.Told(os.Args[1:], os.Stdout) }
`), 0o600))
		require.NoError(t, compile(t.Context(), module, bin, "v9.8.7", runtime.GOARCH, "./teller"))
		body, err := os.ReadFile(filepath.Join(bin, "teller"))
		require.NoError(t, err)
		built = append(built, string(body))
		said, err := exec.CommandContext(t.Context(), filepath.Join(bin, "teller"), "version").Output()
		require.NoError(t, err)
		require.Equal(t, "v9.8.7\n", string(said))
	}
	require.True(t, built[0] == built[1], "the two differ") //nolint:testifylint // do not print the programs
}

func TestRelease_FilesAndProgramsExist(t *testing.T) {
	t.Parallel()
	for _, path := range beside() {
		_, err := os.Stat(filepath.Join("../..", path))
		require.NoError(t, err)
	}
	programs, err := stack.Programs("../..")
	require.NoError(t, err)
	require.Subset(t, programs, []string{"./api", "./worker", "./scripts/admin"})
	dockerfile, err := os.ReadFile("../Dockerfile")
	require.NoError(t, err)
	require.Contains(t, string(dockerfile), strings.TrimSuffix(stack.LinkerFlags("$VERSION"), "\""))
}
