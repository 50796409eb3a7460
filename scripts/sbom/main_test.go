package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheListHoldsWhatIsBuiltIn(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), &out, "../..", []string{"./api", "./worker"}))
	var bom document
	require.NoError(t, json.Unmarshal(out.Bytes(), &bom))
	require.Equal(t, "CycloneDX", bom.BOMFormat)
	seen := map[string]component{}
	for _, c := range bom.Components {
		require.NotContains(t, seen, c.Name, "each once")
		require.NotEmpty(t, c.Version, c.Name)
		seen[c.Name] = c
	}
	require.Equal(t, "pkg:golang/github.com/gin-gonic/gin@"+seen["github.com/gin-gonic/gin"].Version, seen["github.com/gin-gonic/gin"].PURL)
	require.Contains(t, seen, "std")
	require.NotContains(t, seen, "github.com/alicebob/miniredis/v2", "of the tests")
	require.Error(t, run(t.Context(), &out, "../..", []string{"./nowhere"}))
}
