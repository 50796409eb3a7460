package account_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

func TestSMSLimit_DailyCeilingReached_OnlyKnownBrowsersAndPlansGetSMS(t *testing.T) {
	t.Parallel()
	limits := guard.Default()
	limits.Sends.PerDay = 4 // and no work, which would take long
	b := setupWithLimits(t, limits)
	b.join(t, asha)
	b.join(t, ravi)
	b.clock.Advance(25 * time.Hour)
	fresh := 0
	send := func(ask func(o account.Origin) error) error {
		fresh++
		o := from(fmt.Sprintf("198.51.100.%d", fresh))
		err := ask(o)
		if e := errs.As(err); err != nil && e.Data["challenge"] != nil {
			err = ask(working(t, o, err))
		}
		return err
	}
	signUp := func() error {
		n := fresh
		return send(func(o account.Origin) error {
			_, err := b.SignUps.StartSignUp(t.Context(), input(fmt.Sprintf("98%08d", n*1_000_003)), o)
			return err
		})
	}
	reset := func(mobile string) error {
		return send(func(o account.Origin) error {
			_, err := b.SignIns.StartReset(t.Context(), mobile, o)
			return err
		})
	}
	for range limits.Sends.PerDay {
		require.NoError(t, signUp())
	}
	err := signUp()
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err))
	require.NotContains(t, errs.As(err).Data, "challenge", "no work passes the ceiling")
	require.Greater(t, errs.As(err).RetryAfter, time.Minute)

	// A reset answers alike for an account without a plan, with one, and for no account.
	sent := func(mobile string) int { return len(b.inbox(t, mobile)) }
	before := sent(asha)
	require.NoError(t, reset(asha))
	require.NoError(t, reset("9812300000"))
	require.Equal(t, before, sent(asha), "it has no plan")
	b.billing.answer.Runs = true
	require.NoError(t, reset(ravi))
	require.Equal(t, 1, count(t, b.db.Owner, `SELECT count(*) FROM one_time_codes WHERE mobile = $1 AND purpose = 'password_reset' AND message = 'code'`, ravi))
	require.Equal(t, 0, count(t, b.db.Owner, `SELECT count(*) FROM one_time_codes WHERE mobile = $1 AND purpose = 'password_reset' AND message = 'code'`, asha))
	b.billing.answer.Runs = false

	b.clock.Advance(minute)
	known := owner()
	known.Device = guard.ReadDevice(keyring(t), guard.ReadDevice(keyring(t), "").Remember(guard.KindFranchiser, asha, b.clock.Now()))
	_, err = b.SignIns.StartReset(t.Context(), asha, known)
	require.NoError(t, err)
	require.Equal(t, 1, count(t, b.db.Owner, `SELECT count(*) FROM one_time_codes WHERE mobile = $1 AND purpose = 'password_reset' AND message = 'code'`, asha), "a known browser gets its code")

	b.clock.Advance(24 * time.Hour)
	require.NoError(t, signUp(), "a new day")
}

func TestSMSLimit_InvitationsAndNotices_CountTowardsTheCeiling(t *testing.T) {
	t.Parallel()
	limits := guard.Default()
	limits.Sends.PerDay = 3
	b := setupWithLimits(t, limits)
	b.billing.unpaid = true
	boss := b.join(t, asha)
	b.clock.Advance(25 * time.Hour)
	counted := func() int {
		return count(t, b.db.Owner, `SELECT coalesce(max(sends), 0) FROM code_sends WHERE subject = 'all' AND day = ($1::timestamptz AT TIME ZONE 'Asia/Kolkata')::date`, b.clock.Now())
	}
	invite := func(mobile string) error {
		_, err := b.invite(t, boss.User.ID, team.MemberInput{Name: "Ravi Rao", Mobile: mobile, Role: account.RoleManager})
		return err
	}
	require.NoError(t, invite(ravi))
	require.Equal(t, 1, counted(), "an invitation counts")
	_, err := b.Erasures.RequestErasure(t.Context(), principal(boss), credential.Proof{Password: goodPassword})
	require.NoError(t, err)
	require.Equal(t, 2, counted(), "a notice counts")
	require.NoError(t, invite(meera))

	err = invite("9833333333")
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err))
	require.Greater(t, errs.As(err).RetryAfter, time.Minute)
	require.Equal(t, 3, counted(), "a refused invitation does not count")
	b.billing.unpaid = false
	require.NoError(t, invite("9833333333"), "an account that has paid still invites")
	require.Equal(t, 4, counted())
}

