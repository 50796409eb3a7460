package account_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/account/signin"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

func (b *bundle) refresh(tb testing.TB, token string) (session.SignedIn, error) {
	tb.Helper()
	return b.Sessions.Refresh(tb.Context(), token, home())
}

func TestSession_AfterFifteenMinutes_NeedsARefresh(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.join(t, asha)
	b.clock.Advance(15*time.Minute - time.Second)
	require.True(t, b.lives(t, in.Tokens.Access))
	b.clock.Advance(time.Second)
	require.False(t, b.lives(t, in.Tokens.Access))

	next, err := b.refresh(t, in.Tokens.Refresh)
	require.NoError(t, err)
	require.Equal(t, in.Tokens.SessionID, next.Tokens.SessionID)
	require.Equal(t, in.User.ID, next.User.ID)
	require.NotEqual(t, in.Tokens.Refresh, next.Tokens.Refresh)
	require.True(t, b.lives(t, next.Tokens.Access))
	require.False(t, b.lives(t, in.Tokens.Access), "the old one ended with the renewal")
}

func TestSession_AtTheEndOfItsLife_Ends(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		remember bool
		life     time.Duration
	}{"this browser": {false, 12 * time.Hour}, "remembered": {true, 30 * 24 * time.Hour}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.join(t, asha)
			in, _, err := b.SignIns.Login(t.Context(), signin.LoginInput{Username: asha, Password: goodPassword, Remember: tc.remember}, home())
			require.NoError(t, err)
			require.Equal(t, tc.remember, in.Tokens.Remember)
			end := b.clock.Now().Add(tc.life - time.Minute)
			for b.clock.Now().Before(end) { // in use all the time
				b.clock.Advance(min(tc.life/12, end.Sub(b.clock.Now())))
				in, err = b.refresh(t, in.Tokens.Refresh)
				require.NoError(t, err)
			}
			require.True(t, b.lives(t, in.Tokens.Access))
			b.clock.Advance(time.Minute)
			require.False(t, b.lives(t, in.Tokens.Access), "renewal does not lengthen the whole")
			_, err = b.refresh(t, in.Tokens.Refresh)
			requireCode(t, err, errs.KindUnauthenticated, "unauthorized")
		})
	}
}

func TestSession_NotUsed_Ends(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		remember bool
		idle     time.Duration
	}{"this browser": {false, 2 * time.Hour}, "remembered": {true, 14 * 24 * time.Hour}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.join(t, asha)
			in, _, err := b.SignIns.Login(t.Context(), signin.LoginInput{Username: asha, Password: goodPassword, Remember: tc.remember}, home())
			require.NoError(t, err)
			b.clock.Advance(tc.idle - time.Second)
			in, err = b.refresh(t, in.Tokens.Refresh)
			require.NoError(t, err)
			b.clock.Advance(tc.idle)
			_, err = b.refresh(t, in.Tokens.Refresh)
			requireCode(t, err, errs.KindUnauthenticated, "unauthorized")
			other, err := b.login(t, asha, goodPassword)
			require.NoError(t, err)
			list, err := b.Sessions.Sessions(t.Context(), account.Principal{FranchiserID: other.User.ID, SessionID: other.Tokens.SessionID})
			require.NoError(t, err)
			require.Len(t, list, 1, "it is no longer listed as one that lives")
		})
	}
}

func TestRefreshToken_Reused_EndsTheFamily(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.join(t, asha)
	other, err := b.login(t, asha, goodPassword)
	require.NoError(t, err)

	second, err := b.refresh(t, in.Tokens.Refresh)
	require.NoError(t, err)
	b.clock.Advance(time.Minute)
	third, err := b.refresh(t, second.Tokens.Refresh)
	require.NoError(t, err)
	require.True(t, b.lives(t, third.Tokens.Access))
	b.clock.Advance(time.Minute)

	// the thief presents a token that is two generations old
	_, err = b.refresh(t, in.Tokens.Refresh)
	requireCode(t, err, errs.KindUnauthenticated, "unauthorized")
	require.False(t, b.lives(t, third.Tokens.Access), "at once, although it was cached")
	_, err = b.refresh(t, third.Tokens.Refresh)
	requireCode(t, err, errs.KindUnauthenticated, "unauthorized")
	require.True(t, b.lives(t, other.Tokens.Access), "other sign-ins of the account go on")
	require.Equal(t, []string{"refresh_reuse"}, rows(t, b, `SELECT end_reason FROM sessions WHERE ended_at IS NOT NULL`))
}

