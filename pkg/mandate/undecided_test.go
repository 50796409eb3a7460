package mandate_test

import (
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/act"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// stuck starts a test whose debit was requested and is never decided.
func stuck(t *testing.T) *life {
	t.Helper()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = true })
	b.until("asked")
	b.rest = time.Hour
	return b
}

func (b *life) messagesOf(template string) int {
	b.T.Helper()
	return b.Count(`SELECT count(*) FROM customer_messages WHERE template = $1 AND franchiser_ref = $2`, template, b.Buyer)
}

func (b *life) reminded(days int) bool {
	b.T.Helper()
	return b.Count(`SELECT count(*) FROM renewal_reminders WHERE franchiser_id = $1 AND days <= $2`, b.Buyer, days) > 0
}

// despite pays the renewal manually while the debit is undecided.
func (b *life) despite() {
	b.T.Helper()
	r, err := b.API.Checkout.Request(b.T.Context(), b.Buyer, checkout.Input{Intent: b.Renewal(b.Buyer), DespiteDebit: true})
	require.NoError(b.T, err)
	b.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount)
	_, err = b.API.Notices.Returned(b.T.Context(), b.Gateway.Notice(r.TransactionID))
	require.NoError(b.T, err)
	b.Work()
	require.Equal(b.T, "paid", b.State(r))
}

// refunds counts the refunds of the buyer's debits.
func (b *life) refunds() int {
	b.T.Helper()
	return b.Count(`SELECT count(*) FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE p.by_mandate AND p.franchiser_id = $1`, b.Buyer)
}

func (b *life) subscription() string {
	b.T.Helper()
	return b.Text(`SELECT state FROM subscriptions WHERE franchiser_id = $1`, b.Buyer)
}

func TestUndecidedDebit_AfterFiveDays_FailsForTheCustomerAndIsNotRetried(t *testing.T) {
	t.Parallel()
	b := stuck(t)
	b.hours(4 * 24)
	require.Equal(t, 1, b.are("asked"), b.debits())
	b.hours(26)
	require.Equal(t, "1 failed undecided", b.debits())
	require.Equal(t, 1, b.messagesOf("debit_failed"))
	require.Equal(t, 1, b.messagesOf("debit_failed_email"))
	_, err := b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.NoError(t, err, "no confirmation is needed any more")
	v, err := b.APIMandates.View(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Zero(t, v.DebitOn)
	advice, next := v.Follows(v.History[0])
	require.NotEmpty(t, advice)
	require.Zero(t, next)
	require.Len(t, b.made(), 1)
}

func TestUndecidedDebit_GraceAndExpiryMessages_AreSent(t *testing.T) {
	t.Parallel()
	b := stuck(t)
	require.False(t, b.reminded(-1))
	b.hours(3 * 24)
	require.Equal(t, 1, b.are("asked"), b.debits())
	require.True(t, b.reminded(-1), "the first day of grace")
	b.hours(12 * 24)
	require.Equal(t, "expired", b.subscription())
	require.True(t, b.reminded(-subscription.GraceDays-1), "the expiry")
}

// The worker looks only in hours in which UPI takes no debits.
func TestNoticedDebit_NeverRequested_GraceAndExpiryMessagesAreSent(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	for range 25 {
		now := b.Clock.Now()
		b.Clock.Set(time.Date(now.Year(), now.Month(), now.Day()+1, 5, 30, 0, 0, time.UTC)) // 11:00 in India
		b.run()
		b.Sweep()
	}
	require.Empty(t, b.made(), b.debits())
	require.Equal(t, "expired", b.subscription())
	require.Equal(t, "-1 -4 -7 -8", b.Text(`SELECT string_agg(days::text, ' ' ORDER BY days DESC) FROM renewal_reminders WHERE franchiser_id = $1 AND days < 0`, b.Buyer),
		"the first, fourth and last day of grace, and the expiry")
}

func TestUndecidedDebit_PaidManuallyWithConfirmation_DebitThatSucceedsLaterIsRefunded(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]int{"while it is requested": 1, "after it ended": 6 * 24, "after the next term began": 29 * 24} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := stuck(t)
			_, err := b.Request(b.Buyer, b.Renewal(b.Buyer))
			require.ErrorIs(t, err, checkout.ErrDebitUndecided)
			p, err := b.API.Checkout.Preview(t.Context(), b.Buyer, b.Renewal(b.Buyer))
			require.NoError(t, err)
			require.NotNil(t, p.Debit)
			require.Equal(t, payment.DebitDecidedBy, p.Debit.DecidedBy().Sub(p.Debit.AskedAt))
			b.despite()
			b.Mandates.Set(func(m *world.Mandates) { m.Processing = false })
			b.hours(wait)
			require.Equal(t, "active", b.subscription())
			require.Len(t, b.made(), 1)
			b.Mandates.Finish(payment.StatusPaid)
			b.hours(26)
			require.Equal(t, 1, b.refunds(), b.debits())
			require.Equal(t, 1, b.Count(`SELECT count(*) FROM payments WHERE by_mandate AND surplus AND franchiser_id = $1`, b.Buyer))
			b.Balanced()
			b.hours(35 * 24)
			require.Positive(t, b.are("paid")-1, "the next renewals are debited")
			require.Equal(t, 1, b.refunds())
			require.Empty(t, b.Mandates.Broken())
			b.Balanced()
		})
	}
}

