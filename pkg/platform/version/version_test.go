package version

import (
	"os"
	"reflect"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersion_Release_IsPreferredToTheCommit(t *testing.T) {
	t.Parallel()
	commit := []debug.BuildSetting{{Key: "vcs.time", Value: "2026-11-23"}, {Key: "vcs.revision", Value: "0d1c3be"}}
	for name, c := range map[string]struct {
		release string
		info    debug.BuildInfo
		want    string
	}{
		"an image":             {"v1.0.0", debug.BuildInfo{Main: debug.Module{Version: "v0.9.0"}, Settings: commit}, "v1.0.0"},
		"go install":           {"", debug.BuildInfo{Main: debug.Module{Version: "v0.9.0"}}, "v0.9.0"},
		"a checkout":           {"", debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: commit}, "0d1c3be"},
		"no build information": {"", debug.BuildInfo{}, "development"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, describe(c.release, &c.info))
		})
	}
}

func TestTold_VersionCommand_PrintsIt(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	require.False(t, Told(nil, &out))
	require.False(t, Told([]string{"version", "of"}, &out))
	require.Empty(t, out.String())
	require.True(t, Told([]string{"version"}, &out))
	require.Equal(t, String()+"\n", out.String())
}

// An operator can print the release of any program in the images.
func TestImagePrograms_EachOne_PrintsItsVersion(t *testing.T) {
	t.Parallel()
	dockerfile, err := os.ReadFile("../../../scripts/Dockerfile")
	require.NoError(t, err)
	programs := regexp.MustCompile(` \./(api|worker|scripts/\w+)\b`).FindAllStringSubmatch(string(dockerfile), -1)
	require.Len(t, programs, 3)
	for _, program := range programs {
		main, err := os.ReadFile("../../../" + program[1] + "/main.go")
		require.NoError(t, err)
		require.Regexp(t, `version\.Told\(os\.Args\[1:\], os\.Stdout\)|process\.Main\(`, string(main), program[1])
	}
}

// The linker silently ignores names that do not exist.
func TestDockerfile_SetsTheVersionVariable(t *testing.T) {
	t.Parallel()
	type here struct{}
	text, err := os.ReadFile("../../../scripts/Dockerfile")
	require.NoError(t, err)
	found := regexp.MustCompile(`-X (\S+)=\$VERSION`).FindSubmatch(text)
	require.NotNil(t, found)
	require.Equal(t, reflect.TypeFor[here]().PkgPath()+".release", string(found[1]))
}
