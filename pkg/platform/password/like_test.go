package password_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/password"
)

// The part of a hash before the last dollar gives the same hash for the same password and no other: the hash itself stays in the database.
func TestLike_SamePasswordAndSalt_GivesTheSameHash(t *testing.T) {
	t.Parallel()
	h := password.Cheap(1)
	hash, err := h.Hash(t.Context(), "Mango#2026")
	require.NoError(t, err)
	salt := hash[:strings.LastIndex(hash, "$")+1]
	for given, same := range map[string]bool{"Mango#2026": true, "mango#2026": false, "Mango#2026\x00": false, "": false, "माँ": false} {
		like, err := h.Like(t.Context(), salt, given)
		require.NoError(t, err)
		require.Equal(t, same, like == hash, "%q", given)
		require.True(t, strings.HasPrefix(like, salt))
		require.Len(t, like, len(hash))
	}
	like, err := h.Like(t.Context(), "", "Mango#2026")
	require.NoError(t, err)
	require.Empty(t, like, "of an account that there is not")
	for _, broken := range []string{"x", "$", "$argon2id$v=19$m=8,t=0,p=1$AAAA$", "$argon2id$v=19$m=8,t=1,p=0$AAAA$", "$argon2id$v=18$m=8,t=1,p=1$AAAA$", "$argon2id$v=19$m=8,t=1,p=1$A A$"} {
		_, err := h.Like(t.Context(), broken, "Mango#2026")
		require.Error(t, err, broken)
		require.NotContains(t, err.Error(), "Mango", "a failure is logged")
	}
}

// A hash is checked with the costs that it names, so that the costs can change without new passwords.
func TestVerify_HashWithOtherCosts_UsesThem(t *testing.T) {
	t.Parallel()
	hash, err := password.Cheap(1).Hash(t.Context(), "Mango#2026")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(hash, "$argon2id$v=19$m=8,t=1,p=1$"), hash)
	other := password.NewHasher(0)
	for given, want := range map[string]bool{"Mango#2026": true, "Mango#2027": false} {
		ok, err := other.Verify(t.Context(), hash, given)
		require.NoError(t, err)
		require.Equal(t, want, ok)
	}
	for _, key := range []string{"AAAAAAAAAAAAAAAAAAAA", strings.Repeat("A", 88)} { // 15 and 66 bytes
		_, err := other.Verify(t.Context(), hash[:strings.LastIndex(hash, "$")+1]+key, "Mango#2026")
		require.Error(t, err, "a hash that is too short is guessed, and one that is too long is none")
	}
}

func TestHasher_KnownAndUnknownCallers_AreServed(t *testing.T) {
	t.Parallel()
	h := password.Cheap(1)
	for _, known := range []bool{true, false} {
		mine := h.For(known)
		require.NotSame(t, h, mine)
		require.NoError(t, mine.Open())
		hash, err := mine.Hash(t.Context(), "Mango#2026")
		require.NoError(t, err)
		ok, err := h.For(!known).Verify(t.Context(), hash, "Mango#2026")
		require.NoError(t, err)
		require.True(t, ok)
	}
}
