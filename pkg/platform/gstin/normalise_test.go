package gstin_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/gstin"
)

// The web client's tests read the same file.
func TestNormalise_PastedForms_GiveTheNumberAlone(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../text/testdata/typed.json")
	require.NoError(t, err)
	var samples struct{ GSTIN [][2]string }
	require.NoError(t, json.Unmarshal(raw, &samples))
	require.NotEmpty(t, samples.GSTIN)
	for _, s := range samples.GSTIN {
		require.Equal(t, s[1], gstin.Normalise(s[0]), "%q", s[0])
	}
	require.True(t, gstin.IsUIN("0717UNO00157UNO"))
	require.True(t, gstin.IsNonResident("9917SGP29001OSB"))
	require.False(t, gstin.IsUIN("27AAPFU0939F1ZV") || gstin.IsNonResident("27AAPFU0939F1ZV"))
}
