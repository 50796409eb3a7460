package mandate_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// workedBy runs the worker's steps with another gateway and changed settings until the test ends.
func (b *life) workedBy(g mandate.Gateway, change func(*mandate.Settings)) {
	b.T.Helper()
	was, settings := b.WorkerMandates, mandate.DefaultSettings()
	if change != nil {
		change(&settings)
	}
	b.WorkerMandates = b.worker(g, settings)
	b.T.Cleanup(func() { b.WorkerMandates = was })
}

func (b *life) worker(g mandate.Gateway, settings mandate.Settings) *mandate.Service {
	b.T.Helper()
	return mandate.NewService(mandate.Options{
		DB: b.DB.Worker, Jobs: testkit.NewInserter(b.T, b.DB.Worker), Clock: b.Clock, Gateways: []mandate.Gateway{g},
		Checkout: b.Worker.Checkout, Captures: b.Worker.Captures, Subscriptions: b.WorkerSubs, Settings: settings, Email: true, Logger: testkit.NewSilentLogger(),
	})
}

func TestWorker_GraceExtended_DoesNotLoop(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseDeclined })
	b.until("failed")
	_, err := b.DB.Owner.Exec(`UPDATE subscriptions SET grace_extra = 5, due_on = due_on + 5 WHERE franchiser_id = $1`, b.Buyer)
	require.NoError(t, err)
	b.Live(9)
	require.Equal(t, "grace", b.Text(`SELECT state FROM subscriptions WHERE franchiser_id = $1`, b.Buyer))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	n, err := b.WorkerMandates.Run(ctx)
	require.NoError(t, err)
	require.Less(t, n, 10, "one look is enough")
	require.NoError(t, ctx.Err())
}

// slow has something happen during the first notice.
type slow struct {
	*world.Mandates

	during func()
}

func (g *slow) Notify(ctx context.Context, m mandate.Reference, n mandate.Notice) (mandate.NoticeOutcome, error) {
	out, err := g.Mandates.Notify(ctx, m, n)
	if during := g.during; during != nil {
		g.during = nil
		during()
	}
	return out, err
}

func TestNotice_TwoWorkersAtOnce_IsNotWithdrawn(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("planned")
	other := b.worker(b.Mandates, mandate.DefaultSettings())
	b.workedBy(&slow{Mandates: b.Mandates, during: func() {
		b.Pass(6 * time.Minute) // longer than a worker's lease on a step
		_, err := other.Run(t.Context())
		require.NoError(t, err)
	}}, nil)
	b.until("noticed")
	b.hours(1)
	require.Zero(t, b.Mandates.WithdrawnOf(b.id))
	b.until("paid")
	b.safe()
}

func TestNotice_PausedWhileItIsSubmitted_IsWithdrawn(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("planned")
	b.workedBy(&slow{Mandates: b.Mandates, during: func() {
		require.NoError(t, b.APIMandates.Pause(t.Context(), b.Buyer, b.mandate()))
	}}, nil)
	for end := 0; b.are("called_off") == 0 && end < 200; end++ {
		b.hours(1)
	}
	b.hours(1)
	require.Positive(t, b.Mandates.WithdrawnOf(b.id))
}

func TestDebitRequest_PaymentFailedBeforeItWasSent_IsNotSent(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Unheard = true })
	b.until("asked")
	_, err := b.DB.Owner.Exec(`UPDATE payments SET state = 'failed', decided_at = $2, reason = 'x' WHERE by_mandate AND franchiser_id = $1 AND state = 'created'`, b.Buyer, b.Clock.Now())
	require.NoError(t, err, "a worker died after it had given the payment up")
	b.Mandates.Set(func(m *world.Mandates) { m.Unheard = false })
	b.hours(2)
	require.Empty(t, b.made())
	b.safe()
}

