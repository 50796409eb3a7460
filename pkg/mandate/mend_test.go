package mandate_test

import (
	"context"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

func TestLostDebitRequest_GatewayNeverKnewIt_FailsAndIsPaidManually(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Unheard = true })
	b.until("asked")
	b.hours(26)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM mandate_debits WHERE unheard AND franchiser_id = $1`, b.Buyer), "staff see it")
	_, err := b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.ErrorIs(t, err, checkout.ErrDebitUndecided)
	b.hours(24)
	require.Equal(t, "1 failed lost", b.debits())
	require.Zero(t, b.Count(`SELECT count(*) FROM mandate_debits WHERE unheard AND franchiser_id = $1`, b.Buyer))
	require.Empty(t, b.made())
	b.Mandates.Set(func(m *world.Mandates) { m.Unheard = false })
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	b.hours(10 * 24)
	require.Equal(t, "active", b.Text(`SELECT state FROM subscriptions WHERE franchiser_id = $1`, b.Buyer))
	require.Empty(t, b.made())
	b.safe()
}

func TestLostDebitRequest_MandateStopped_CanBePaidManuallyTwoDaysLater(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Unheard = true })
	b.until("asked")
	_, err := b.APIMandates.Stop(t.Context(), b.Buyer, b.mandate())
	require.NoError(t, err)
	b.Mandates.Set(func(m *world.Mandates) { m.Unheard = false })
	b.hours(50)
	_, err = b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.NoError(t, err)
	require.Empty(t, b.made())
	b.safe()
}

func TestDebitRequest_RefusedByTheGateway_IsRepeatedAndBlocksNoPayment(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.NotAccepted = true })
	b.until("noticed")
	for b.Count(`SELECT count(*) FROM mandate_debits WHERE refused_at IS NOT NULL AND franchiser_id = $1`, b.Buyer) == 0 {
		b.hours(2)
	}
	require.Equal(t, "1 noticed ", b.debits())
	_, err := b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.NoError(t, err, "nothing is undecided")
	require.NoError(t, postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) error {
		n, err := mandate.RefusedTx(t.Context(), tx, b.Clock.Now().Add(-6*time.Hour))
		require.EqualValues(t, 1, n)
		return err
	}))
	b.Mandates.Set(func(m *world.Mandates) { m.NotAccepted = false })
	b.until("paid")
	require.Equal(t, "1 paid ", b.debits())
	b.safe()
}

func TestErasureRequested_NothingIsDebited(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	_, err := b.DB.Owner.Exec(`UPDATE franchisers SET erasure_requested_at = $2 WHERE id = $1`, b.Buyer, b.Clock.Now())
	require.NoError(t, err)
	b.hours(4 * 24)
	require.Empty(t, b.made())
	require.Equal(t, "1 called_off ", b.debits())
	b.hours(30 * 24)
	require.Equal(t, "1 called_off ", b.debits(), "nor is anything announced")
}

func TestErasure_StopsTheMandateAndBlanksTheInstrument(t *testing.T) {
	t.Parallel()
	b := begin(t)
	records := mandate.NewPersonalData(b.Clock)
	var out any
	require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.Worker, b.Buyer, func(tx *sqlx.Tx) (err error) {
		if _, out, err = records.ExportTx(t.Context(), tx, b.Buyer); err != nil {
			return err
		}
		return records.EraseTx(t.Context(), tx, b.Buyer)
	}))
	require.NotNil(t, out)
	b.hours(3)
	require.Equal(t, "revoked", b.state())
	require.True(t, b.Mandates.Stopped(b.id))
	require.Empty(t, b.Text(`SELECT masked FROM mandates WHERE franchiser_id = $1`, b.Buyer))
}

func TestSkippedDebit_AfterPauseAndResume_StaysSkipped(t *testing.T) {
	t.Parallel()
	for name, pause := range map[string]func(b *life){
		"here": func(b *life) {
			require.NoError(t, b.APIMandates.Pause(t.Context(), b.Buyer, b.mandate()))
			require.NoError(t, b.APIMandates.Resume(t.Context(), b.Buyer, b.mandate()))
		},
		"at the bank": func(b *life) {
			b.Mandates.SetState(b.id, mandate.ProviderPaused)
			b.hours(25)
			require.Equal(t, "paused", b.state())
			b.Mandates.SetState(b.id, mandate.ProviderActive)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := begin(t)
			b.until("planned")
			require.NoError(t, b.APIMandates.Skip(t.Context(), b.Buyer, b.mandate()))
			require.Zero(t, b.view().DebitOn)
			pause(b)
			b.hours(9 * 24)
			require.Empty(t, b.made(), b.debits())
			require.Equal(t, "1 called_off ", b.debits())
		})
	}
}

func TestResume_AfterAPause_AnnouncesTheDebitAgain(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("planned")
	require.NoError(t, b.APIMandates.Pause(t.Context(), b.Buyer, b.mandate()))
	require.NoError(t, b.APIMandates.Resume(t.Context(), b.Buyer, b.mandate()))
	b.hours(1)
	require.Equal(t, "1 called_off , 1 planned ", b.debits())
	require.Equal(t, 2, b.told("debit_announced"))
}

func TestMandateLimit_BankReportsMore_StaysAtTheAgreedLimit(t *testing.T) {
	t.Parallel()
	b := begin(t)
	limit := func() money.Paise { return b.view().Mandate.Cap }
	agreed := limit()
	for bank, want := range map[money.Paise]money.Paise{agreed * 10: agreed, agreed - 100: agreed - 100} {
		b.Mandates.Set(func(m *world.Mandates) { m.Cap = bank })
		b.hours(26)
		require.Equal(t, want, limit())
	}
}

func TestPauseResumeSkipStop_Repeated_ChangeNothing(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("planned")
	for _, act := range []func(ctx context.Context, franchiserID, mandateID string) error{
		b.APIMandates.Pause, b.APIMandates.Pause, b.APIMandates.Resume, b.APIMandates.Resume,
	} {
		require.NoError(t, act(t.Context(), b.Buyer, b.mandate()))
	}
	b.until("planned")
	for range 2 {
		require.NoError(t, b.APIMandates.Skip(t.Context(), b.Buyer, b.mandate()))
	}
	for range 2 {
		m, err := b.APIMandates.Stop(t.Context(), b.Buyer, b.mandate())
		require.NoError(t, err)
		require.Equal(t, mandate.StateRevoked, m.State)
	}
	require.ErrorIs(t, b.APIMandates.Pause(t.Context(), b.Buyer, b.mandate()), mandate.ErrNotPausable)
}

func TestNotice_GatewayIsBusy_IsSubmittedAgain(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("planned")
	b.Mandates.Set(func(m *world.Mandates) { m.Busy = true })
	b.hours(5 * 24)
	require.Equal(t, "1 planned ", b.debits())
	b.Mandates.Set(func(m *world.Mandates) { m.Busy = false })
	b.until("paid")
	require.Equal(t, "1 paid ", b.debits())
	b.safe()
}

func TestBillAboveTheLimit_WarnsAtOnceAndAnotherMandateReplacesIt(t *testing.T) {
	t.Parallel()
	b := begin(t)
	first, old := b.mandate(), b.id
	b.Mandates.Set(func(m *world.Mandates) { m.Cap = 100 * money.Rupee })
	b.hours(26)
	v := b.view()
	require.Equal(t, mandate.CauseAboveCap, v.Refused)
	require.Zero(t, v.DebitOn)
	require.NotEmpty(t, v.Terms)
	b.Mandates.Set(func(m *world.Mandates) { m.Cap = 0 })
	txn := b.ask(mandate.MethodENACH)
	v = b.view()
	require.Equal(t, first, v.Mandate.ID)
	require.NotNil(t, v.Replacement)
	b.Mandates.Authorise(txn, mandate.ProviderActive)
	b.hours(3)
	require.True(t, b.Mandates.Stopped(old))
	v = b.view()
	require.Equal(t, mandate.MethodENACH, v.Mandate.Method)
	require.Nil(t, v.Replacement)
	b.until("paid")
	b.safe()
}

func TestView_FailedDebit_IsNotTheNextDebit(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseDeclined })
	b.until("failed")
	v := b.view()
	require.Nil(t, v.Next)
	require.Zero(t, v.DebitOn)
}

// ordered uses a separate order for each registration, as Razorpay does.
type ordered struct{ *world.Mandates }

func (g ordered) Register(ctx context.Context, r mandate.Registration) (payment.Session, error) {
	s, err := g.Mandates.Register(ctx, r)
	s.Reference = "order_" + r.Charge.TransactionID
	return s, err
}

func TestRegister_AgainAfterLeavingThePage_AllowsAnyMethod(t *testing.T) {
	t.Parallel()
	b := enter(t)
	was := b.APIMandates
	b.APIMandates = mandate.NewService(mandate.Options{
		DB: b.DB.API, Jobs: testkit.NewInserter(t, b.DB.API), Clock: b.Clock,
		Gateways: []mandate.Gateway{ordered{b.Mandates}}, Checkout: b.API.Checkout, Captures: b.API.Captures, Subscriptions: b.APISubs,
		Settings: mandate.DefaultSettings(), Email: true, Logger: testkit.NewSilentLogger(),
	})
	t.Cleanup(func() { b.APIMandates = was })
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(24)
	seen := map[string]bool{}
	for _, method := range []mandate.Method{mandate.MethodUPI, mandate.MethodUPI, mandate.MethodCard} {
		seen[b.ask(method)] = true
	}
	require.Len(t, seen, 3, "each order has its own terms")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM payments WHERE franchiser_id = $1 AND state = 'created'`, b.Buyer))
}