func TestRefresh_TwoTabsAtOnce_BothStaySignedIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.join(t, asha)
	var wg sync.WaitGroup
	tabs := make([]session.SignedIn, 8)
	failed := make([]error, len(tabs))
	for i := range tabs {
		wg.Go(func() { tabs[i], failed[i] = b.Sessions.Refresh(t.Context(), in.Tokens.Refresh, home()) })
	}
	wg.Wait()
	for i, tab := range tabs {
		require.NoError(t, failed[i])
		require.Equal(t, tabs[0].Tokens, tab.Tokens, "whichever answer comes last, the browser keeps the same cookies")
	}
	require.True(t, b.lives(t, tabs[0].Tokens.Access))
	b.clock.Advance(14 * time.Minute)
	next, err := b.refresh(t, tabs[0].Tokens.Refresh)
	require.NoError(t, err)
	require.True(t, b.lives(t, next.Tokens.Access))

	// the second tab has only a short time
	b.clock.Advance(21 * time.Second)
	_, err = b.refresh(t, tabs[0].Tokens.Refresh)
	requireCode(t, err, errs.KindUnauthenticated, "unauthorized")
	require.False(t, b.lives(t, next.Tokens.Access))
}

func TestAuthenticate_ForgedToken_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.join(t, asha)
	for _, token := range []string{"", "x", in.Tokens.Refresh, in.Tokens.SessionID, in.Tokens.Access + "x", "' OR 1=1 --"} {
		require.False(t, b.lives(t, token), token)
	}
	for _, token := range []string{"", "x", in.Tokens.Access, in.Tokens.SessionID} {
		_, err := b.refresh(t, token)
		requireCode(t, err, errs.KindUnauthenticated, "unauthorized")
	}
	require.True(t, b.lives(t, in.Tokens.Access), "nobody is put out by a guess")
}

func TestSession_Ended_IsRefusedAtOnceWithAndWithoutRedis(t *testing.T) {
	t.Parallel()
	for name, redisDown := range map[string]bool{"redis up": false, "redis down": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			in := b.join(t, asha)
			require.True(t, b.lives(t, in.Tokens.Access)) // cached now
			if redisDown {
				b.redis.Close()
			}
			require.True(t, b.lives(t, in.Tokens.Access), "nobody is logged out because Redis is away")
			require.NoError(t, b.Sessions.Logout(t.Context(), principal(in)))
			require.False(t, b.lives(t, in.Tokens.Access))
			_, err := b.refresh(t, in.Tokens.Refresh)
			requireCode(t, err, errs.KindUnauthenticated, "unauthorized")
		})
	}
}

// An attacker who can read and write Redis keeps a signed value and restores it, without expiry.
func TestEndedSession_RestoredInRedis_CountsForAMinuteAtMost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.join(t, asha)
	require.True(t, b.lives(t, in.Tokens.Access)) // cached now
	keys := b.redis.Keys()
	i := slices.IndexFunc(keys, func(key string) bool { return strings.HasPrefix(key, "session:") })
	require.GreaterOrEqual(t, i, 0, keys)
	value, err := b.redis.Get(keys[i])
	require.NoError(t, err)

	require.NoError(t, b.Sessions.Logout(t.Context(), principal(in)))
	require.False(t, b.lives(t, in.Tokens.Access))
	b.clock.Advance(time.Minute)
	require.NoError(t, b.redis.Set(keys[i], value))
	require.False(t, b.lives(t, in.Tokens.Access), "the value has outlived the cache")

	again, err := b.login(t, asha, goodPassword)
	require.NoError(t, err)
	require.True(t, b.lives(t, again.Tokens.Access))
	b.clock.Advance(-time.Second)
	require.True(t, b.lives(t, again.Tokens.Access), "a process whose clock is behind asks Postgres")
}

func TestSession_RedisFlushed_StaysSignedIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.join(t, asha)
	require.True(t, b.lives(t, in.Tokens.Access))
	b.redis.FlushAll()
	require.True(t, b.lives(t, in.Tokens.Access))
	require.NoError(t, b.Sessions.Logout(t.Context(), principal(in)))
	b.redis.FlushAll()
	require.False(t, b.lives(t, in.Tokens.Access))
}

