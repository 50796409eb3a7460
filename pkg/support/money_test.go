package support_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/world"
	"github.com/franchise360/franchise360/pkg/timeline"
)

// house is the simulated money world with what staff see of its customers.
type house struct {
	*world.World

	t         *testing.T
	db        *testkit.Database
	customers *support.Customers
}

func money360(t *testing.T) house {
	t.Helper()
	db := testkit.NewDatabase(t)
	w, err := world.New(t.Context(), world.Databases{Owner: db.Owner, API: db.API, Worker: db.Worker}, testkit.Start(), testkit.NewLogger(t))
	require.NoError(t, err)
	people := staff.NewRecorder(w.Clock)
	return house{World: w, t: t, db: db, customers: support.NewCustomers(db.API, w.Clock, people, map[string]string{world.GatewayName: "Fake Pay"})}
}

// paid buys the first plan for a new customer; short is the amount missing.
func (h house) paid(short money.Paise) (franchiserID string, r checkout.Requested) {
	h.t.Helper()
	franchiserID, err := h.Franchiser(h.t.Context(), "29")
	require.NoError(h.t, err)
	r, err = h.API.Checkout.Request(h.t.Context(), franchiserID, checkout.Input{Intent: world.Buy(h.Catalogue.Plans[0].Tiers[0], plan.TypeYearly)})
	require.NoError(h.t, err)
	h.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount-short)
	_, err = h.API.Notices.Returned(h.t.Context(), h.Gateway.Notice(r.TransactionID))
	require.NoError(h.t, err)
	h.work()
	return franchiserID, r
}

func TestHealth_LastPaymentFailed_SaysAmountTimeAndReasonAndNamesThePayment(t *testing.T) {
	t.Parallel()
	h := money360(t)
	franchiserID, err := h.Franchiser(t.Context(), "29")
	require.NoError(t, err)
	r, err := h.API.Checkout.Request(t.Context(), franchiserID, checkout.Input{Intent: world.Buy(h.Catalogue.Plans[0].Tiers[0], plan.TypeYearly)})
	require.NoError(t, err)
	require.Empty(t, h.wrong(franchiserID))
	h.Gateway.Decide(r.TransactionID, payment.StatusFailed, 0)
	_, err = h.API.Notices.Returned(t.Context(), h.Gateway.Notice(r.TransactionID))
	require.NoError(t, err)
	h.work()
	require.Len(t, h.wrong(franchiserID), 1)
	require.Regexp(t, `^warn payment `+r.TransactionID+`: `+regexp.QuoteMeta(r.Amount.Display())+
		` failed at Fake Pay on \d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d IST: .+`, h.wrong(franchiserID)[0])
}

func (h house) work() {
	h.t.Helper()
	require.NoError(h.t, h.Work(h.t.Context(), ""))
}

// wrong returns the customer's health problems, each with its level, kind and payment.
func (h house) wrong(franchiserID string) []string {
	h.t.Helper()
	c, err := h.customers.Customer(h.Asha.Sign(h.t.Context()), h.Asha, franchiserID)
	require.NoError(h.t, err)
	found := []string{}
	for _, one := range h.customers.Health(h.Asha.Role, c) {
		if one.Payment != "" {
			found = append(found, one.Level+" "+one.Kind+" "+one.Payment+": "+one.Text)
		}
	}
	return found
}

func (h house) counts() support.MoneyCounts {
	h.t.Helper()
	counts, _, err := h.customers.Money(h.Asha.Sign(h.t.Context()), "")
	require.NoError(h.t, err)
	return counts
}

