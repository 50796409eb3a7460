package mandate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// life is a story whose buyer has a monthly plan and a mandate for its renewals.
type life struct {
	*story.Story

	id string // of the mandate at the gateway
}

func begin(t *testing.T) *life {
	t.Helper()
	b := &life{Story: story.New(t)}
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.hours(24 * 24) // the renewal is open
	b.register(mandate.MethodUPI)
	return b
}

func (b *life) register(m mandate.Method) {
	b.T.Helper()
	v, err := b.APIMandates.View(b.T.Context(), b.Buyer)
	require.NoError(b.T, err)
	for _, terms := range v.Terms {
		if terms.Method != m {
			continue
		}
		begun, err := b.APIMandates.Register(b.T.Context(), b.Buyer, mandate.Input{
			Method: m, Consented: true, Version: terms.Version, Text: terms.Text,
		})
		require.NoError(b.T, err)
		txn := begun.Session.Fields["txnid"]
		amount, err := money.Parse(begun.Session.Fields["amount"])
		require.NoError(b.T, err)
		b.Gateway.Decide(txn, payment.StatusPaid, amount)
		_, err = b.API.Returned(b.T.Context(), b.Gateway.Notice(txn))
		require.NoError(b.T, err)
		b.id = "M" + txn
	}
	b.hours(1)
	require.Equal(b.T, "active", b.Text(`SELECT state FROM mandates`))
}

// mandate returns our id of the mandate.
func (b *life) mandate() string { return b.Text(`SELECT id FROM mandates`) }

// hours passes time as the worker lives it, an hour at a time.
func (b *life) hours(n int) {
	b.T.Helper()
	for end := b.Clock.Now().Add(time.Duration(n) * time.Hour); b.Clock.Now().Before(end); {
		b.next(end)
	}
}

// next passes to the next step that is due, to the evening's sweep, or to the end, whichever comes first.
func (b *life) next(end time.Time) {
	b.T.Helper()
	now := b.Clock.Now()
	evening := time.Date(now.Year(), now.Month(), now.Day(), 19, 0, 0, 0, time.UTC)
	if !evening.After(now) {
		evening = evening.AddDate(0, 0, 1)
	}
	at := end
	if evening.Before(at) {
		at = evening
	}
	var due *time.Time
	require.NoError(b.T, b.DB.Owner.Get(&due, `SELECT min(at) FROM (SELECT poll_at AS at FROM mandates UNION ALL SELECT plan_at FROM mandates
		UNION ALL SELECT next_at FROM mandate_debits) x WHERE at > $1`, now))
	if due != nil && due.Before(at) {
		at = *due
	}
	b.Pass(at.Sub(now))
	b.run()
	if at.Equal(evening) {
		b.Sweep()
	}
}

func (b *life) run() {
	b.T.Helper()
	_, err := b.WorkerMandates.Run(b.T.Context())
	require.NoError(b.T, err)
	b.Work()
}

// debits returns the buyer's debits in a line each.
func (b *life) debits() string {
	return b.Text(`SELECT coalesce(string_agg(number || ' ' || state || ' ' || cause, ', ' ORDER BY created_at, number), '') FROM mandate_debits`)
}

// until passes time until the newest debit is in a state.
func (b *life) until(state string) {
	b.T.Helper()
	for end := b.Clock.Now().AddDate(0, 0, 45); b.Clock.Now().Before(end); b.next(end) {
		if b.Count(`SELECT count(*) FROM mandate_debits WHERE state = $1`, state) > 0 {
			return
		}
	}
	require.Fail(b.T, "no debit", "none became %s: %s", state, b.debits())
}

