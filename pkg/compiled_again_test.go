package pkg_test

import (
	"bytes"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A test of `package x` changes x for its binary. If tests of `package x_test` in the same folder import packages that import x, all these
// are compiled again for this one binary. Move the importing tests into another folder, or the internal tests out.
func TestBinaries_FewPackages_AreCompiledAgain(t *testing.T) {
	t.Parallel()
	// The adapters of gateways, which app imports, do not count: each further gateway adds one.
	const most, gateways = 6, "/pkg/adapter/gateway/"
	command := exec.CommandContext(t.Context(), "go", "list", "-deps", "-test", "-f", "{{.ImportPath}}", "./...")
	command.Dir = ".."
	var failure bytes.Buffer
	command.Stderr = &failure
	output, err := command.Output()
	require.NoError(t, err, failure.String())
	variant := regexp.MustCompile(`(?m)^(\S+) \[(\S+)\.test\]$`)
	again, tests := map[string][]string{}, 0
	for _, found := range variant.FindAllStringSubmatch(string(output), -1) {
		compiled, tested := found[1], found[2]
		tests++
		if compiled != tested && compiled != tested+"_test" && !strings.Contains(compiled, gateways) {
			again[tested] = append(again[tested], compiled)
		}
	}
	require.Positive(t, tests)
	for tested, compiled := range again {
		require.LessOrEqual(t, len(compiled), most, "for the tests of %s: %s", tested, strings.Join(compiled, ", "))
	}
}
