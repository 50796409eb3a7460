package account_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/signin"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
)

// failures returns the reasons why sign-ins with the mobile failed, oldest first.
func (b *bundle) failures(tb testing.TB, mobile string) []string {
	tb.Helper()
	list := []string{}
	require.NoError(tb, b.db.Owner.Select(&list, `SELECT x.reason FROM failed_sign_ins x JOIN franchisers f ON f.id = x.franchiser_id
		WHERE f.mobile = $1 ORDER BY x.id`, mobile))
	return list
}

// keep stores failed sign-ins in the background, as the API does.
func (b *bundle) keep(tb testing.TB) {
	tb.Helper()
	ctx, stop := context.WithCancel(tb.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.SignIns.KeepFailed(ctx)
	}()
	tb.Cleanup(func() {
		stop()
		<-done
	})
}

func (b *bundle) requireFailures(t *testing.T, mobile string, want ...string) {
	t.Helper()
	// they are written after the responses
	require.Eventually(t, func() bool { return len(b.failures(t, mobile)) >= len(want) }, time.Minute, 25*time.Millisecond)
	require.Equal(t, want, b.failures(t, mobile))
}

func TestFailedSignIns_AreRecorded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.keep(t)
	mine := b.join(t, asha)
	b.join(t, ravi)
	for range 11 {
		_, err := b.login(t, asha, "Wrong#2026")
		requireCode(t, err, errs.KindMalformed, "invalid_credentials")
		_, err = b.login(t, "9000000123", "Wrong#2026") // has no account
		requireCode(t, err, errs.KindMalformed, "invalid_credentials")
	}
	_, err := b.login(t, asha, goodPassword)
	requireCode(t, err, errs.KindRateLimited, "too_many_requests")
	want := append(slices.Repeat([]string{"wrong_password"}, 11), "too_many_tries")
	b.requireFailures(t, asha, want...)
	require.Empty(t, b.failures(t, ravi))
	require.Equal(t, 12, count(t, b.db.Owner, `SELECT count(*) FROM failed_sign_ins`))

	e, err := b.Erasures.ExportData(t.Context(), principal(mine), credential.Proof{Password: goodPassword})
	require.NoError(t, err)
	require.Len(t, e.Sections["failed_sign_ins"], 12)
	b.clock.Advance(31 * 24 * time.Hour)
	_, err = b.login(t, asha, "Wrong#2026")
	require.Error(t, err)
	b.requireFailures(t, asha, append(want, "wrong_password")...)
	require.NoError(t, b.janitor.Purge(t.Context()))
	require.Equal(t, []string{"wrong_password"}, b.failures(t, asha), "what is older than thirty days goes")

	_, err = b.db.Owner.Exec(`UPDATE franchisers SET erasure_requested_at = $1 WHERE id = $2`, b.clock.Now(), mine.User.ID)
	require.NoError(t, err)
	b.clock.Advance(account.ErasureDelay + time.Hour)
	require.NoError(t, b.janitor.EraseDue(t.Context()))
	require.Zero(t, count(t, b.db.Owner, `SELECT count(*) FROM failed_sign_ins`))
}

func TestFailedSignIns_Flood_RecordsALimitedNumber(t *testing.T) {
	t.Parallel()
	limits := guard.Default()
	limits.Login.Free, limits.Login.Address = 1000, 1000
	b := setupWithLimits(t, limits)
	b.keep(t)
	b.join(t, asha)
	guess := func(n int) {
		for range n {
			_, err := b.login(t, asha, "Wrong#2026")
			requireCode(t, err, errs.KindMalformed, "invalid_credentials")
		}
	}
	guess(25)
	require.Eventually(t, func() bool { return len(b.failures(t, asha)) == 20 }, time.Minute, 5*time.Millisecond)
	b.clock.Advance(time.Hour + time.Minute)
	guess(1)
	require.Eventually(t, func() bool { return len(b.failures(t, asha)) == 21 }, time.Minute, 5*time.Millisecond)
}

func TestFailedSignIns_FullQueue_DoesNotBlockLogins(t *testing.T) {
	t.Parallel()
	limits := guard.Default()
	limits.Login.Address = 0
	b := setupWithLimits(t, limits)
	b.join(t, asha)
	for n := range 300 { // more than fit in the queue, without a writer
		_, _, err := b.SignIns.Login(t.Context(), signin.LoginInput{Username: asha, Password: "Wrong#2026"}, from(fmt.Sprintf("2001:db8:%x::1", n)))
		requireCode(t, err, errs.KindRateLimited, "too_many_requests")
	}
	require.Empty(t, b.failures(t, asha))
}