func TestMoney_HeldPayment_IsListedUntilReleased(t *testing.T) {
	t.Parallel()
	h := money360(t)
	franchiser, r := h.paid(money.FromRupees(1))
	require.Equal(t, support.MoneyCounts{MoneyCounts: desk.MoneyCounts{Held: 1}}, h.counts())
	_, list, err := h.customers.Money(h.Asha.Sign(t.Context()), desk.MoneyHeld)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, r.TransactionID, list[0].TransactionID)
	require.Equal(t, "Asha Kulkarni", list[0].Name)
	require.Equal(t, []money.Paise{r.Amount - 100, r.Amount}, []money.Paise{list[0].Amount, list[0].Due})
	require.NotEmpty(t, list[0].Bought)
	require.Equal(t, []string{"bad payment " + r.TransactionID + ": ₹1,59,299 of " + r.TransactionID +
		" is held: ₹1,59,300 was due, so ₹1 is missing. Accept it with a discount, or give it back; the customer can pay anew then."}, h.wrong(franchiser))

	c, err := h.customers.Customer(h.Asha.Sign(t.Context()), h.Asha, franchiser)
	require.NoError(t, err)
	for role, act := range map[staff.Role]string{
		staff.RoleSupport: "Accept it with a discount, or ask finance to give it back; the customer can pay anew then.",
		staff.RoleFinance: "Give it back, or ask support to accept it with a discount; the customer can pay anew then.",
	} {
		require.Contains(t, h.customers.Health(role, c)[0].Text, act)
	}
	page, err := app.NewTimeline(h.db.API).Read(t.Context(), timeline.Query{FranchiserID: franchiser, Kinds: []timeline.Kind{"payment"}})
	require.NoError(t, err)
	require.Len(t, page.Entries, 2)
	for _, e := range page.Entries { // each entry has the facts that callers ask about
		for name, want := range map[string]any{
			"transaction_id": r.TransactionID, "gateway": "fake", "gateway_payment_id": "G" + r.TransactionID,
			"due_paise": float64(r.Amount), "captured_paise": float64(r.Amount - 100), "missing_paise": float64(100),
			"bought": list[0].Bought,
		} {
			require.Equal(t, want, e.Details[name], e.Title+" "+name)
		}
		require.NotContains(t, e.Details, "checks", "the schedule's checks are not all that the gateway was asked")
		require.Equal(t, "What came is not what was due. It is held until an admin gives it back.", e.Details["reason"])
	}

	h.Gateway.SlowRefunds(r.TransactionID)
	asked, err := h.Reversals.RequestRelease(h.Asha.Sign(t.Context()), h.Asha, franchiser, list[0].PaymentID, "It is short", "release-1")
	require.NoError(t, err)
	require.Contains(t, h.wrong(franchiser), "warn approval "+r.TransactionID+": asha asked for ₹1,59,299 of "+r.TransactionID+
		" to go back. A second admin has to approve it.")
	c, err = h.customers.Customer(h.Asha.Sign(t.Context()), h.Asha, franchiser)
	require.NoError(t, err)
	require.Len(t, c.OpenRequests, 1)
	require.Equal(t, list[0].PaymentID, c.OpenRequests[0].PaymentID)

	_, err = h.Reversals.Approve(h.Ravi.Sign(t.Context()), h.Ravi, asked.ID, "As agreed")
	require.NoError(t, err)
	h.work()
	require.Zero(t, h.counts(), "it is on its way")
	require.Equal(t, []string{"warn payment " + r.TransactionID + ": ₹1,59,299 of " + r.TransactionID +
		", which was held, is on its way back to the customer."}, h.wrong(franchiser))

	var refund struct {
		ID   string `db:"id"`
		Name string `db:"gateway_refund_id"`
	}
	require.NoError(t, h.Owner.Get(&refund, `SELECT id, gateway_refund_id FROM refunds`))
	h.Gateway.EndRefund(payment.RefundOutcome{RefundID: refund.Name, Failed: true, Reason: "The account is closed"})
	require.NoError(t, h.Worker.Refunds.Send(t.Context(), refund.ID))
	require.Equal(t, support.MoneyCounts{MoneyCounts: desk.MoneyCounts{Refunds: 1}}, h.counts())
	require.Equal(t, []string{"bad refund " + r.TransactionID + ": A refund of ₹1,59,299 of " + r.TransactionID +
		" failed at Fake Pay: The account is closed. Pay it by bank transfer and book that."}, h.wrong(franchiser))
	told := func(name string) any {
		page, err := app.NewTimeline(h.db.API).Read(t.Context(), timeline.Query{FranchiserID: franchiser, Kinds: []timeline.Kind{"payment"}})
		require.NoError(t, err)
		return page.Entries[0].Details[name]
	}
	require.Equal(t, true, told("refund_failed"))
	require.Equal(t, "Staff released it, but its refund failed.", told("reason"))
	require.Equal(t, []bool{true, false}, h.failed())
	asked, err = h.Reversals.Request(h.Asha.Sign(t.Context()), h.Asha, reversal.Input{
		FranchiserID: franchiser, PaymentID: list[0].PaymentID, Kind: reversal.KindBankTransfer, BankReference: "HDFCN52026112112345678",
		Reason: "The account is closed", Key: "transfer-1",
	})
	require.NoError(t, err)
	require.Equal(t, []string{"warn approval " + r.TransactionID + ": asha asked for a bank transfer of ₹1,59,299 for " + r.TransactionID +
		" to be booked. A second admin has to approve it."}, h.wrong(franchiser), "nobody is told to pay it a second time")
	require.Equal(t, []bool{true, true}, h.failed())
	_, err = h.Reversals.Approve(h.Ravi.Sign(t.Context()), h.Ravi, asked.ID, "Seen on the statement")
	require.NoError(t, err)
	h.work()
	require.Zero(t, h.counts())
	require.Empty(t, h.wrong(franchiser))
	require.Nil(t, told("refund_failed"))
	var audited []string
	require.NoError(t, h.Owner.Select(&audited, `SELECT concat_ws(' ', action, after::jsonb ->> 'amount_paise', after::jsonb ->> 'bank_reference')
		FROM staff_actions WHERE action IN ('request_bank_transfer', 'approve_bank_transfer') ORDER BY sequence`))
	require.Equal(t, []string{"request_bank_transfer 15929900 HDFCN52026112112345678", "approve_bank_transfer 15929900 HDFCN52026112112345678"}, audited)
}