func TestUndecidedDebit_DecidedAfterTheGrace_RenewsOrExpires(t *testing.T) {
	t.Parallel()
	for status, want := range map[payment.Status]string{payment.StatusPaid: "active", payment.StatusFailed: "expired"} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			b := stuck(t)
			b.hours(10 * 24)
			require.Len(t, b.made(), 1)
			require.Equal(t, "1 failed undecided", b.debits())
			b.Mandates.Set(func(m *world.Mandates) { m.Processing = false })
			b.Mandates.Finish(status)
			b.hours(2 * 24)
			require.Equal(t, want, b.Text(`SELECT state FROM subscriptions WHERE franchiser_id = $1`, b.Buyer))
			require.Len(t, b.made(), 1, b.debits())
			b.safe()
		})
	}
}

func TestPause_Repeated_DoesNotUseUpTheAttempts(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("planned")
	for range 6 {
		require.NoError(t, b.APIMandates.Pause(t.Context(), b.Buyer, b.mandate()))
		require.NoError(t, b.APIMandates.Resume(t.Context(), b.Buyer, b.mandate()))
		b.run()
	}
	require.Equal(t, 1, b.are("planned"), b.debits())
	b.until("paid")
	b.safe()
}

func TestResume_AfterAFinalFailure_DoesNotRetryTheDebit(t *testing.T) {
	t.Parallel()
	for _, cause := range []mandate.Cause{mandate.CauseDeclined, mandate.CauseCycleUsed} {
		t.Run(string(cause), func(t *testing.T) {
			t.Parallel()
			b := begin(t)
			b.Mandates.Set(func(m *world.Mandates) { m.Cause = cause })
			b.until("failed")
			require.NoError(t, b.APIMandates.Pause(t.Context(), b.Buyer, b.mandate()))
			require.NoError(t, b.APIMandates.Resume(t.Context(), b.Buyer, b.mandate()))
			b.hours(10 * 24)
			require.Len(t, b.made(), 1)
			b.safe()
		})
	}
}

// forgetful takes the first notice and loses the answer.
type forgetful struct {
	*world.Mandates

	lost bool
}

func (g *forgetful) Notify(ctx context.Context, m mandate.Reference, n mandate.Notice) (mandate.NoticeOutcome, error) {
	out, err := g.Mandates.Notify(ctx, m, n)
	if !g.lost && err == nil {
		g.lost = true
		return mandate.NoticeOutcome{}, errs.Unavailable(errors.New("the answer was lost"))
	}
	return out, err
}

func TestNotice_AnswerLostAndPriceChanged_IsNotUsedForTheDebit(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("planned")
	g := &forgetful{Mandates: b.Mandates}
	b.workedBy(g, nil)
	for !g.lost {
		b.hours(1)
	}
	require.NoError(t, b.Reprice(t.Context(), b.DB.Worker, -500))
	t.Cleanup(func() { require.NoError(t, b.Reprice(context.Background(), b.DB.Worker, 526)) })
	b.hours(6 * 24)
	require.Equal(t, 1, b.are("paid"), b.debits())
	b.safe()
}

func TestView_MandateEndsBeforeTheDebit_WarnsAtOnce(t *testing.T) {
	t.Parallel()
	b := begin(t)
	_, err := b.DB.Owner.Exec(`UPDATE mandates SET ends_on = (SELECT renew_on - 3 FROM subscriptions s WHERE s.franchiser_id = $1) WHERE franchiser_id = $1`, b.Buyer)
	require.NoError(t, err)
	require.Equal(t, mandate.CauseExpires, b.view().Refused)
	b.hours(35 * 24)
	require.Empty(t, b.made())
	require.Empty(t, b.Mandates.NoticesOf(b.id))
	b.safe()
}

func TestLostDebitRequest_AfterTheLastDay_IsNotRepeated(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseInsufficient })
	b.until("failed")
	b.Mandates.Set(func(m *world.Mandates) { m.Unheard = true })
	b.until("asked")
	// as if the cycle had ended since
	_, err := b.DB.Owner.Exec(`UPDATE mandate_debits SET renew_on = renew_on - 7 WHERE franchiser_id = $1 AND state = 'asked'`, b.Buyer)
	require.NoError(t, err)
	b.Mandates.Set(func(m *world.Mandates) { m.Unheard, m.Cause = false, mandate.CauseNone })
	b.hours(20)
	require.Len(t, b.made(), 1, b.debits())
}