// safe holds what must be true after every story.
func (b *life) safe() {
	b.T.Helper()
	b.Balanced()
	notices, paid := b.Mandates.Notices(), 0
	for _, d := range b.Mandates.Debits() {
		n := notices[d.Notice.Token]
		require.False(b.T, n.At.IsZero(), "a debit without a notice")
		require.GreaterOrEqual(b.T, d.At.Sub(n.At), 48*time.Hour)
		require.Equal(b.T, n.Amount, d.Charge.Amount)
		require.True(b.T, openHour(d.At), "asked for in closed hours: %s", d.At.In(clock.IST))
		if d.Status == payment.StatusPaid {
			paid++
		}
	}
	require.Zero(b.T, b.Count(`SELECT count(*) FROM (SELECT FROM mandate_debits WHERE state = 'paid' GROUP BY subscription_id, renew_on
		HAVING count(*) > 1) x`))
	require.Equal(b.T, paid, b.Count(`SELECT count(*) FROM payments WHERE by_mandate AND state = 'paid'`))
	require.Zero(b.T, b.Count(`SELECT count(*) FROM payments WHERE by_mandate AND surplus`), "a debit bought nothing")
}

func openHour(at time.Time) bool {
	h := at.In(clock.IST)
	m := h.Hour()*60 + h.Minute()
	return m < 600 || m >= 780 && m < 1020 || m >= 1290
}

func TestMonthlyRenewalsAreDebitedOnceEach(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.hours(100 * 24)
	require.Equal(t, 3, b.Count(`SELECT count(*) FROM mandate_debits WHERE state = 'paid'`), b.debits())
	require.Zero(t, b.Count(`SELECT count(*) FROM mandate_debits WHERE state IN ('failed', 'called_off')`), b.debits())
	require.Zero(t, b.Count(`SELECT count(*) FROM subscription_events WHERE to_state = 'grace'`), "nobody was overdue")
	b.safe()
}

func TestWantOfMoneyIsTriedAgainWithANoticeOfItsOwn(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseInsufficient })
	b.until("failed")
	require.Contains(t, b.debits(), "1 failed insufficient_funds, 2 ")
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseNone })
	b.until("paid")
	require.Equal(t, "1 failed insufficient_funds, 2 paid ", b.debits())
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM customer_messages WHERE template = 'debit_failed'`))
	b.safe()
}

func TestNoMoreThanFourAttemptsAndNoneAfterTheGrace(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseInsufficient })
	b.until("failed")
	b.hours(20 * 24)
	require.LessOrEqual(t, len(b.Mandates.Debits()), 4)
	require.Equal(t, "expired", b.Text(`SELECT state FROM subscriptions`))
	for _, d := range b.Mandates.Debits() {
		require.Zero(t, b.Count(`SELECT count(*) FROM subscriptions WHERE renew_on + 7 <= day_in_india($1)`, d.At))
	}
	b.safe()
}

func TestWhatIsProcessingIsNeverAskedForAgain(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = true })
	b.until("asked")
	b.hours(48)
	require.Len(t, b.Mandates.Debits(), 1)
	_, err := b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.ErrorIs(t, err, payment.ErrDebitUndecided, "nobody pays by hand meanwhile")
	b.Mandates.Finish(payment.StatusPaid)
	b.until("paid")
	require.Len(t, b.Mandates.Debits(), 1)
	b.safe()
}

func TestALostAnswerIsAskedAboutAndALostRequestMadeAgain(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Loses = true })
	b.until("paid")
	require.Len(t, b.Mandates.Debits(), 1)
	b.Mandates.Set(func(m *world.Mandates) { m.Loses, m.Unheard = false, true })
	b.until("asked")
	require.Len(t, b.Mandates.Debits(), 1)
	b.Mandates.Set(func(m *world.Mandates) { m.Unheard = false })
	b.hours(24)
	require.Len(t, b.Mandates.Debits(), 2)
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM mandate_debits WHERE state = 'paid'`))
	b.safe()
}

func TestNothingIsDebitedAfterStop(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	m, err := b.APIMandates.Stop(t.Context(), b.Buyer, b.mandate())
	require.NoError(t, err)
	require.Equal(t, mandate.StateRevoked, m.State, "the gateway confirmed")
	b.hours(12 * 24)
	require.Empty(t, b.Mandates.Debits())
	require.Equal(t, "1 called_off ", b.debits())
	b.safe()
}