// failed reports for the one failed refund whether it is only owed by bank transfer, and whether staff requested
// something.
func (h house) failed() []bool {
	h.t.Helper()
	_, list, err := h.customers.Money(h.Asha.Sign(h.t.Context()), desk.MoneyRefund)
	require.NoError(h.t, err)
	require.Len(h.t, list, 1)
	return []bool{list[0].Owed, list[0].Requested}
}

// Given a held payment of an account scheduled for erasure, then staff read that the erasure waits until the payment is refunded.
func TestMoney_ErasureWaitsForAHeldPayment_IsShown(t *testing.T) {
	t.Parallel()
	h := money360(t)
	franchiser, r := h.paid(1)
	_, err := h.db.Owner.Exec(`UPDATE franchisers SET erasure_requested_at = now() WHERE id = $1`, franchiser)
	require.NoError(t, err)
	said := func(text string) {
		t.Helper()
		c, err := h.customers.Customer(h.Asha.Sign(t.Context()), h.Asha, franchiser)
		require.NoError(t, err)
		require.Contains(t, h.customers.Health(staff.RoleAdmin, c), support.Health{Level: "warn", Kind: "account", Text: text})
	}
	const waits = "The erasure waits: ₹1,59,299.99 is owed to the customer."
	said(waits)
	_, list, err := h.customers.Money(h.Asha.Sign(t.Context()), desk.MoneyHeld)
	require.NoError(t, err)
	h.Gateway.SlowRefunds(r.TransactionID)
	asked, err := h.Reversals.RequestRelease(h.Asha.Sign(t.Context()), h.Asha, franchiser, list[0].PaymentID, "It is short", "release-1")
	require.NoError(t, err)
	_, err = h.Reversals.Approve(h.Ravi.Sign(t.Context()), h.Ravi, asked.ID, "As agreed")
	require.NoError(t, err)
	said(waits)
	h.work()
	said(waits)
	var refund struct {
		ID   string `db:"id"`
		Name string `db:"gateway_refund_id"`
	}
	require.NoError(t, h.Owner.Get(&refund, `SELECT id, gateway_refund_id FROM refunds`))
	h.Gateway.EndRefund(payment.RefundOutcome{RefundID: refund.Name, Done: true})
	require.NoError(t, h.Worker.Refunds.Send(t.Context(), refund.ID))
	said("The customer has asked for its account to be erased.")
}

