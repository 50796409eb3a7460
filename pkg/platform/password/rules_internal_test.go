package password

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func TestCommonPasswords_RepetitionsSequencesAndRows_AreRecognised(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "a": "a", "abab": "ab", "abcabcabc": "abc", "aaaa": "a", "ababa": "ababa", "abcd": "abcd"} {
		require.Equal(t, want, unit(text))
	}
	for text, want := range map[string]bool{
		"12345678": true, "87654321": true, "78901234": true, "32109876": true, "abcdefgh": true, "hgfedcba": true, "aaaaaaaa": true, "1234567": false,
		"12345679": false, "abcdefgi": false, "": false,
	} {
		require.Equal(t, want, isRun(text), text)
	}
	for text, want := range map[string]bool{
		"qwerty": true, "ytrewq": true, "asdf1234zxcv": true, "qwertasdfg": true, "qwe": false, "qwertyx": false, "12345": false, "": false, "mango": false,
	} {
		require.Equal(t, want, isWalk(text), text)
	}
	require.True(t, fewRunes("abababcdcd"))
	require.False(t, fewRunes("abcde"))
	require.Equal(t, "password", plainLetters("p@$$w0rd"))
	require.Equal(t, "welcome", onlyWord([]string{"w3lc0me", "welcome1!"}), "digits behind a word are dress")
	require.Empty(t, onlyWord([]string{"mango", "tree"}))
	require.Empty(t, onlyWord(nil))
}

// Any accepted password follows the rules by another implementation, and does not contain a personal detail.
func TestCheck_AnyAcceptedPassword_FollowsTheRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		password := rapid.OneOf(rapid.StringN(0, 40, 140), rapid.StringMatching(`[A-Za-z0-9#@ ]{0,24}`)).Draw(t, "password")
		var v errs.Validation
		if Check(&v, "password", password, "9876543210", "asha@example.in", "Sharma"); v.Err() != nil {
			return
		}
		n := utf8.RuneCountInString(password)
		require.GreaterOrEqual(t, n, 8)
		require.LessOrEqual(t, len(password), 128)
		require.NotContains(t, password, "\x00")
		if n < 15 {
			require.NotContains(t, password, " ")
			// Not by the other case of the whole: ƛ is a small letter that has no capital.
			require.True(t, strings.ContainsFunc(password, func(r rune) bool { return unicode.In(r, unicode.Lu, unicode.Lt) }))
			require.True(t, strings.ContainsFunc(password, func(r rune) bool { return unicode.In(r, unicode.Ll) }))
		}
		for _, own := range []string{"9876543210", "asha", "sharma"} {
			require.NotContains(t, strings.ToLower(password), own)
		}
	})
}
