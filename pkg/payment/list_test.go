package payment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func TestOrders_PagedByCursor_EqualsPagedByNumber(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for n := range 7 {
		b.Ask(b.Buyer, story.Buy(b.Tier(n%4, 0), plan.TypeMonthly))
	}
	b.Ask(b.Franchiser("27"), story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	for _, search := range []string{"", "start up", "monthly"} {
		all, total, err := b.API.History.Orders(t.Context(), b.Buyer, history.Query{Search: search, Limit: 100})
		require.NoError(t, err)
		require.Len(t, all, total)
		var seen []string
		q := history.Query{Search: search, Limit: 2}
		for {
			rows, _, err := b.API.History.Orders(t.Context(), b.Buyer, q)
			require.NoError(t, err)
			if len(rows) == 0 {
				break
			}
			for _, r := range rows {
				seen = append(seen, r.ID)
			}
			place, ok := history.ParseCursor(rows[len(rows)-1].Place.String())
			require.True(t, ok)
			q.After = &place
		}
		require.Len(t, seen, total, search)
		for i, r := range all {
			require.Equal(t, r.ID, seen[i], "by page and by place alike, all at one moment of the clock")
		}
	}
	first, total, err := b.API.History.Payments(t.Context(), b.Buyer, history.Query{Limit: 3})
	require.NoError(t, err)
	require.Equal(t, 7, total)
	place := first[2].Place()
	second, _, err := b.API.History.Payments(t.Context(), b.Buyer, history.Query{Limit: 3, After: &place})
	require.NoError(t, err)
	byPage, _, err := b.API.History.Payments(t.Context(), b.Buyer, history.Query{Limit: 3, Offset: 3})
	require.NoError(t, err)
	require.Equal(t, byPage, second)
	for _, text := range []string{"", ".", "x", "zz.1", "-1.01a20053-6aff-725a-bdba-fda65e5a9451", "1.01a20053", "!!.01a20053-6aff-725a-bdba-fda65e5a9451"} {
		_, ok := history.ParseCursor(text)
		require.False(t, ok, text)
	}
}

// backOf returns the refunds that the payment list and the order list show for the franchiser's one payment; both must agree.
func (b *bundle) backOf() history.Returned {
	b.T.Helper()
	payments, _, err := b.API.History.Payments(b.T.Context(), b.Buyer, history.Query{Limit: 1})
	require.NoError(b.T, err)
	orders, _, err := b.API.History.Orders(b.T.Context(), b.Buyer, history.Query{Limit: 1})
	require.NoError(b.T, err)
	require.Equal(b.T, payments[0].Returned, orders[0].Returned)
	return payments[0].Returned
}

func TestLists_RefundedPayment_ShowTheRefundAndItsDocuments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.DB.Owner.Exec(`UPDATE business_addresses SET gstin = '29AAPFU0939F1ZR', legal_name = 'Asha Sweets LLP'`)
	require.NoError(t, err)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.Equal(t, history.Returned{}, b.backOf(), "nothing before it is paid")
	listed, _, err := b.API.History.Orders(t.Context(), b.Buyer, history.Query{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, []money.Paise{money.FromRupees(1_59_300), money.FromRupees(1_50_000)}, []money.Paise{listed[0].Total, listed[0].List})
	b.Settle(r, payment.StatusPaid)
	require.Equal(t, history.BackNone, b.backOf().State())
	require.Len(t, b.backOf().Documents, 1)
	require.False(t, b.backOf().Documents[0].ReversesInputTax, "an invoice reverses nothing")

	require.NoError(t, b.GiveBack(b.PaymentOf(r), money.FromRupees(1_58_000)))
	back := b.backOf()
	require.Equal(t, history.BackPartly, back.State())
	require.Equal(t, money.FromRupees(1_58_000), back.Done)
	require.Len(t, back.Documents, 2)
	note := back.Documents[1]
	require.Equal(t, invoice.KindCreditNote, note.Kind)
	require.Equal(t, money.FromRupees(1_58_000), note.Total)
	require.Equal(t, "Refund", note.Reason)
	require.True(t, note.ReversesInputTax, "a registered buyer took the credit")
	found, _, err := b.API.History.Orders(t.Context(), b.Buyer, history.Query{Search: strings.ToLower(note.Number), Limit: 1})
	require.NoError(t, err)
	require.Len(t, found, 1, "an order is found by its credit note")

	require.NoError(t, b.GiveBack(b.PaymentOf(r), 0))
	require.Equal(t, history.BackFully, b.backOf().State())
	require.Len(t, b.backOf().Documents, 3)
	result, err := b.API.History.Result(t.Context(), b.Buyer, r.TransactionID)
	require.NoError(t, err)
	require.Equal(t, b.backOf(), result.Returned)
}

// order returns the transaction's row in the list of orders.
func (b *bundle) order(r checkout.Requested) history.OrderRow {
	b.T.Helper()
	rows, _, err := b.API.History.Orders(b.T.Context(), b.Buyer, history.Query{Limit: 100})
	require.NoError(b.T, err)
	for _, row := range rows {
		if row.ID == r.OrderID {
			return row
		}
	}
	require.Fail(b.T, "no such order")
	return history.OrderRow{}
}

// Given an order whose payment is pending, failed, cancelled or paid, then its row agrees with the result page.
func TestOrders_EachPaymentState_AgreesWithTheResult(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i, cancelled := range []bool{false, true} {
		r := b.Ask(b.Buyer, story.Buy(b.Tier(i, 0), plan.TypeMonthly))
		o := b.order(r)
		require.Equal(t, []any{"confirming", "", false}, []any{o.PaymentState, o.Reason, o.Cancelled})

		b.Gateway.Decide(r.TransactionID, payment.StatusFailed, r.Amount)
		b.Gateway.Change(r.TransactionID, func(o *payment.Outcome) {
			o.Reason, o.Cancelled = "Your bank declined the payment.", cancelled
		})
		_, err := b.API.Notices.Returned(t.Context(), b.Gateway.Notice(r.TransactionID))
		require.NoError(t, err)
		b.Work()
		o = b.order(r)
		require.Equal(t, []string{o.PaymentState, o.Reason}, b.result(r)[:2])
		require.NotEmpty(t, o.Reason)
		require.Equal(t, cancelled, o.Cancelled)
		require.Equal(t, "Inactive", o.Status)
	}
	o := b.order(b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeMonthly)))
	require.Equal(t, []any{"paid", "", false}, []any{o.PaymentState, o.Reason, o.Cancelled})
	scheduled, err := b.Request(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	require.NoError(t, err)
	require.Empty(t, b.order(scheduled).PaymentState, "nothing is to be paid yet")
}

func TestReturned_RefundOrDispute_HasItsState(t *testing.T) {
	t.Parallel()
	require.Equal(t, history.BackOnItsWay, history.Returned{Captured: 100, Going: 1}.State())
	require.Equal(t, history.BackPartly, history.Returned{Captured: 100, Done: 1, Going: 99}.State())
	require.Equal(t, history.BackDisputed, history.Returned{Captured: 100, Done: 1, Disputed: true}.State())
	require.Equal(t, history.BackChargedBack, history.Returned{Captured: 100, Done: 100, ChargedBack: true}.State())

	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	asked, err := b.Reversals.RequestChargeback(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), "CB-1", "lost, see the letter", "key-one-1")
	require.NoError(t, err)
	require.Equal(t, approval.Waiting, asked.State, "the gateway told nothing of it, so one admin's word is not enough")
	_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "letter read")
	require.NoError(t, err)
	b.Work()
	require.Equal(t, history.BackChargedBack, b.backOf().State())
	require.Equal(t, "Payment taken back by your bank: the unused part of the subscription", b.backOf().Documents[1].Reason)
}
