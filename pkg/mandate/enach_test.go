package mandate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// beginOnly is a customer of a monthly plan, days into the term, who has begun an eNACH mandate; it returns the transaction.
func beginOnly(t *testing.T, days int) (*life, string) {
	t.Helper()
	b := enter(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	if days > 0 {
		b.Live(days)
	}
	return b, b.ask(mandate.MethodENACH)
}

// ask registers a mandate by a method, and returns the transaction of its set-up.
func (b *life) ask(method mandate.Method) string {
	b.T.Helper()
	begun, err := b.APIMandates.Register(b.T.Context(), b.Buyer, b.agreed(method))
	require.NoError(b.T, err)
	require.Equal(b.T, method != mandate.MethodENACH, begun.Payment != nil)
	b.id = "M" + begun.TransactionID
	return begun.TransactionID
}

// agreed is the customer's consent to a method as its words are now.
func (b *life) agreed(method mandate.Method) mandate.Input {
	b.T.Helper()
	v, err := b.APIMandates.View(b.T.Context(), b.Buyer)
	require.NoError(b.T, err)
	for _, terms := range v.Terms {
		if terms.Method == method {
			return mandate.Input{Method: method, Consented: true, Version: terms.Version, Text: terms.Text(i18n.English)}
		}
	}
	require.Fail(b.T, "not offered", "%s in %+v", method, v.Terms)
	return mandate.Input{}
}

// newest is the state of the buyer's newest mandate.
func (b *life) newest() string {
	b.T.Helper()
	return b.Text(`SELECT state FROM mandates WHERE franchiser_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1`, b.Buyer)
}

func (b *life) view() mandate.View {
	b.T.Helper()
	v, err := b.APIMandates.View(b.T.Context(), b.Buyer)
	require.NoError(b.T, err)
	return v
}

func TestENACH_SetUpWithoutAPayment_DebitsRenewals(t *testing.T) {
	t.Parallel()
	b, txn := beginOnly(t, 0)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM payments WHERE franchiser_id = $1`, b.Buyer), "that of the plan alone")
	b.Mandates.Authorise(txn, mandate.ProviderPending)
	b.hours(50)
	v := b.view()
	require.Equal(t, "requested", b.state())
	require.True(t, v.Mandate.Authorised())
	require.True(t, v.Mandate.CanStop())
	require.Empty(t, v.Terms, "the bank decides")
	require.NotZero(t, v.WaitsUntil)
	b.Mandates.Authorise(txn, mandate.ProviderActive)
	b.hours(2)
	require.Equal(t, "active", b.state())
	b.hours(60 * 24)
	require.Equal(t, 2, b.are("paid"), b.debits())
	require.Zero(t, b.Count(`SELECT count(*) FROM mandate_debits WHERE franchiser_id = $1 AND day_in_india(debit_at) > renew_on - 4`, b.Buyer),
		"asked for as much earlier as banks take")
	require.Zero(t, b.Count(`SELECT count(*) FROM subscription_events WHERE to_state = 'grace' AND franchiser_id = $1`, b.Buyer))
	b.safe()
}

func TestWebhook_OfASetUp_MakesTheWorkerVerifyItAtOnce(t *testing.T) {
	t.Parallel()
	b, txn := beginOnly(t, 0)
	b.Mandates.Authorise(txn, mandate.ProviderActive)
	b.Gateway.Decide(txn, payment.StatusPaid, 0)
	found, err := b.APIMandates.Returned(t.Context(), b.Gateway.Notice(txn))
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "requested", b.state(), "a hint decides nothing")
	b.run()
	require.Equal(t, "active", b.state())
	heard, err := b.APIMandates.Heard(t.Context(), world.GatewayName, b.Gateway.Notice(txn))
	require.NoError(t, err)
	require.True(t, heard)
	found, err = b.APIMandates.Returned(t.Context(), b.Gateway.Notice("FP999999NOBODY"))
	require.NoError(t, err)
	require.False(t, found)
}

func TestENACHRequest_BankRejectsDaysLater_Fails(t *testing.T) {
	t.Parallel()
	b, txn := beginOnly(t, 20)
	before := b.told("renewal_reminder") + b.told("renewal_link")
	b.Mandates.Authorise(txn, mandate.ProviderPending)
	b.hours(3 * 24)
	b.Mandates.Authorise(txn, mandate.ProviderFailed)
	b.hours(2)
	require.Equal(t, "failed", b.state())
	require.Equal(t, "The bank has rejected the mandate.", b.Text(`SELECT reason FROM mandates WHERE franchiser_id = $1`, b.Buyer))
	require.Zero(t, b.Count(`SELECT count(*) FROM mandates WHERE franchiser_id = $1 AND poll_at IS NOT NULL`, b.Buyer), "the bank's word is final")
	v := b.view()
	require.Equal(t, mandate.EventNotSetUp, v.Events[0].Kind, "nothing ended that never was")
	require.Equal(t, mandate.EventNotSetUp, b.history()[0].Events[0].Kind)
	b.hours(8 * 24)
	require.Greater(t, b.told("renewal_reminder")+b.told("renewal_link"), before, "who pays manually is reminded")
	require.Empty(t, b.made())
}

func TestENACHRequest_ConfirmedAfterItExpired_IsStoppedAtTheBank(t *testing.T) {
	t.Parallel()
	b, txn := beginOnly(t, 0)
	b.Mandates.Authorise(txn, mandate.ProviderPending)
	b.hours(9*24 + 20)
	require.Equal(t, "requested", b.state())
	b.hours(10)
	require.Equal(t, "failed", b.state())
	require.Equal(t, "Your bank did not confirm it in time.", b.Text(`SELECT reason FROM mandates WHERE franchiser_id = $1`, b.Buyer))
	b.Mandates.Authorise(txn, mandate.ProviderActive)
	b.hours(30)
	require.Equal(t, "failed", b.state())
	require.True(t, b.Mandates.Stopped(b.id), "nobody would debit it")
	require.Zero(t, b.Count(`SELECT count(*) FROM mandates WHERE franchiser_id = $1 AND poll_at IS NOT NULL`, b.Buyer))
	b.hours(40 * 24)
	require.Empty(t, b.made())
}

func TestENACHRequest_StoppedBeforeConfirmation_IsRevokedOnceConfirmed(t *testing.T) {
	t.Parallel()
	b, txn := beginOnly(t, 0)
	b.Mandates.Authorise(txn, mandate.ProviderPending)
	b.hours(2)
	_, err := b.APIMandates.Register(t.Context(), b.Buyer, mandate.Input{Method: mandate.MethodENACH})
	require.Error(t, err)
	m, err := b.APIMandates.Stop(t.Context(), b.Buyer, b.mandate())
	require.NoError(t, err)
	require.Equal(t, mandate.StateRequested, m.State, "this gateway ends what the bank has confirmed")
	b.hours(24)
	require.Equal(t, "requested", b.state())
	b.Mandates.Authorise(txn, mandate.ProviderActive)
	b.hours(3)
	require.Equal(t, "revoked", b.state())
	require.True(t, b.Mandates.Stopped(b.id))
	b.hours(40 * 24)
	require.Empty(t, b.made())
	require.Empty(t, b.debits())
	b.safe()
}

func TestENACHRequest_NotAuthorised_IsResumedReplacedAndStopped(t *testing.T) {
	t.Parallel()
	b, txn := beginOnly(t, 25)
	require.Equal(t, txn, b.ask(mandate.MethodENACH), "the same on the same day")
	require.True(t, b.view().Mandate.CanStop())
	b.hours(24)
	later := b.ask(mandate.MethodENACH)
	require.NotEqual(t, txn, later, "Razorpay wants an order of the day")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM mandates WHERE franchiser_id = $1 AND state = 'failed' AND transaction_id = $2`, b.Buyer, txn))
	b.Mandates.Authorise(txn, mandate.ProviderActive) // in the window of yesterday
	b.hours(30)
	require.True(t, b.Mandates.Stopped("M"+txn))

	b.ask(mandate.MethodUPI)
	require.Equal(t, "requested", b.newest(), "another method takes its place")
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM mandates WHERE franchiser_id = $1 AND state = 'failed'`, b.Buyer))
	id := b.Text(`SELECT id FROM mandates WHERE franchiser_id = $1 AND state = 'requested'`, b.Buyer)
	_, err := b.APIMandates.Stop(t.Context(), b.Buyer, id)
	require.NoError(t, err)
	require.Equal(t, "failed", b.newest())
}

func TestStop_RequestNotAuthorised_FailsAtOnce(t *testing.T) {
	t.Parallel()
	b, txn := beginOnly(t, 0)
	m, err := b.APIMandates.Stop(t.Context(), b.Buyer, b.mandate())
	require.NoError(t, err)
	require.Equal(t, mandate.StateFailed, m.State)
	b.Mandates.Authorise(txn, mandate.ProviderActive)
	b.hours(3)
	require.True(t, b.Mandates.Stopped(b.id), "authorised in another window after all")
	require.Equal(t, "failed", b.state())
	require.NotEqual(t, txn, b.ask(mandate.MethodENACH))
}

func TestENACHDebit_ReturnedAfterDays_IsRetriedThreeDaysLater(t *testing.T) {
	t.Parallel()
	b, txn := beginOnly(t, 0)
	b.Mandates.Authorise(txn, mandate.ProviderActive)
	b.hours(1)
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = true })
	b.until("asked")
	asked := b.Clock.Now()
	b.hours(47)
	require.Equal(t, 1, b.are("asked"), "in progress is no failure: %s", b.debits())
	require.Len(t, b.made(), 1)
	b.Mandates.Set(func(m *world.Mandates) { m.Processing, m.Cause = false, mandate.CauseInsufficient })
	b.Mandates.Finish(payment.StatusFailed)
	b.until("failed")
	require.Contains(t, b.debits(), "1 failed insufficient_funds, 2 ")
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseNone })
	b.until("paid")
	require.Equal(t, "1 failed insufficient_funds, 2 paid ", b.debits())
	require.GreaterOrEqual(t, b.made()[1].At.Sub(asked), 3*24*time.Hour)
	b.safe()
}

func TestENACH_BillAboveTheCardAndUPILimit_IsOffered(t *testing.T) {
	t.Parallel()
	b := enter(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	v := b.view()
	offered := map[mandate.Method]bool{}
	for _, terms := range v.Terms {
		offered[terms.Method] = !terms.OnLimit
	}
	require.Equal(t, map[mandate.Method]bool{mandate.MethodUPI: false, mandate.MethodCard: false, mandate.MethodENACH: true}, offered)
	require.Zero(t, v.OpensOn, "at any time, not only while the renewal is open")
	require.NotEmpty(t, b.ask(mandate.MethodENACH))
}

// The gateway's text is not translated and can be unfit for customers; only staff read it.
func TestNotSetUp_GatewaysReason_IsReplacedByOurText(t *testing.T) {
	t.Parallel()
	for method, said := range map[mandate.Method]string{
		mandate.MethodUPI: "The payment was not completed.", mandate.MethodENACH: "The bank has rejected the mandate.",
	} {
		m := mandate.Mandate{State: mandate.StateFailed, Method: method, Reason: "Transaction failed due to customer pressing cancel button."}
		require.Equal(t, said, m.NotSetUp())
		m.Reason = "Your bank did not confirm it in time."
		require.Equal(t, m.Reason, m.NotSetUp())
		m.Reason = "Paid, but without a mandate."
		require.Equal(t, "Your payment has arrived, but your bank does not allow debits.", m.NotSetUp())
		m.State = mandate.StateRevoked
		require.Empty(t, m.NotSetUp())
	}
}
