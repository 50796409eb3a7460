package version

import (
	"os"
	"reflect"
	"regexp"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheReleaseGoesBeforeTheCommit(t *testing.T) {
	t.Parallel()
	commit := []debug.BuildSetting{{Key: "vcs.time", Value: "2026-11-23"}, {Key: "vcs.revision", Value: "0d1c3be"}}
	for name, c := range map[string]struct {
		release string
		info    debug.BuildInfo
		want    string
	}{
		"an image":        {"v1.0.0", debug.BuildInfo{Main: debug.Module{Version: "v0.9.0"}, Settings: commit}, "v1.0.0"},
		"go install":      {"", debug.BuildInfo{Main: debug.Module{Version: "v0.9.0"}}, "v0.9.0"},
		"a checkout":      {"", debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: commit}, "0d1c3be"},
		"nothing is told": {"", debug.BuildInfo{}, "development"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, describe(c.release, &c.info))
		})
	}
}

// The linker says nothing of a name that does not exist.
func TestTheImageSetsTheVariableThatIsRead(t *testing.T) {
	t.Parallel()
	type here struct{}
	text, err := os.ReadFile("../../../scripts/Dockerfile")
	require.NoError(t, err)
	found := regexp.MustCompile(`-X (\S+)=\$VERSION`).FindSubmatch(text)
	require.NotNil(t, found)
	require.Equal(t, reflect.TypeFor[here]().PkgPath()+".release", string(found[1]))
}