func TestSetUp_AuthorisedAfterItFailed_IsStoppedAndRefunded(t *testing.T) {
	t.Parallel()
	b := enter(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(24)
	first := b.ask(mandate.MethodUPI)
	b.Gateway.Decide(first, payment.StatusFailed, 0)
	_, err := b.API.Notices.Returned(t.Context(), b.Gateway.Notice(first))
	require.NoError(t, err)
	b.hours(1)
	require.Equal(t, "failed", b.newest())
	second := b.ask(mandate.MethodUPI)
	require.NotEqual(t, first, second)
	amount := money.Paise(b.Count(`SELECT amount_paise FROM payments WHERE transaction_id = $1`, first))
	for _, txn := range []string{second, first} {
		b.Gateway.Decide(txn, payment.StatusPaid, amount)
		_, err := b.API.Notices.Returned(t.Context(), b.Gateway.Notice(txn))
		require.NoError(t, err)
		b.hours(1)
	}
	b.Mandates.SetState("M"+first, mandate.ProviderActive)
	b.hours(48)
	require.True(t, b.Mandates.Stopped("M"+first))
	require.Equal(t, "active", b.newest())
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM payments WHERE transaction_id = $1 AND surplus`, first), "it goes back")
}

func TestSetUp_StoppedBeforeItsPayment_CanBeRepeated(t *testing.T) {
	t.Parallel()
	b := enter(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(24)
	first := b.ask(mandate.MethodUPI)
	m, err := b.APIMandates.Stop(t.Context(), b.Buyer, b.mandate())
	require.NoError(t, err)
	require.Equal(t, mandate.StateFailed, m.State)
	second := b.ask(mandate.MethodUPI)
	require.NotEqual(t, first, second)
	b.Gateway.Decide(second, payment.StatusPaid, money.Paise(b.Count(`SELECT amount_paise FROM payments WHERE transaction_id = $1`, second)))
	b.hours(1)
	v := b.view()
	require.Equal(t, mandate.StateActive, v.Mandate.State)
}

func TestView_SetUpPaid_IsDistinguishedFromAbandoned(t *testing.T) {
	t.Parallel()
	b := enter(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(24)
	txn := b.ask(mandate.MethodUPI)
	require.False(t, b.view().Paid)
	b.Gateway.Decide(txn, payment.StatusPaid, money.Paise(b.Count(`SELECT amount_paise FROM payments WHERE transaction_id = $1`, txn)))
	_, err := b.API.Notices.Returned(t.Context(), b.Gateway.Notice(txn))
	require.NoError(t, err)
	found, err := b.APIMandates.Returned(t.Context(), b.Gateway.Notice(txn))
	require.NoError(t, err)
	require.True(t, found, "asked about at once")
	b.Work()
	require.True(t, b.view().Paid)
	b.run()
	require.Equal(t, "active", b.state())
}

func TestNoticedDebit_BillPartlyPaidByTransfer_IsCalledOff(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	proforma, credit := id.New(), id.New()
	for _, q := range []string{
		`INSERT INTO proformas (id, franchiser_id, order_id, number, state, amount_paise, taxable_paise, title, document, account, valid_until, created_at)
			SELECT $1, d.franchiser_id, d.order_id, 'PI/' || left($2, 8), 'open', d.amount_paise, d.amount_paise, 'Renewal', '{}', '{}', $3::timestamptz + interval '30 days', $3
			FROM mandate_debits d WHERE d.franchiser_id = $4`,
		`INSERT INTO bank_credits (id, source, franchiser_ref, utr, amount_paise, used_paise, paid_at, state, created_at)
			SELECT $2, 'statement', $4, 'UTR' || upper(left($1, 8)), 500, 500, $3, 'used', $3`,
		`INSERT INTO bank_credit_uses (id, credit_id, kind, franchiser_ref, proforma_id, amount_paise, state, requested_at, finished_at)
			SELECT $2, $2, 'order', $4, $1, 500, 'done', $3, $3`,
	} {
		_, err := b.DB.Owner.Exec(q, proforma, credit, b.Clock.Now(), b.Buyer)
		require.NoError(t, err)
	}
	t.Cleanup(func() { // no money came
		for _, q := range []string{`DELETE FROM bank_credit_uses WHERE id = $1`, `DELETE FROM bank_credits WHERE id = $1`} {
			_, err := b.DB.Owner.Exec(q, credit)
			require.NoError(t, err)
		}
	})
	b.hours(5 * 24)
	require.Empty(t, b.made())
	require.Equal(t, "1 called_off ", b.debits())
}

// A gateway that allows one debit a calendar month gets no second request, whatever the first one's result.
func TestDebit_GatewayAllowsOneACycle_IsNotRetried(t *testing.T) {
	t.Parallel()
	b := begin(t)
	was, settings := b.WorkerMandates, mandate.DefaultSettings()
	settings.OneACycle = map[string]bool{world.GatewayName: true}
	b.WorkerMandates = mandate.NewService(mandate.Options{
		DB: b.DB.Worker, Jobs: testkit.NewInserter(t, b.DB.Worker), Clock: b.Clock, Gateways: []mandate.Gateway{b.Mandates},
		Checkout: b.Worker.Checkout, Captures: b.Worker.Captures, Subscriptions: b.WorkerSubs, Settings: settings, Email: true, Logger: testkit.NewSilentLogger(),
	})
	t.Cleanup(func() { b.WorkerMandates = was })
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseInsufficient })
	b.until("failed")
	b.hours(9 * 24)
	require.Equal(t, "1 failed insufficient_funds", b.debits())
	require.Len(t, b.made(), 1)
	require.Equal(t, 1, b.told("debit_failed"))
	b.safe()
}

// The advice does not mention a retry if none follows, and is empty after the renewal was paid manually.
func TestAdvice_FailedDebit_DependsOnTheRetry(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseTechnical })
	b.until("failed")
	v := b.view()
	advice, nextTry := v.Follows(v.History[1])
	require.Equal(t, "You do not need to do anything. You can also pay manually.", advice)
	require.Equal(t, subscription.DayOf(v.Next.DebitAt), nextTry)

	require.NoError(t, b.APIMandates.Pause(t.Context(), b.Buyer, b.mandate()))
	v = b.view()
	advice, nextTry = v.Follows(v.History[1])
	require.Equal(t, "Please pay it manually to keep your plan.", advice)
	require.Zero(t, nextTry)

	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	v = b.view()
	advice, _ = v.Follows(v.History[1])
	require.Empty(t, advice)
}

func TestView_PaymentReceivedBeforeTheWorkerRuns_ShowsTheDebitAsPaid(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = true })
	b.until("asked")
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = false })
	renewOn := b.view().History[0].RenewOn
	b.Mandates.Finish(payment.StatusPaid)
	for _, d := range b.made() {
		_, err := b.API.Notices.Returned(t.Context(), b.Gateway.Notice(d.Charge.TransactionID))
		require.NoError(t, err)
	}
	b.Work()
	require.Equal(t, "1 asked ", b.debits())
	v := b.view()
	require.Nil(t, v.Next)
	require.Equal(t, mandate.DebitPaid, v.History[0].State)
	live, err := b.APIMandates.LiveDebit(t.Context(), b.Buyer, renewOn)
	require.NoError(t, err)
	require.Nil(t, live)
	require.Equal(t, mandate.DebitPaid, b.history()[0].Debits[0].State)
	b.until("paid")
	b.safe()
}

func TestView_PlanChanged_ShowsTheDebitAsCalledOff(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	b.Pay(b.Buyer, story.Buy(b.Tier(1, 0), plan.TypeMonthly))
	require.Equal(t, 1, b.are("noticed"), "the worker has not looked yet")
	v := b.view()
	require.Nil(t, v.Next)
	require.Equal(t, mandate.DebitCalledOff, v.History[0].State)
	require.Equal(t, "This renewal was paid in another way, or your plan was changed.", v.History[0].Explanation())
	b.hours(5 * 24)
	require.Empty(t, b.made())
	require.Equal(t, "This renewal was paid in another way, or your plan was changed.", b.Text(`SELECT reason FROM mandate_debits WHERE franchiser_id = $1`, b.Buyer))
}