// Each SMS counts towards the day's ceiling, or has a reason here. A new one needs a line.
func TestSMSLimit_EachTemplate_CountsOrHasAReason(t *testing.T) {
	t.Parallel()
	counts := []string{
		message.TemplateCode, message.TemplateAccountExists, message.TemplateMobileChanged, message.TemplateErasureAsked,
		message.TemplateTeamInvitation, message.TemplatePartnerInvitation,
	}
	const (
		own   = "the product tells customers of their own account, plan or money, at the proved mobile; nobody outside can ask for it"
		staff = "staff with a second factor have it sent to a proved mobile"
	)
	reasons := map[string]string{message.TemplateViewConsent: staff}
	for name := range strings.FieldsSeq(`renewal_reminder trial_reminder trial_ended renewal_link grace_link expired_link invoice_link payment_received refund_decided refund_sent
		refund_done refund_failed debit_announced debit_retried debit_failed debit_paid mandate_active mandate_paused mandate_ended mandate_refused
		transfer_part delivery_needed delivery_late mobile_change_asked authenticator_removed store_password_changed grace_given plan_switched plan_change_offered price_change`) {
		reasons[name] = own
	}
	for _, template := range message.Templates() {
		require.NotEqual(t, slices.Contains(counts, template.Name), reasons[template.Name] != "", template.Name)
	}
}

func TestSMSLimit_OnePrefix_HasItsShareOfTheDay(t *testing.T) {
	t.Parallel()
	limits := guard.Default()
	limits.Sends.PerPrefix = 2
	b := setupWithLimits(t, limits)
	send := func(mobile, address string) error {
		o := from(address)
		_, err := b.SignUps.StartSignUp(t.Context(), input(mobile), o)
		if e := errs.As(err); err != nil && e.Data["challenge"] != nil {
			_, err = b.SignUps.StartSignUp(t.Context(), input(mobile), working(t, o, err))
		}
		return err
	}
	require.NoError(t, send("9876500001", "198.51.100.1"))
	require.NoError(t, send("9876500002", "198.51.100.2"))
	require.Equal(t, errs.KindRateLimited, errs.KindOf(send("9876500003", "198.51.100.3")))
	require.NoError(t, send("9811100003", "198.51.100.3"), "other numbers are not concerned")
}

func TestVolume_CountsTheDayAndTheWeekBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.db.Owner.MustExec(`INSERT INTO one_time_codes (id, mobile, purpose, message, created_at, expires_at)
		SELECT gen_random_uuid(), '9876500001', 'sign_up', CASE WHEN n % 10 = 0 THEN 'none' ELSE 'code' END, $1::timestamptz - n * interval '1 hour', $1 FROM generate_series(1, 190) n`, b.clock.Now())
	b.db.Owner.MustExec(`INSERT INTO code_sends (subject, day, sends) VALUES ('all', ($1::timestamptz AT TIME ZONE 'Asia/Kolkata')::date, 77)`, b.clock.Now())
	require.NoError(t, postgres.InTx(t.Context(), b.db.API, func(tx *sqlx.Tx) error {
		v, err := otp.VolumeTx(t.Context(), tx, b.clock.Now())
		require.Equal(t, otp.Volume{LastDay: 21, Usual: 21, Unknown: 77}, v)
		return err
	}))
}