func TestSessions_OwnOnes_AreListedAndEnded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.join(t, asha)
	b.clock.Advance(time.Minute)
	second, err := b.login(t, asha, goodPassword)
	require.NoError(t, err)
	b.clock.Advance(time.Minute)
	third, err := b.login(t, asha, goodPassword)
	require.NoError(t, err)
	stranger := b.join(t, ravi)

	list, err := b.Sessions.Sessions(t.Context(), principal(third))
	require.NoError(t, err)
	require.Len(t, list, 3)
	require.True(t, list[0].Current)
	require.Equal(t, third.Tokens.SessionID, list[0].ID)
	require.Equal(t, "Chrome on Android", list[0].Device)
	require.Equal(t, "203.0.113.7", list[0].IPAddress)

	// another franchiser's, an unknown, and an ended session give the same answer
	require.NoError(t, b.Sessions.EndSession(t.Context(), principal(third), second.Tokens.SessionID))
	for _, sessionID := range []string{stranger.Tokens.SessionID, id.New(), second.Tokens.SessionID} {
		requireCode(t, b.Sessions.EndSession(t.Context(), principal(third), sessionID), errs.KindNotFound, "not_found")
	}
	require.False(t, b.lives(t, second.Tokens.Access))
	require.True(t, b.lives(t, stranger.Tokens.Access))

	require.NoError(t, b.Sessions.EndOtherSessions(t.Context(), principal(third)))
	require.False(t, b.lives(t, first.Tokens.Access))
	require.True(t, b.lives(t, third.Tokens.Access))
	require.True(t, b.lives(t, stranger.Tokens.Access))
}

func TestDevice_UserAgent_IsNamed(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		"": "A browser", "curl/8.5.0": "A browser",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0": "Edge on Windows",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/604.1":     "Safari on iPhone",
		"Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0":                                                        "Firefox on Linux",
		"Mozilla/5.0 (Linux; Android 13; SM-A536E) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0 Safari/537":  "Samsung Internet on Android",
	} {
		require.Equal(t, want, account.Device(agent))
	}
}

func TestCache_ValueOfAnotherSession_IsIgnored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.join(t, asha)
	other, err := b.login(t, asha, goodPassword)
	require.NoError(t, err)
	require.True(t, b.lives(t, in.Tokens.Access))
	require.True(t, b.lives(t, other.Tokens.Access))
	key := func(token string) string {
		return "session:" + base64.RawURLEncoding.EncodeToString(secret.Hash(token))
	}

	thief := secret.Token()
	plain := fmt.Sprintf("%s %s %d", in.Tokens.SessionID, in.User.ID, b.clock.Now().Add(time.Hour).UnixMicro())
	kept, err := b.redis.Get(key(in.Tokens.Access))
	require.NoError(t, err)
	for what, value := range map[string]string{"made up": plain, "of another token": kept, "short": "x", "empty": ""} {
		require.NoError(t, b.redis.Set(key(thief), value))
		require.False(t, b.lives(t, thief), what)
	}
	for what, value := range map[string]string{"made up": "-", "of another session": kept} {
		require.NoError(t, b.redis.Set(key(other.Tokens.Access), value))
		p, err := b.Sessions.Authenticate(t.Context(), other.Tokens.Access)
		require.NoError(t, err, what)
		require.Equal(t, other.Tokens.SessionID, p.SessionID, what)
	}
	require.NoError(t, b.Sessions.Logout(t.Context(), principal(in)))
	require.False(t, b.lives(t, in.Tokens.Access), "the tombstone counts")
	_, err = b.db.Owner.Exec(`UPDATE sessions SET ended_at = NULL`)
	require.NoError(t, err)
	require.False(t, b.lives(t, in.Tokens.Access), "without asking Postgres")
}

// A browser with an invalid user agent can sign in, and its list of sessions can be read.
func TestLogin_UserAgentIsInvalidText_SignsIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join(t, asha)
	for _, agent := range []string{"Firefox/\xff\xfe", "\x80", "Chrome/\x00", strings.Repeat("क", 10_000), "\u202Exoferif"} {
		o := home()
		o.UserAgent = agent
		in, challenge, err := b.SignIns.Login(t.Context(), signin.LoginInput{Username: asha, Password: goodPassword}, o)
		require.NoError(t, err, "%.20q", agent)
		require.Empty(t, challenge)
		next, err := b.Sessions.Refresh(t.Context(), in.Tokens.Refresh, o)
		require.NoError(t, err, "%.20q", agent)
		list, err := b.Sessions.Sessions(t.Context(), principal(next))
		require.NoError(t, err)
		require.NotEmpty(t, list)
	}
}

func TestDevice_InHindi(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		"": "कोई ब्राउज़र", "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0": "Linux पर Chrome", "Mozilla/5.0 (Android 16)": "Android पर कोई ब्राउज़र",
	} {
		require.Equal(t, want, i18n.Language("hi").Resay(account.Device(agent), account.DeviceTexts()), agent)
	}
}