func TestUndecidedDebit_SucceedsAfterItEnded_RenewsThePlanOnce(t *testing.T) {
	t.Parallel()
	b := stuck(t)
	b.hours(6 * 24)
	require.Equal(t, "1 failed undecided", b.debits())
	b.Mandates.Finish(payment.StatusPaid)
	b.hours(25)
	require.Equal(t, "1 paid ", b.debits())
	require.Equal(t, "active", b.subscription())
	require.Zero(t, b.refunds())
	b.safe()
}

func TestUndecidedDebit_ForgottenByTheGateway_Ends(t *testing.T) {
	t.Parallel()
	b := stuck(t)
	b.hours(2)
	b.Gateway.Decide(b.made()[0].Charge.TransactionID, payment.StatusUnknown, 0)
	b.hours(6 * 24)
	require.Equal(t, "1 failed undecided", b.debits())
	_, err := b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.NoError(t, err)
}

func TestUndecidedDebit_GatewayDoesNotAnswer_Ends(t *testing.T) {
	t.Parallel()
	b := stuck(t)
	b.Gateway.SetDown(true)
	t.Cleanup(func() { b.Gateway.SetDown(false) })
	b.hours(8 * 24)
	require.Equal(t, 1, b.are("failed"), b.debits())
	require.Equal(t, 1, b.messagesOf("debit_failed"))
}

func TestUndecidedDebit_NoWorkerForAWeek_PayingManuallyNeedsNoConfirmation(t *testing.T) {
	t.Parallel()
	b := stuck(t)
	b.Pass(5*24*time.Hour + time.Minute)
	_, err := b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.NoError(t, err)
	b.hours(24)
	require.Equal(t, "1 failed undecided", b.debits())
}

func TestUndecidedDebit_GatewayIsNotConfigured_Ends(t *testing.T) {
	t.Parallel()
	b := stuck(t)
	alone := b.WorkerWith(func(p *app.BillingParts) { p.Gateways = []app.Gateway{newcomer{b.Gateway}} }).Payments
	id := b.Text(`SELECT payment_id FROM mandate_debits WHERE franchiser_id = $1`, b.Buyer)
	b.Clock.Advance(5*24*time.Hour + time.Minute)
	require.NoError(t, alone.Captures.Verify(t.Context(), payment.VerifyArgs{PaymentID: id, Check: 99}))
	require.Equal(t, "expired", b.Text(`SELECT state FROM payments WHERE id = $1`, id))
}

type newcomer struct{ app.Gateway }

func (newcomer) Name() string { return "newcomer" }

func TestUndecidedDebit_MandateEndedAtTheBank_Ends(t *testing.T) {
	t.Parallel()
	for _, word := range []mandate.ProviderState{mandate.ProviderRevoked, mandate.ProviderPaused} {
		t.Run(string(word), func(t *testing.T) {
			t.Parallel()
			b := stuck(t)
			b.Mandates.SetState(b.id, word)
			b.hours(6 * 24)
			require.Equal(t, "1 failed undecided", b.debits())
			require.Equal(t, 1, b.messagesOf("debit_failed"))
		})
	}
}

