package settlement

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Each kind of line is booked on its own account and under the gateway's name of the line, so that equal names of two gateways stay apart.
// A line without a payment names no customer.
func TestEntry_EachKindOfLine_HasItsAccounts(t *testing.T) {
	t.Parallel()
	for kind, want := range map[Kind]struct {
		kind           ledger.Kind
		bank, clearing money.Paise
		customer       string
	}{
		KindCapture:            {ledger.KindSettlement, 971_00, -1000_00, "f1 p1"},
		KindRefund:             {ledger.KindSettlement, -1029_00, 1000_00, "f1 p1"},
		KindChargeback:         {ledger.KindSettlement, -1029_00, 1000_00, "f1 p1"},
		KindRefundReversal:     {ledger.KindSettlementReturn, 971_00, -1000_00, "f1 p1"},
		KindChargebackReversal: {ledger.KindSettlementReturn, 971_00, -1000_00, "f1 p1"},
		KindAdjustment:         {ledger.KindAdjustment, 971_00, 0, " "},
	} {
		l := stored(kind)
		p := paid()
		if kind == KindAdjustment {
			p = nil
		}
		e := l.entry(p)
		moved := map[ledger.Account]money.Paise{}
		for _, line := range e.Lines {
			moved[line.Account] += line.Debit - line.Credit
		}
		require.Equal(t, []any{want.kind, "razorpay/l1", l.At}, []any{e.Kind, e.Reference, e.PostedAt}, kind)
		require.Equal(t, want.customer, e.FranchiserID+" "+e.PaymentID, kind)
		require.Equal(t, []money.Paise{want.bank, want.clearing, 24_58, 4_42},
			[]money.Paise{moved[ledger.AccountBank], moved[ledger.AccountGatewayClearing], moved[ledger.AccountFees], moved[ledger.AccountInputTax]}, kind)
		require.Equal(t, l.Net, moved[ledger.AccountBank], "the bank has what was paid out: %s", kind)
	}
	free := stored(KindAdjustment)
	free.Amount, free.Fee, free.FeeTax = 0, 0, 0
	require.Empty(t, free.entry(nil).Lines, "a line that moves nothing has no journal")
	taken := stored(KindAdjustment)
	taken.Amount, taken.Fee, taken.FeeTax = -10_12, 0, 0
	require.Equal(t, []ledger.Line{ledger.Credit(ledger.AccountBank, 10_12), ledger.Debit(ledger.AccountGatewayAdjustments, 10_12)}, taken.entry(nil).Lines)
}

// A missing capture is dated on the day it was due, with our amount and no amount of the gateway.
func TestMissing_IsDatedOnItsDueDay(t *testing.T) {
	t.Parallel()
	d := missed("payu", DifferenceNotSettled, payment.Payable{TransactionID: "FP1", GatewayPaymentID: "m1", Amount: 5_00, DecidedAt: start()}, 20_000)
	require.Equal(t, Difference{Gateway: "payu", Day: 20_000, TransactionID: "FP1", Kind: DifferenceNotSettled, Ours: 5_00}, d)
	require.True(t, d.Open())
	now := start()
	d.ClearedAt = &now
	require.False(t, d.Open())
	d.ClearedAt, d.Acknowledged.At = nil, &now
	require.False(t, d.Open(), "somebody saw it, and it stays")
}

// Staff cannot acknowledge a difference that a webhook, a payout or a decision clears. Every other difference stays until staff acknowledge
// it.
func TestDifferenceKinds_SelfClearing_CannotBeAcknowledged(t *testing.T) {
	t.Parallel()
	clears := map[DifferenceKind]bool{
		DifferenceNotPaid: true, DifferenceNotSettled: true, DifferenceUnknownRefund: true, DifferenceUnknownDispute: true, DifferenceDisputeTaken: true,
	}
	for _, k := range DifferenceKinds() {
		require.Equal(t, clears[k], k.Clears(), k)
	}
	v := verdict{Differences: []Difference{{Kind: DifferenceNet}, {Kind: DifferenceNotPaid}}}
	require.True(t, v.unheard(stored(KindCapture)))
	require.False(t, v.unheard(stored(KindRefund)), "only a capture is asked about")
}

// The preview of a repeated comparison names the day that it reads, or all days up to yesterday in India.
func TestComparePreview_NamesItsDays(t *testing.T) {
	t.Parallel()
	read := JobPreviews()[CompareArgs{}.Kind()]
	for raw, want := range map[string]string{
		`{}`: "each day's up to 1 Nov 2026", `{"gateway":"payu","day":"2026-10-31"}`: "that of 31 Oct 2026", `{"gateway":"payu"}`: "each day's up to 1 Nov 2026",
	} {
		p, err := read(t.Context(), nil, []byte(raw), start())
		require.NoError(t, err)
		require.Contains(t, p.Summary, want, raw)
		require.False(t, p.Nothing, raw)
	}
	p, err := read(t.Context(), nil, []byte(`{}`), time.Date(2026, time.November, 1, 18, 30, 0, 0, time.UTC))
	require.NoError(t, err)
	require.Contains(t, p.Summary, "1 Nov 2026", "the day has changed in India")
	_, err = read(t.Context(), nil, []byte(`{"day":"soon"}`), start())
	require.Error(t, err)
}
