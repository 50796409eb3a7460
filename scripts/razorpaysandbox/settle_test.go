package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSettlement_TwoWorkingDaysAfterCapture(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, first := b.paid("T1", "100000") // on a Thursday: due on Saturday the 4th, a bank working day
	b.ok("POST", "/sandbox/payments/T1/refund", `{"amount":"100.00"}`)
	b.pass(24 * time.Hour)
	b.paid("T2", "50000") // Friday: due on Monday
	require.Empty(t, items(b.ok("GET", "/v1/settlements/recon/combined?year=2026&month=07", "")))
	b.pass(24 * time.Hour)
	rows := items(b.ok("GET", "/v1/settlements/recon/combined?year=2026&month=07&day=04", ""))
	require.Len(t, rows, 2)
	require.Equal(t, first, rows[0]["entity_id"])
	require.InDelta(t, 97640, rows[0]["credit"], 0) // the fee of a payment is kept even if it is refunded
	require.InDelta(t, 10000, rows[1]["debit"], 0)
	require.Equal(t, first, rows[1]["payment_id"])
	settled := b.ok("GET", "/v1/settlements/"+rows[0]["settlement_id"].(string), "")
	require.InDelta(t, 87640, settled["amount"], 0)
	require.Equal(t, settled["id"], b.named("settlement.processed", 1)[0].payload["settlement"].Entity["id"])
	b.pass(30 * time.Hour) // Sunday
	require.Empty(t, items(b.ok("GET", "/v1/settlements/recon/combined?year=2026&month=07&day=05", "")))
	b.pass(24 * time.Hour)
	require.Len(t, items(b.ok("GET", "/v1/settlements/recon/combined?year=2026&month=07&day=06", "")), 1)
	month := "/v1/settlements/recon/combined?year=2026&month=07"
	require.Len(t, items(b.ok("GET", month+"&count=2&skip=1", "")), 2)
	require.Contains(t, b.refused(400, "GET", month+"&count=1001", ""), "1000")
	require.Contains(t, b.refused(400, "GET", "/v1/settlements/recon/combined?year=2026&month=13", ""), "valid month")
}

// The second published example: 500, 300 and 200 captured, 100 refunded; the first two are settled, the third a day later.
func TestSettlement_PaymentAboveTheBalance_MovesToTheNextDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.paid("P1", "50000")
	b.pass(time.Minute)
	b.paid("P2", "30000")
	b.pass(time.Minute)
	_, third := b.paid("P3", "20000")
	b.ok("POST", "/sandbox/payments/P1/refund", `{"amount":"100.00"}`)
	b.pass(48 * time.Hour)
	rows := items(b.ok("GET", "/v1/settlements/recon/combined?year=2026&month=07&day=04", ""))
	require.Len(t, rows, 3)
	for _, row := range rows {
		require.NotEqual(t, third, row["entity_id"])
	}
	b.pass(48 * time.Hour)
	rows = items(b.ok("GET", "/v1/settlements/recon/combined?year=2026&month=07&day=06", ""))
	require.Len(t, rows, 1)
	require.Equal(t, third, rows[0]["entity_id"])
}

// The first published example: 1,000 captured, 100 refunded; the remainder is settled.
func TestSettlement_OnlyPayment_BearsTheRefund(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.paid("P1", "100000")
	b.ok("POST", "/sandbox/payments/P1/refund", `{"amount":"100.00"}`)
	b.pass(48 * time.Hour)
	require.Len(t, b.book.state.Settlements, 1)
	for _, s := range b.book.state.Settlements {
		require.Equal(t, int64(100000-2360-10000), s.Amount)
	}
}

func TestSettlement_LostDispute_IsAnAdjustment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.paid("T1", "100000")
	b.pass(time.Minute)
	id := b.ok("POST", "/sandbox/payments/T1/dispute", `{"amount":"400.00"}`)["id"].(string)
	b.ok("POST", "/sandbox/payments/T1/dispute", `{"dispute_id":"`+id+`","status":"lost"}`)
	b.pass(48 * time.Hour)
	rows := items(b.ok("GET", "/v1/settlements/recon/combined?year=2026&month=07&day=04", ""))
	require.Len(t, rows, 2)
	require.Equal(t, "adjustment", rows[1]["type"])
	require.InDelta(t, 40000, rows[1]["debit"], 0)
	require.Equal(t, id, rows[1]["dispute_id"])
	require.Nil(t, rows[1]["settlement_utr"])
	require.Nil(t, rows[1]["order_receipt"])
}

func TestDispute_DeductsOnlyWhenLost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, paymentID := b.paid("T1", "100000")
	opened := b.ok("POST", "/sandbox/payments/T1/dispute", `{"amount":"400.00","without_order":true}`)
	e := b.named("payment.dispute.created", 1)[0]
	require.Nil(t, e.payload["payment"].Entity["order_id"])
	require.Equal(t, paymentID, e.payload["dispute"].Entity["payment_id"])
	id := opened["id"].(string)
	b.ok("POST", "/sandbox/payments/T1/dispute", `{"dispute_id":"`+id+`","status":"under_review"}`)
	b.ok("POST", "/sandbox/payments/T1/dispute", `{"dispute_id":"`+id+`","status":"action_required"}`)
	require.Equal(t, "open", b.ok("GET", "/v1/disputes/"+id, "")["status"])
	require.InDelta(t, 0, b.ok("GET", "/v1/disputes/"+id, "")["amount_deducted"], 0)
	b.ok("POST", "/sandbox/payments/T1/dispute", `{"dispute_id":"`+id+`","status":"lost"}`)
	require.InDelta(t, 40000, b.ok("GET", "/v1/disputes/"+id, "")["amount_deducted"], 0)
	b.named("payment.dispute.lost", 1)
	require.Len(t, items(b.ok("GET", "/v1/disputes", "")), 1)
}

func TestSettlements_All_AreListedNewestFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Empty(t, items(b.ok("GET", "/v1/settlements/", "")))
	b.paid("T1", "100000") // Thursday
	b.pass(24 * time.Hour)
	b.paid("T2", "50000")
	b.pass(5 * 24 * time.Hour)
	all := items(b.ok("GET", "/v1/settlements/", ""))
	require.Len(t, all, 2)
	require.Greater(t, all[0]["created_at"], all[1]["created_at"])
	require.Equal(t, all, items(b.ok("GET", "/v1/settlements", "")), "with and without the slash")
	require.Equal(t, all[1:], items(b.ok("GET", "/v1/settlements/?count=1&skip=1", "")))
	require.Contains(t, b.refused(400, "GET", "/v1/settlements/?count=101", ""), "count")
}