func TestUnskip_WhileANoticeIsStillInTime_RestoresTheDebit(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	on := b.view().Next.DebitAt
	require.NoError(t, b.APIMandates.Skip(t.Context(), b.Buyer, b.mandate()))
	v := b.view()
	require.Equal(t, []any{true, true}, []any{v.SkippedOn == v.Bill.RenewsOn, v.CanUnskip})
	for range 2 { // the second click changes nothing
		require.NoError(t, b.APIMandates.Unskip(t.Context(), b.Buyer, b.mandate()))
	}
	b.hours(1)
	next := b.view().Next
	require.NotNil(t, next, "announced anew")
	require.False(t, next.DebitAt.Before(on))
	require.Equal(t, 2, b.told("debit_announced"))
	b.until("paid")
	require.Len(t, b.made(), 1)
	b.safe()
}

func TestUnskip_TooLateForANotice_IsRefused(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("planned")
	require.NoError(t, b.APIMandates.Skip(t.Context(), b.Buyer, b.mandate()))
	for end := 0; b.view().CanUnskip && end < 400; end++ {
		b.hours(2)
	}
	require.NotZero(t, b.view().SkippedOn)
	require.ErrorIs(t, b.APIMandates.Unskip(t.Context(), b.Buyer, b.mandate()), mandate.ErrSkipStands)
	b.hours(5 * 24)
	require.Empty(t, b.made())
	b.safe()
}

// kinds are what happened to the buyer's mandates and who did it, in order.
func (b *life) kinds() []string {
	b.T.Helper()
	var all []string
	require.NoError(b.T, b.DB.Owner.Select(&all, `SELECT kind || ' by ' || actor FROM mandate_events WHERE franchiser_id = $1 ORDER BY at, id`, b.Buyer))
	return all
}

func TestMandateEvents_EachChange_IsRecordedAndSent(t *testing.T) {
	t.Parallel()
	b := begin(t)
	require.Equal(t, 1, b.told("mandate_active"))
	require.Equal(t, 1, b.told("mandate_active_email"))
	require.NoError(t, b.APIMandates.Pause(t.Context(), b.Buyer, b.mandate()))
	b.hours(1)
	require.NoError(t, b.APIMandates.Resume(t.Context(), b.Buyer, b.mandate()))
	b.Mandates.SetState(b.id, mandate.ProviderPaused)
	b.hours(25)
	require.Equal(t, 1, b.told("mandate_paused"))
	require.Equal(t, 1, b.told("mandate_paused_email"))
	b.Mandates.SetState(b.id, mandate.ProviderActive)
	b.hours(25)
	b.Mandates.SetState(b.id, mandate.ProviderRevoked)
	b.hours(25)
	require.Equal(t, 1, b.told("mandate_ended"))
	require.Equal(t, 1, b.told("mandate_ended_email"))
	require.Equal(t, []string{
		"requested by customer", "confirmed by bank", "paused by customer", "resumed by customer", "paused by bank", "resumed by bank", "ended by bank",
	}, b.kinds())
	require.Len(t, b.view().Events, 7)
	require.Len(t, b.history()[0].Events, 7)
	_, err := b.DB.Owner.Exec(`DELETE FROM mandate_events WHERE franchiser_id = $1`, b.Buyer)
	require.Error(t, err, "never changed")
}

func TestStop_ByTheCustomer_SendsNoEndedByBankMessage(t *testing.T) {
	t.Parallel()
	b := begin(t)
	_, err := b.APIMandates.Stop(t.Context(), b.Buyer, b.mandate())
	require.NoError(t, err)
	require.Equal(t, []string{"requested by customer", "confirmed by bank", "stopped by customer", "ended by bank"}, b.kinds())
	require.Zero(t, b.told("mandate_ended"))
}

