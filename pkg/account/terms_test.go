package account_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
)

// The accepted texts of a version never change: another text needs another version here and in account.TermsVersion, and the earlier
// version stays in this list and in the history of the repository.
func TestTerms_AcceptedVersions_StayUnchanged(t *testing.T) {
	t.Parallel()
	accepted := map[string]map[string]string{
		"2026-11": {
			"privacy": "de2be962f05525e223af1ea2741a645988ce23f06faf8d46bc97d763836532e5",
			"terms":   "4e8653bd987be8c65e8d28b80e97870f264edd2cab6ce750137ae34092776802",
		},
		"2026-11-28": {
			"privacy": "daafaae6e05aecfce4b873d1bf52cfc72506ba8d0c5851c51a78d77edfe10faa",
			"terms":   "4e8653bd987be8c65e8d28b80e97870f264edd2cab6ce750137ae34092776802",
		},
		"2026-11-29": {
			"privacy": "3f9e72aa440ed4078546e00f25042f669bb67d6bd62644403f3ac6caf93c4cb8",
			"terms":   "9351e9fcbfb3cf4c8ad7ceb5a330a8d8ddd199fa9af29823a6f7be3bd2add6a8",
		},
		"2026-11-30": {
			"privacy": "1d73ca028814a8a1ad2cd1073b291c3d9bc431a59e4b5762219c5a69408d7721",
			"terms":   "6154737bc1eb5b25f4ad11b7d744f3b9b22ce524ada9c70c11141ba2f66ef3f9",
		},
	}
	texts := accepted[account.TermsVersion]
	require.NotEmpty(t, texts, account.TermsVersion)
	for name, want := range texts {
		text, err := os.ReadFile("../../web/src/content/legal/" + name + ".md")
		require.NoError(t, err)
		sum := sha256.Sum256(text)
		require.Equal(t, want, hex.EncodeToString(sum[:]), "%s was changed: it needs a new version", name)
	}
}