func TestUndecidedDebit_Stopped_EndsAndAnotherMandateCanBeSetUp(t *testing.T) {
	t.Parallel()
	b := stuck(t)
	_, err := b.APIMandates.Stop(t.Context(), b.Buyer, b.mandate())
	require.NoError(t, err)
	b.hours(6 * 24)
	require.Equal(t, "1 failed undecided", b.debits())
	v, err := b.APIMandates.View(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.NotEmpty(t, v.Terms)
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = false })
	for _, terms := range v.Terms {
		if terms.Method == mandate.MethodUPI {
			_, err = b.APIMandates.Register(t.Context(), b.Buyer, mandate.Input{Method: terms.Method, Consented: true, Version: terms.Version, Text: terms.Text(i18n.English)})
			require.NoError(t, err)
		}
	}
}

// A request whose answer was lost must not be repeated once the customer has paid manually.
func TestLostDebitRequest_PaidManually_IsNotSentAgain(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Unheard = true })
	b.until("asked")
	b.despite()
	b.Mandates.Set(func(m *world.Mandates) { m.Unheard = false })
	b.hours(3 * 24)
	require.Empty(t, b.made())
	require.Equal(t, "1 failed lost", b.debits())
}

func TestUndecidedDebit_EndedByStaff_FailsAtOnce(t *testing.T) {
	t.Parallel()
	b := stuck(t)
	id := b.Text(`SELECT payment_id FROM mandate_debits WHERE franchiser_id = $1`, b.Buyer)
	end := func(franchiser string) error {
		return postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) error {
			return b.Worker.Acts.EndDebitTx(t.Context(), tx, franchiser, id, b.Clock.Now())
		})
	}
	require.ErrorIs(t, end(b.Buyer), act.ErrNotUndecided, "UPI decides within minutes")
	b.hours(2)
	require.Error(t, end(b.Franchiser("29")), "another customer's")
	require.NoError(t, end(b.Buyer))
	require.ErrorIs(t, end(b.Buyer), act.ErrNotUndecided, "once")
	b.hours(2)
	require.Equal(t, "1 failed undecided", b.debits())
	require.Equal(t, 1, b.messagesOf("debit_failed"))
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	b.Mandates.Finish(payment.StatusPaid)
	b.hours(48)
	require.Equal(t, 1, b.refunds())
	b.Balanced()
}

func TestUndecidedDebit_UpgradeDespiteIt_LateSuccessIsRefunded(t *testing.T) {
	t.Parallel()
	b := stuck(t)
	b.hours(1)
	r, err := b.API.Checkout.Request(t.Context(), b.Buyer, checkout.Input{Intent: story.Buy(b.Tier(0, 1), "monthly"), DespiteDebit: true})
	require.NoError(t, err)
	b.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount)
	b.Work()
	_, err = b.API.Notices.Returned(t.Context(), b.Gateway.Notice(r.TransactionID))
	require.NoError(t, err)
	b.Work()
	require.Equal(t, "paid", b.State(r))
	b.hours(6 * 24)
	b.Mandates.Finish(payment.StatusPaid)
	b.hours(26)
	require.Equal(t, 1, b.refunds(), b.debits())
	b.Balanced()
}

func TestUndecidedDebit_TransferRequested_NeedsTheConfirmation(t *testing.T) {
	t.Parallel()
	b := stuck(t)
	ask := func(despite bool) error {
		return postgres.InTx(t.Context(), b.DB.API, func(tx *sqlx.Tx) error {
			in := checkout.Input{Intent: b.Renewal(b.Buyer), DespiteDebit: despite}
			_, err := b.API.Checkout.TransferOrderTx(t.Context(), tx, b.Buyer, in, b.Clock.Now())
			return err
		})
	}
	require.ErrorIs(t, ask(false), checkout.ErrDebitUndecided)
	require.NoError(t, ask(true))
}

func TestUndecidedDebit_AccountErased_EndsAndNothingElseIsDebited(t *testing.T) {
	t.Parallel()
	b := stuck(t)
	require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.Worker, b.Buyer, func(tx *sqlx.Tx) error {
		return mandate.NewPersonalData(b.Clock).EraseTx(t.Context(), tx, b.Buyer)
	}))
	b.hours(6 * 24)
	require.Equal(t, "revoked", b.state())
	require.Equal(t, "1 failed undecided", b.debits())
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = false })
	b.Mandates.Finish(payment.StatusPaid)
	b.hours(35 * 24)
	require.Len(t, b.made(), 1)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM payments WHERE franchiser_id = $1 AND by_mandate AND captured_paise > 0`, b.Buyer), "money that came is booked once")
	b.Balanced()
}