func TestBillAboveTheLimit_WarnsOnceBeforeTheAnnouncement(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cap = 100 * 100 })
	for end := 0; b.told("mandate_refused") == 0 && end < 60*24; end += 6 {
		b.hours(6)
	}
	require.GreaterOrEqual(t, b.Count(`SELECT renew_on - 1 - day_in_india($2) FROM subscriptions WHERE franchiser_id = $1`, b.Buyer, b.Clock.Now()), 8)
	require.Empty(t, b.debits())
	b.until("failed")
	require.Equal(t, "1 failed above_cap", b.debits())
	b.hours(10 * 24)
	require.Equal(t, []int{1, 1, 0}, []int{b.told("mandate_refused"), b.told("mandate_refused_email"), b.told("debit_failed")})
	require.Positive(t, b.told("renewal_reminder"), "reminded of as by hand")
}

func TestAnnouncedDebit_AmountChangesBeforeTheNotice_IsAnnouncedAgain(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("planned")
	require.NoError(t, b.Reprice(t.Context(), b.DB.Worker, -500))
	t.Cleanup(func() { require.NoError(t, b.Reprice(context.Background(), b.DB.Worker, 526)) })
	b.until("noticed")
	require.Equal(t, "1 called_off , 1 noticed ", b.debits())
	require.Equal(t, 2, b.told("debit_announced"))
	b.until("paid")
	b.safe()
}

func TestFailedDebit_PaidLate_CancelsItsRetry(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseInsufficient })
	b.until("failed")
	first := b.made()[0]
	b.Gateway.Decide(first.Charge.TransactionID, payment.StatusPaid, first.Charge.Amount)
	_, err := b.API.Notices.Returned(t.Context(), b.Gateway.Notice(first.Charge.TransactionID))
	require.NoError(t, err)
	b.hours(26)
	require.Equal(t, "1 paid , 2 called_off ", b.debits())
	require.Len(t, b.made(), 1)
}

// A failed debit counts as paid if its money arrives after its mandate has ended.
func TestFailedDebit_PaidLateAfterTheMandateEnded_CountsAsPaid(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseDeclined })
	b.until("failed")
	first := b.made()[0]
	b.Mandates.SetState(b.id, mandate.ProviderRevoked)
	b.hours(26)
	require.Equal(t, "revoked", b.state())
	b.Gateway.Decide(first.Charge.TransactionID, payment.StatusPaid, first.Charge.Amount)
	_, err := b.API.Notices.Returned(t.Context(), b.Gateway.Notice(first.Charge.TransactionID))
	require.NoError(t, err)
	b.Work()
	b.run()
	require.Equal(t, "1 paid ", b.debits())
	b.Balanced()
}

func TestMandateLetters_StateHasChanged_WritesNothing(t *testing.T) {
	t.Parallel()
	b := begin(t)
	letters := mandate.Letters(testkit.NewKeyring(t), "https://shop.example")
	written := func(template, kind string) (out *message.Message) {
		about := b.Text(`SELECT id FROM mandate_events WHERE franchiser_id = $1 AND kind = $2 ORDER BY at DESC LIMIT 1`, b.Buyer, kind)
		require.NoError(t, postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) (err error) {
			out, err = letters[template].Write(t.Context(), tx, message.CustomerMessage{FranchiserID: b.Buyer, About: about, Template: template})
			return err
		}))
		if out != nil {
			require.NoError(t, world.Addressed(*out, template).Fits())
		}
		return out
	}
	require.Equal(t, []string{"Rs 15,000", "UPI asha•••@upi"}, written(message.TemplateMandateActive, "confirmed").Values)
	require.Equal(t, "₹15,000", written(message.TemplateMandateActiveEmail, "confirmed").Values[0])
	b.Mandates.SetState(b.id, mandate.ProviderPaused)
	b.hours(25)
	require.Equal(t, []string{"UPI asha•••@upi"}, written(message.TemplateMandatePaused, "paused").Values)
	require.Nil(t, written(message.TemplateMandateActive, "confirmed"), "it is not on any more")
	b.Mandates.SetState(b.id, mandate.ProviderRevoked)
	b.hours(25)
	require.Nil(t, written(message.TemplateMandatePaused, "paused"))
	require.Len(t, written(message.TemplateMandateEnded, "ended").Values, 2)
}