// Given waiting money of an erased customer, then staff read that the customer was erased, and no made-up number.
func TestMoney_ErasedCustomer_IsShownAsErased(t *testing.T) {
	t.Parallel()
	h := money360(t)
	franchiser, r := h.paid(1)
	_, err := h.db.Owner.Exec(`UPDATE franchisers SET mobile = 'erased ' || id, email = '', first_name = '', last_name = '', erased_at = now() WHERE id = $1`, franchiser)
	require.NoError(t, err)
	_, err = h.db.Owner.Exec(`UPDATE business_addresses SET legal_name = '' WHERE franchiser_id = $1`, franchiser)
	require.NoError(t, err)
	_, list, err := h.customers.Money(h.Asha.Sign(t.Context()), desk.MoneyHeld)
	require.NoError(t, err)
	require.Equal(t, []string{"Erased account", ""}, []string{list[0].Name, list[0].Mobile})
	asked, err := h.Reversals.RequestRelease(h.Asha.Sign(t.Context()), h.Asha, franchiser, list[0].PaymentID, "It is short", "release-1")
	require.NoError(t, err)
	require.Equal(t, []string{"Erased account", ""}, []string{asked.CustomerName, asked.CustomerMobile})
	c, err := h.customers.Customer(h.Asha.Sign(t.Context()), h.Asha, franchiser)
	require.NoError(t, err)
	require.Empty(t, c.Mobile)
	found, _, err := h.customers.Search(h.Asha.Sign(t.Context()), r.TransactionID, false)
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, []string{"Erased account", ""}, []string{found[0].Name, found[0].Mobile})
	var subject string
	require.NoError(t, postgres.InTx(h.Asha.Sign(t.Context()), h.db.API, func(tx *sqlx.Tx) error {
		return tx.Get(&subject, `SELECT name FROM named_subjects(ARRAY['customer:' || $1])`, franchiser)
	}))
	require.Equal(t, "Erased account", subject)
}

func TestMoney_OpenDispute_IsListedUntilDecided(t *testing.T) {
	t.Parallel()
	h := money360(t)
	franchiser, r := h.paid(0)
	require.Empty(t, h.wrong(franchiser))
	notify := func(state payment.DisputeState) {
		require.NoError(t, h.API.Notices.Notified(t.Context(), h.Gateway.Name(),
			h.Gateway.DisputeNotice(r.TransactionID, "D1", payment.DisputeOutcome{State: state, Amount: r.Amount})))
		h.work()
	}
	notify(payment.DisputeOpen)
	_, err := h.db.Owner.Exec(`UPDATE payment_events SET fields = fields || '{"due_date": "2026-12-01 00:00:00"}' WHERE kind = 'dispute'`)
	require.NoError(t, err)
	require.Equal(t, support.MoneyCounts{MoneyCounts: desk.MoneyCounts{Disputes: 1}}, h.counts())
	_, list, err := h.customers.Money(h.Asha.Sign(t.Context()), desk.MoneyDispute)
	require.NoError(t, err)
	require.Equal(t, "D1 2026-12-01 00:00:00", list[0].Reference+" "+list[0].AnswerBy)
	require.Equal(t, []string{"bad refund " + r.TransactionID + ": The customer’s bank disputes " + r.TransactionID +
		" since 2 Nov 2026. Answer it at Fake Pay, where it is D1, by 1 Dec 2026."}, h.wrong(franchiser))
	notify(payment.DisputeWon)
	require.Zero(t, h.counts())
	require.Empty(t, h.wrong(franchiser))
}

