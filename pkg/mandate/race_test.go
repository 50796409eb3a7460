package mandate_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

func TestFailedDebit_BeforeTheRetry_IsVerifiedAgain(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseInsufficient })
	b.Pass(b.view().Next.DebitAt.Sub(b.Clock.Now()) + 7*time.Minute)
	b.run()
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseNone })
	require.Equal(t, 1, b.are("failed"))
	b.until("noticed")
	// It is captured all the same, without a notice, after the last scheduled look at it before the next debit.
	b.hours(int(b.view().Next.DebitAt.Sub(b.Clock.Now()).Hours()) - 1)
	first := b.made()[0]
	b.Gateway.Decide(first.Charge.TransactionID, payment.StatusPaid, first.Charge.Amount)
	b.hours(3 * 24)
	require.Len(t, b.made(), 1, b.debits())
	require.Equal(t, "1 paid , 2 called_off ", b.debits())
}

func TestAddOn_WhileADebitIsUndecided_IsNotSold(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	at := b.view().Next.DebitAt
	b.Pass(at.Sub(b.Clock.Now()) - 5*time.Minute)
	addOn := b.AddOns(b.Buyer, b.Tier(0, 0).AddOns[0].ID)
	_, err := b.Request(b.Buyer, addOn)
	require.NoError(t, err)
	b.Pass(6 * time.Minute)
	b.run()
	require.Empty(t, b.made(), "the customer is buying something that changes the bill")
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = true })
	b.until("asked")
	_, err = b.Request(b.Buyer, addOn)
	require.ErrorIs(t, err, checkout.ErrDebitUndecided)
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = false })
	b.Mandates.Finish(payment.StatusPaid)
	b.hours(2 * 24)
	require.Equal(t, 1, b.are("paid"))
	b.safe()
}

func TestSkip_NoticeWhoseAnswerWasLost_IsWithdrawn(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("planned")
	g := &forgetful{Mandates: b.Mandates}
	b.workedBy(g, nil)
	for !g.lost {
		b.hours(1)
	}
	require.NoError(t, b.APIMandates.Skip(t.Context(), b.Buyer, b.mandate()))
	b.hours(24)
	require.Equal(t, 1, b.Mandates.WithdrawnOf(b.id), b.debits())
}

func TestWorker_MandatePaused_DoesNotLoop(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = true })
	b.until("asked")
	require.NoError(t, b.APIMandates.Pause(t.Context(), b.Buyer, b.mandate()))
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = false })
	b.Mandates.Finish(payment.StatusPaid)
	b.hours(2)
	require.Zero(t, b.Count(`SELECT count(*) FROM mandates WHERE plan_at IS NOT NULL AND franchiser_id = $1`, b.Buyer))
}

func TestNoticedDebit_CheckoutJustOpened_Waits(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	at := b.view().Next.DebitAt
	b.Pass(at.Sub(b.Clock.Now()) - 5*time.Minute)
	r, err := b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.NoError(t, err)
	b.Pass(6 * time.Minute)
	b.run()
	require.Empty(t, b.made(), "the customer is at the gateway's page")
	b.Settle(r, payment.StatusPaid)
	b.hours(48)
	require.Empty(t, b.made())
	b.safe()
}

func TestNoticedDebit_EarlierCheckoutReopened_Waits(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	ask := func(key string) checkout.Requested {
		r, err := b.API.Checkout.Request(t.Context(), b.Buyer, checkout.Input{Intent: b.Renewal(b.Buyer), Key: key})
		require.NoError(t, err)
		return r
	}
	first := ask("key-of-yesterday")
	at := b.view().Next.DebitAt
	b.Pass(at.Sub(b.Clock.Now()) - 5*time.Minute)
	again := ask("key-of-today")
	require.Equal(t, first.TransactionID, again.TransactionID)
	b.Pass(6 * time.Minute)
	b.run()
	require.Empty(t, b.made(), "the customer is at the gateway's page again")
	b.Settle(again, payment.StatusPaid)
	b.hours(48)
	require.Empty(t, b.made())
	b.safe()
}