func TestPauseSkipAndPayingByHandCallTheDebitOff(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(*life) error{
		"pause": func(b *life) error { return b.APIMandates.Pause(t.Context(), b.Buyer, b.mandate()) },
		"skip":  func(b *life) error { return b.APIMandates.Skip(t.Context(), b.Buyer, b.mandate()) },
		"hand":  func(b *life) error { b.Pay(b.Buyer, b.Renewal(b.Buyer)); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := begin(t)
			b.T = t
			b.until("noticed")
			require.NoError(t, act(b))
			b.hours(10 * 24)
			require.Empty(t, b.Mandates.Debits())
			require.Equal(t, "1 called_off ", b.debits())
			require.Len(t, b.Mandates.Withdrawn(), 1)
			b.safe()
		})
	}
}

func TestAMandateThatTheBankEndsOrPausesWithoutANoticeIsNoticed(t *testing.T) {
	t.Parallel()
	for word, want := range map[mandate.ProviderState]string{
		mandate.ProviderRevoked: "revoked", mandate.ProviderPaused: "paused", mandate.ProviderExpired: "expired",
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			b := begin(t)
			b.T = t
			b.Mandates.SetState(b.id, word)
			b.hours(25)
			require.Equal(t, want, b.Text(`SELECT state FROM mandates`))
			b.hours(30 * 24)
			require.Empty(t, b.Mandates.Debits())
			if word == mandate.ProviderPaused {
				b.Mandates.SetState(b.id, mandate.ProviderActive)
				b.hours(25)
				require.Equal(t, "active", b.Text(`SELECT state FROM mandates`))
			}
			b.safe()
		})
	}
}

func TestABillAboveTheCapIsNotDebited(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cap = 100 * money.Rupee })
	b.until("failed")
	require.Equal(t, "1 failed above_cap", b.debits())
	b.hours(24)
	require.Empty(t, b.Mandates.Notices())
	b.safe()
}

func TestAPriceThatChangesAfterTheNoticeIsTheNoticedOne(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	before := b.Count(`SELECT amount_paise FROM mandate_debits`)
	require.NoError(t, b.Reprice(t.Context(), b.DB.Worker, 500))
	b.until("paid")
	require.Equal(t, money.Paise(before), b.Mandates.Debits()[0].Charge.Amount)
	b.safe()
}

func TestAnAddOnThatIsBoughtAfterTheNoticeIsDebitedOnceInAll(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	b.Pay(b.Buyer, b.AddOns(b.Buyer, b.Tier(0, 0).AddOns[0].ID))
	b.hours(10 * 24)
	paid := b.Count(`SELECT count(*) FROM mandate_debits WHERE state = 'paid'`)
	require.LessOrEqual(t, paid, 1)
	require.Contains(t, b.debits(), "1 called_off")
	b.safe()
}

func TestConsentIsToTheWordsAsTheyAre(t *testing.T) {
	t.Parallel()
	b := &life{Story: story.New(t)}
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	_, err := b.APIMandates.Register(t.Context(), b.Buyer, mandate.Input{Method: mandate.MethodUPI, Consented: true})
	require.Error(t, err, "the renewal is not open")
	b.Live(25)
	_, err = b.APIMandates.Register(t.Context(), b.Buyer, mandate.Input{Method: mandate.MethodUPI, Consented: true, Version: "0"})
	require.ErrorIs(t, err, mandate.ErrConsent)
}

func TestTheDatabaseRefusesASecondDebitOfARenewal(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("paid")
	_, err := b.DB.Owner.Exec(`INSERT INTO mandate_debits (id, franchiser_id, mandate_id, subscription_id, renew_on, number, state,
		amount_paise, debit_at, notice_token, created_at) SELECT uuidv7(), franchiser_id, mandate_id, subscription_id, renew_on, 2, 'planned',
		amount_paise, debit_at, 'X', created_at FROM mandate_debits`)
	require.ErrorContains(t, err, "mandate_debits_one_a_cycle")
	_, err = b.DB.Owner.Exec(`UPDATE mandate_debits SET asked_at = noticed_at + interval '23 hours'`)
	require.ErrorContains(t, err, "mandate_debits_after_notice")
}