// Given the maximum number of unconfirmed disputes of a payment, then staff read that there may be more.
func TestMoney_UnconfirmedDisputes_AreMarked(t *testing.T) {
	t.Parallel()
	h := money360(t)
	franchiser, r := h.paid(0)
	for n := range 5 {
		require.Len(t, h.wrong(franchiser), n)
		_, err := h.db.Owner.Exec(`INSERT INTO disputes (id, franchiser_id, payment_id, gateway_dispute_id, state, confirmed, amount_paise, opened_at)
			SELECT gen_random_uuid(), franchiser_id, id, $2, 'open', false, 100, now() FROM payments WHERE transaction_id = $1`,
			r.TransactionID, fmt.Sprint("H", n))
		require.NoError(t, err)
	}
	require.Equal(t, support.MoneyCounts{MoneyCounts: desk.MoneyCounts{Unconfirmed: 5}}, h.counts())
	wrong := h.wrong(franchiser)
	require.Len(t, wrong, 6)
	require.Contains(t, wrong[0], "An unsigned notice says that the customer’s bank disputes ₹1 of "+r.TransactionID+". Check it at Fake Pay")
	require.Contains(t, wrong[5], "There may be more disputes of "+r.TransactionID+": no more than 5 unconfirmed ones are kept. Look at Fake Pay’s own list.")
}

func TestMoney_FailedRefund_IsListedUntilRequestedAgain(t *testing.T) {
	t.Parallel()
	h := money360(t)
	franchiser, r := h.paid(0)
	var paymentID string
	require.NoError(t, h.db.Owner.Get(&paymentID, `SELECT id FROM payments`))
	_, err := h.db.Owner.Exec(`INSERT INTO refunds (id, franchiser_id, payment_id, gateway_payment_id, amount_paise, reason, state, token, failure, created_at)
		VALUES (gen_random_uuid(), $1, $2, (SELECT gateway_payment_id FROM payments WHERE id = $2), 50000, 'staff', 'failed', 't1', 'The bank refused it.', $3)`, franchiser, paymentID, h.Clock.Now())
	require.NoError(t, err)
	require.Equal(t, support.MoneyCounts{MoneyCounts: desk.MoneyCounts{Refunds: 1}}, h.counts())
	require.Equal(t, []string{"bad refund " + r.TransactionID + ": A refund of ₹500 of " + r.TransactionID +
		" failed at Fake Pay: The bank refused it. Request it again, or pay it by bank transfer and book that."}, h.wrong(franchiser))
	require.Equal(t, []bool{false, false}, h.failed())
	h.Clock.Advance(1)
	_, err = h.db.Owner.Exec(`INSERT INTO refunds (id, franchiser_id, payment_id, gateway_payment_id, amount_paise, reason, state, token, created_at)
		VALUES (gen_random_uuid(), $1, $2, (SELECT gateway_payment_id FROM payments WHERE id = $2), 50000, 'staff', 'requested', 't2', $3::timestamptz + interval '1 second')`, franchiser, paymentID, h.Clock.Now())
	require.NoError(t, err)
	require.Zero(t, h.counts())
	require.Empty(t, h.wrong(franchiser))
}

func TestHealth_SettlementDifference_IsShownForItsCustomer(t *testing.T) {
	t.Parallel()
	h := money360(t)
	franchiser, r := h.paid(0)
	other, _ := h.paid(0)
	h.Gateway.Lines = []settlement.Line{{
		ID: "capture:G2", Kind: settlement.KindCapture, TransactionID: r.TransactionID, GatewayPaymentID: "G2", Amount: r.Amount, Net: r.Amount,
		At: h.Clock.Now(),
	}}
	_, err := h.Settlements.CompareDay(t.Context(), h.Gateway, subscription.DayOf(h.Clock.Now()))
	require.NoError(t, err)
	require.Equal(t, support.MoneyCounts{Counts: settlement.Counts{Differences: 1}}, h.counts())
	require.Equal(t, []string{"bad settlement " + r.TransactionID + ": The settlement of " + r.TransactionID +
		" differs: our books have ₹0, Fake Pay has ₹1,59,300. " + settlement.DifferenceNotPaid.Meaning()}, h.wrong(franchiser))
	require.Empty(t, h.wrong(other))
	_, _, err = h.customers.Money(h.Asha.Sign(t.Context()), "anything")
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))
}