// The customer reopens an older payment by a pay-link just before the debit; the debit waits for that payment.
func TestNoticedDebit_EarlierPaymentReopenedByPayLink_Waits(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	first, err := b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.NoError(t, err)
	at := b.view().Next.DebitAt
	b.Pass(at.Sub(b.Clock.Now()) - 5*time.Minute)
	again, err := b.Request(b.Buyer, b.Renewal(b.Buyer)) // a pay-link has no key
	require.NoError(t, err)
	require.Equal(t, first.TransactionID, again.TransactionID)
	b.Pass(6 * time.Minute)
	b.run()
	require.Empty(t, b.made(), "somebody is at the gateway's page")
	b.Settle(again, payment.StatusPaid)
	b.hours(48)
	require.Empty(t, b.made())
	b.safe()
}

// A customer opens the page for add-ons before the debit and pays while the bank processes the debit. Both count: the plan is renewed on
// time, and nothing is refunded.
func TestProcessingDebit_AddOnPaidMeanwhile_RenewsWithoutARefund(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	at := b.view().Next.DebitAt
	b.Pass(at.Sub(b.Clock.Now()) - 45*time.Minute)
	page, err := b.Request(b.Buyer, b.AddOns(b.Buyer, b.Tier(0, 0).AddOns[0].ID))
	require.NoError(t, err)
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = true })
	b.Pass(46 * time.Minute)
	b.run()
	require.Equal(t, 1, b.are("asked"), b.debits())
	b.Settle(page, payment.StatusPaid)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM orders WHERE kind = 'add_on' AND state = 'paid' AND franchiser_id = $1`, b.Buyer))
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = false })
	b.Mandates.Finish(payment.StatusPaid)
	b.hours(2)
	require.Equal(t, 1, b.are("paid"), b.debits())
	require.Zero(t, b.Count(`SELECT count(*) FROM refunds WHERE franchiser_id = $1`, b.Buyer), "nothing goes back")
	renewOn := b.Text(`SELECT renew_on::text FROM mandate_debits WHERE state = 'paid' AND franchiser_id = $1`, b.Buyer)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM terms WHERE starts_on = $1 AND franchiser_id = $2`, renewOn, b.Buyer), "renewed on time")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL AND paid_until = $1 AND franchiser_id = $2`, renewOn, b.Buyer),
		"the add-on lasts as long as it was paid for")
	b.hours(3 * 24)
	require.Len(t, b.made(), 1)
	b.safe()
}

func TestYearlyMandate_MonthlyBill_IsNotDebited(t *testing.T) {
	t.Parallel()
	b := enter(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Mandates.Authorise(b.ask(mandate.MethodENACH), mandate.ProviderActive)
	b.hours(2)
	require.Equal(t, "active", b.state())
	change := story.Buy(b.Tier(0, 0), plan.TypeMonthly)
	_, err := b.Request(b.Buyer, change)
	require.NoError(t, err)
	v := b.view()
	require.Equal(t, plan.TypeMonthly, v.Bill.Type)
	require.Equal(t, mandate.CauseFrequency, v.Refused)
	require.NotEmpty(t, v.Terms, "another mandate can be set up")
	b.hours(370 * 24)
	require.Empty(t, b.made(), "what was agreed to is a debit every year")
	require.Equal(t, 1, b.told("mandate_refused"))
	b.safe()
}

// until says until when mandates last.
type until struct {
	*world.Mandates

	day time.Time
}

func (g *until) State(ctx context.Context, m mandate.Reference) (mandate.Details, error) {
	d, err := g.Mandates.State(ctx, m)
	d.Until = g.day
	return d, err
}

func TestMandateEnd_BankReportsALaterDay_StaysAtTheAgreedDay(t *testing.T) {
	t.Parallel()
	b := begin(t)
	agreed := b.view().Mandate.EndsOn
	for _, c := range []struct {
		bank time.Time
		want subscription.Day
	}{
		{time.Date(2070, 1, 1, 0, 0, 0, 0, time.UTC), agreed},
		{time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC), subscription.DayOf(time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC))},
		{time.Date(2070, 1, 1, 0, 0, 0, 0, time.UTC), agreed}, // a wrong answer does not last
	} {
		b.workedBy(&until{b.Mandates, c.bank}, nil)
		b.hours(26)
		require.Equal(t, c.want, b.view().Mandate.EndsOn)
	}
}

func TestNoticedDebit_TransferUnderWay_IsNotRequested(t *testing.T) {
	t.Parallel()
	proforma := `INSERT INTO proformas (id, franchiser_id, order_id, number, state, amount_paise, taxable_paise, title, document, account, valid_until, created_at,
			told_utr, told_at, virtual_id)
		SELECT $1::uuid, d.franchiser_id, d.order_id, 'PI/' || right($1::uuid::text, 12), 'open', d.amount_paise, d.amount_paise, 'Renewal', '{}', '{}', $2::timestamptz + interval '15 days', $2::timestamptz,
			$4::text, CASE WHEN $4::text <> '' THEN $2::timestamptz END, $5::uuid
		FROM mandate_debits d WHERE d.franchiser_id = $3`
	for name, begun := range map[string]func(b *life, proformaID string){
		"the customer reported its UTR": func(b *life, proformaID string) {
			_, err := b.DB.Owner.Exec(proforma, proformaID, b.Clock.Now(), b.Buyer, "HDFCR52027010112345678", nil)
			require.NoError(b.T, err)
		},
		"it came to the customer's account": func(b *life, proformaID string) {
			account := id.New()
			_, err := b.DB.Owner.Exec(`INSERT INTO virtual_accounts (id, franchiser_id, collector, external_id, number, ifsc, beneficiary, checked_at, read_until, created_at)
				VALUES ($1, $2, 'razorpay', 'va_1', '2223330000000001', 'RATN0VAAPIS', 'Franchise 360', $3, $3, $3)`, account, b.Buyer, b.Clock.Now())
			require.NoError(b.T, err)
			_, err = b.DB.Owner.Exec(proforma, proformaID, b.Clock.Now(), b.Buyer, "", account)
			require.NoError(b.T, err)
			credit := id.New()
			_, err = b.DB.Owner.Exec(`INSERT INTO bank_credits (id, source, external_id, virtual_id, franchiser_ref, utr, amount_paise, used_paise, paid_at, state, created_at)
				VALUES ($1, 'razorpay', 'pay_1', $2, $3, 'HDFCR52027010112345679', 500, 0, $4, 'open', $4)`, credit, account, b.Buyer, b.Clock.Now())
			require.NoError(b.T, err)
			b.T.Cleanup(func() { // the books know nothing of it
				_, err := b.DB.Owner.Exec(`DELETE FROM bank_credits WHERE id = $1`, credit)
				require.NoError(b.T, err)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := begin(t)
			b.until("noticed")
			begun(b, id.New())
			b.hours(5 * 24)
			require.Empty(t, b.made())
			require.Equal(t, "1 called_off ", b.debits())
		})
	}
}

// asked runs beside concurrently once a worker has read the mandate's state, and records whether a debit was requested after that.
type asked struct {
	*world.Mandates

	beside     func()
	done, late atomic.Bool
}

func (g *asked) State(ctx context.Context, m mandate.Reference) (mandate.Details, error) {
	d, err := g.Mandates.State(ctx, m)
	if beside := g.beside; beside != nil {
		g.beside = nil
		go beside()
	}
	return d, err
}

func (g *asked) Debit(ctx context.Context, m mandate.Reference, d mandate.Debit) (mandate.DebitOutcome, error) {
	if g.done.Load() {
		g.late.Store(true)
	}
	return g.Mandates.Debit(ctx, m, d)
}

func TestStop_WhileADebitWaitsForThePace_PreventsIt(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	b.Pass(b.view().Next.DebitAt.Sub(b.Clock.Now()))
	stopped, g := make(chan error, 1), &asked{Mandates: b.Mandates}
	g.beside = func() {
		for range 10_000 {
			time.Sleep(2 * time.Millisecond)
			var n int
			if err := b.DB.Owner.Get(&n, `SELECT count(*) FROM mandate_debits WHERE state = 'asked' AND franchiser_id = $1`, b.Buyer); err != nil || n > 0 {
				break
			}
		}
		time.Sleep(50 * time.Millisecond) // the worker has seen that the mandate lives, and waits for its turn a second after the last request
		_, err := b.APIMandates.Stop(context.Background(), b.Buyer, b.mandate())
		g.done.Store(err == nil)
		stopped <- err
	}
	b.workedBy(g, func(s *mandate.Settings) { s.PerSecond = map[string]int{world.GatewayName: 1} })
	b.run()
	require.NoError(t, <-stopped)
	b.hours(2)
	require.False(t, g.late.Load())
	require.Equal(t, "revoked", b.state())
	b.safe()
}

func TestNoticedDebit_TaxHasRisen_IsAnnouncedAgain(t *testing.T) {
	t.Parallel()
	b, txn := beginOnly(t, 0)
	b.Mandates.Authorise(txn, mandate.ProviderActive)
	b.until("noticed")
	before, days := b.view().Next.Amount, int(b.view().Next.DebitAt.Sub(b.Clock.Now()).Hours())/24
	b.Tax(days, 2800)
	t.Cleanup(func() { b.Tax(0, 1800) })
	b.until("paid")
	require.Equal(t, "1 called_off , 1 paid ", b.debits())
	require.Equal(t, 2, b.told("debit_announced"))
	require.Greater(t, b.made()[0].Charge.Amount, before)
	b.hours(24)
	require.Equal(t, "active", b.Text(`SELECT state FROM subscriptions WHERE franchiser_id = $1`, b.Buyer))
	b.safe()
}

func TestAnnouncedDebit_DayHasChanged_IsAnnouncedAgain(t *testing.T) {
	t.Parallel()
	b, txn := beginOnly(t, 0) // of eNACH no bank tells the day
	b.Mandates.Authorise(txn, mandate.ProviderActive)
	b.until("planned")
	announced := b.view().Next.DebitAt
	b.Pass(announced.Sub(b.Clock.Now()) - 20*time.Hour) // no worker ran in this time
	b.until("noticed")
	next := b.view().Next.DebitAt
	require.GreaterOrEqual(t, next.Sub(announced), 24*time.Hour)
	require.Equal(t, 2, b.told("debit_announced"))
	b.until("paid")
	require.Len(t, b.made(), 1)
	b.safe()
}

// mute returns no mandate state, as if the gateway used an unknown word.
type mute struct{ *world.Mandates }

func (mute) State(context.Context, mandate.Reference) (mandate.Details, error) {
	return mandate.Details{}, errs.Unavailable(errors.New("status \"dormant\""))
}

func TestDebit_MandateStateUnknown_IsReportedWithinTheGrace(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"planned", "noticed"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			b := begin(t)
			b.until(state)
			b.workedBy(mute{b.Mandates}, nil)
			b.rest = time.Hour
			b.hours(int(b.view().Next.DebitAt.Sub(b.Clock.Now()).Hours()) + 30)
			require.Positive(t, b.told("debit_failed")+b.told("debit_retried"), b.debits())
			b.hours(6 * 24)
			require.Zero(t, b.are("planned")+b.are("noticed"), b.debits())
			require.Equal(t, 1, b.told("debit_failed"))
			require.Empty(t, b.made())
			b.Pay(b.Buyer, b.Renewal(b.Buyer))
			b.safe()
		})
	}
}

func TestFailedDebit_GatewayGivesNoReason_IsReported(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = true })
	b.until("asked")
	b.workedBy(mute{b.Mandates}, nil)
	b.rest = time.Hour
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = false })
	b.Mandates.Finish(payment.StatusFailed)
	b.hours(30)
	require.Zero(t, b.are("asked"), b.debits())
	require.Equal(t, 1, b.told("debit_failed")+b.told("debit_retried"))
	b.safe()
}

func TestStop_BankReactivatesTheMandate_IsRepeated(t *testing.T) {
	t.Parallel()
	b := begin(t)
	_, err := b.APIMandates.Stop(t.Context(), b.Buyer, b.mandate())
	require.NoError(t, err)
	require.Equal(t, "revoked", b.state())
	b.hours(2 * 24)
	b.Mandates.SetState(b.id, mandate.ProviderActive) // the cancellation that was under way has failed
	b.hours(2 * 24)
	require.True(t, b.Mandates.Stopped(b.id))
	b.hours(10 * 24)
	require.Zero(t, b.Count(`SELECT count(*) FROM mandates WHERE poll_at IS NOT NULL AND franchiser_id = $1`, b.Buyer), "it is not asked about for ever")
	b.safe()
}
