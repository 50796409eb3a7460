package session

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func noon() time.Time { return time.Date(2026, time.November, 21, 12, 0, 0, 0, clock.IST) }

// A session is live until its family ends or its idle time is over, exact to the second.
func TestSession_Live_UntilItsIdleTimeOrItsFamilyEnds(t *testing.T) {
	t.Parallel()
	for _, remember := range []bool{false, true} {
		life, idle := account.BrowserLife, account.BrowserIdle
		if remember {
			life, idle = account.RememberedLife, account.RememberedIdle
		}
		tokens, row := Begin("f", remember, account.Origin{}, noon())
		require.Equal(t, []time.Time{noon().Add(life), noon().Add(life)}, []time.Time{tokens.ExpiresAt, row.ExpiresAt})
		require.True(t, row.live(noon()))
		require.True(t, row.live(noon().Add(idle-1)))
		require.False(t, row.live(noon().Add(idle)), "not in use for so long")

		used := row.renew("token", account.Origin{}, noon().Add(life-time.Second))
		require.True(t, used.live(noon().Add(life-1)))
		require.False(t, used.live(noon().Add(life)), "the family has ended, however often it was renewed")
		require.Equal(t, noon().Add(life), used.AccessExpiresAt, "no token outlives its family")
		require.Equal(t, row.ExpiresAt, used.ExpiresAt)

		ended := row
		ended.EndedAt = new(noon())
		require.False(t, ended.live(noon()))
	}
	_, row := Begin("f", false, account.Origin{}, noon())
	require.Equal(t, noon().Add(account.AccessLife), row.AccessExpiresAt)
}

func TestSession_Tokens_AreDistinctAndHashed(t *testing.T) {
	t.Parallel()
	one, row := Begin("f", true, account.Origin{}, noon())
	two, _ := Begin("f", true, account.Origin{}, noon())
	seen := map[string]bool{}
	for _, token := range []string{one.Access, one.Refresh, two.Access, two.Refresh, one.SessionID, two.SessionID} {
		require.False(t, seen[token], "each is its own")
		seen[token] = true
	}
	require.Len(t, one.Access, TokenLength)
	require.Len(t, one.Refresh, TokenLength)
	require.True(t, sameHash(row.AccessHash, one.Access))
	require.False(t, sameHash(row.AccessHash, one.Refresh))
	require.False(t, sameHash(row.AccessHash, ""))

	keys, others := testkit.NewKeyring(t), testkit.OtherKeyring(t)
	next := successors(keys, one.Refresh, row)
	require.Equal(t, next, successors(keys, one.Refresh, row), "two tabs get the same")
	require.NotEqual(t, next.Access, next.Refresh)
	require.NotEqual(t, next.Refresh, successors(others, one.Refresh, row).Refresh, "nobody without the key can tell them")
	require.NotEqual(t, next.Refresh, successors(keys, two.Refresh, row).Refresh)
	require.NotEqual(t, next.Refresh, successors(keys, next.Refresh, row).Refresh)
	require.Len(t, next.Access, TokenLength)
	require.Equal(t, []any{row.ID, true, row.ExpiresAt}, []any{next.SessionID, next.Remember, next.ExpiresAt})
}

// Any user agent is cut to a short text of whole letters that Postgres can store.
func TestUserAgent_AnyText_IsCutToStorableText(t *testing.T) {
	t.Parallel()
	require.Equal(t, "ab", cut("ab", 2))
	require.Equal(t, "ab", cut("abc", 2))
	require.Equal(t, "a", cut("aक", 3), "no letter in halves")
	require.Empty(t, cut("क", 2))
	require.Empty(t, cut("", 0))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		n := rapid.IntRange(0, 40).Draw(t, "n")
		got := cut(text, n)
		require.LessOrEqual(t, len(got), n)
		require.True(t, utf8.ValidString(got), "%q", got)
		require.NotContains(t, got, "\x00")
		if utf8.ValidString(text) && !strings.Contains(text, "\x00") {
			require.True(t, strings.HasPrefix(text, got))
			require.Greater(t, len(got)+utf8.UTFMax, min(len(text), n), "no more is lost than must be")
		}
	})
}

func TestBrowser_ValidToken_IsKept(t *testing.T) {
	t.Parallel()
	own := strings.Repeat("o", TokenLength)
	require.Equal(t, own, BrowserOf(account.Origin{Browser: own}))
	for _, none := range []string{"", "o", own + "o", own[1:]} {
		got := BrowserOf(account.Origin{Browser: none})
		require.Len(t, got, TokenLength)
		require.NotEqual(t, got, BrowserOf(account.Origin{Browser: none}), "a new one each time")
	}
	require.Nil(t, account.Origin{}.BrowserHash())
	require.Equal(t, secret.Hash("x"), account.Origin{Browser: "x"}.BrowserHash())
	o := account.Origin{Address: "203.0.113.7", Work: "w", Pressed: true}
	require.Equal(t, guard.Visitor{Address: "203.0.113.7", Work: "w", Pressed: true}, o.Visitor())
}
