package password_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/password"
)

func TestVerify_OnlyTheExactPassword(t *testing.T) {
	t.Parallel()
	h := password.NewHasher(2)
	hash, err := h.Hash(t.Context(), "Mango#2026")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$"), hash)
	require.NotContains(t, hash, "Mango")

	for given, want := range map[string]bool{"Mango#2026": true, "mango#2026": false, "": false, "Mango#2026 ": false} {
		ok, err := h.Verify(t.Context(), hash, given)
		require.NoError(t, err)
		require.Equal(t, want, ok, given)
	}
	again, err := h.Hash(t.Context(), "Mango#2026")
	require.NoError(t, err)
	require.NotEqual(t, hash, again, "the salt is fresh each time")
}

func TestVerify_EmptyHash_IsNeverRight(t *testing.T) {
	t.Parallel()
	h := password.NewHasher(1)
	for _, given := range []string{"", "Mango#2026"} {
		ok, err := h.Verify(t.Context(), "", given)
		require.NoError(t, err)
		require.False(t, ok)
	}
}

func TestVerify_BrokenHash_ReturnsAnError(t *testing.T) {
	t.Parallel()
	h := password.NewHasher(1)
	for _, broken := range []string{
		"x", "$argon2id$v=19$m=19456,t=2,p=1$AAAA", "$argon2i$v=19$m=1,t=1,p=1$AAAA$AAAA",
		"$argon2id$v=19$m=19456,t=0,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAAAA", "$argon2id$v=19$m=a,t=2,p=1$AAAA$AAAA",
	} {
		_, err := h.Verify(t.Context(), broken, "Mango#2026")
		require.Error(t, err, broken)
	}
}

func TestHash_ContextEnded_ReturnsAtOnce(t *testing.T) {
	t.Parallel()
	h := password.NewHasher(1)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := h.Hash(gone, "x")
	require.ErrorIs(t, err, context.Canceled)
}
