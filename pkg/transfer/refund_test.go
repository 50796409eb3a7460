package transfer_test

import (
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/payment/act"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// Given a plan paid by transfer less both taxes, when an upgrade is cancelled and staff transfer the set-off amount, then the deducted tax
// is not paid out.
func TestRefund_UpgradeOfAPlanPaidLessTax_ReversesTheTaxOfTheEarlierTransfer(t *testing.T) {
	t.Parallel()
	for name, days := range map[string]int{"on its day": 0, "after some days": 10} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := open(t, nil)
			p := o.asks(o.Buyer)
			tds, gst := (p.Taxable.MulBps(1000)+50)/100*100, p.Taxable.MulBps(200)
			cash := p.Amount - tds - gst
			o.confirm(o.comes("AXISN42026112500096", cash), transfer.UseInput{ProformaID: p.ID, TDS: tds, RateBps: 1000, GSTTDS: gst})
			up := o.Pay(o.Buyer, story.Buy(o.Tier(3, 2), plan.TypeYearly))
			o.Live(days)
			c := o.cancels()
			owed := c.ByTransfer()
			require.Equal(t, days == 0, owed == p.Amount)
			o.Clock.Advance(time.Hour)
			trail, err := o.API.Trails.Trail(o.Asha.Sign(t.Context()), o.APIWith(func(*app.BillingParts) {}).Ledger, up.TransactionID)
			require.NoError(t, err)
			share := refund.WithheldShare(tds+gst, owed, p.Amount)
			require.Equal(t, []money.Paise{owed, share}, []money.Paise{trail.Left, trail.Withheld}, "what staff read before they transfer it")
			o.transfersBack(o.PaymentOf(up), owed/3, "OURN4202611250000A")
			first := refund.WithheldShare(tds+gst, owed/3, p.Amount)
			require.Equal(t, cash-(owed/3-first), o.Balance("bank"))
			o.transfersBack(o.PaymentOf(up), owed-owed/3, "OURN4202611250000B")
			require.InDelta(t, int64(cash-(owed-share)), int64(o.Balance("bank")), 1)
			require.InDelta(t, int64(tds+gst-share), int64(o.Balance("tds_receivable")+o.Balance("gst_tds_receivable")), 1)
			if days == 0 {
				require.Zero(t, o.Balance("bank"))
			}
		})
	}
}

// Given an upgrade paid by transfer less TDS, like the plan before it, when staff transfer all of it back, then no receivable tax remains.
func TestRefund_UpgradeAndItsPlanPaidLessTax_ReversesTheTaxOfBothTransfers(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	tds := (p.Taxable.MulBps(1000) + 50) / 100 * 100
	o.confirm(o.comes("AXISN42026112500097", p.Amount-tds), transfer.UseInput{ProformaID: p.ID, TDS: tds, RateBps: 1000})
	o.run()
	up := o.bill(o.Buyer, o.Tier(3, 2), plan.TypeYearly)
	c := o.comes("AXISN42026112500098", up.Amount-up.Taxable.MulBps(200))
	o.confirm(c, transfer.UseInput{ProformaID: up.ID, GSTTDS: up.Taxable.MulBps(200)})
	require.Equal(t, "paid", o.state(up))
	o.cancels()
	o.Clock.Advance(time.Hour)
	upgrade := o.Text(`SELECT id FROM payments ORDER BY id DESC LIMIT 1`)
	o.transfersBack(upgrade, up.Amount+p.Amount, "OURN4202611250000A")
	require.Zero(t, o.Balance("bank"))
	require.Zero(t, o.Balance("tds_receivable"))
	require.Zero(t, o.Balance("gst_tds_receivable"))
}

// cancels ends everything of the buyer, and does the jobs.
func (o *office) cancels() act.Cancellation {
	o.T.Helper()
	var c act.Cancellation
	require.NoError(o.T, postgres.InTx(o.T.Context(), o.DB.Worker, func(tx *sqlx.Tx) error {
		var err error
		if c, err = o.Worker.Acts.CancellationTx(o.T.Context(), tx, o.Buyer, o.Today()); err != nil {
			return err
		}
		_, err = o.Worker.Acts.CancelTx(o.T.Context(), tx, o.Buyer, o.Today(), c.Total(), "Leaves us", o.Clock.Now())
		return err
	}))
	o.Work()
	return c
}

// transfersBack books a bank transfer of staff's to the buyer.
func (o *office) transfersBack(paymentID string, amount money.Paise, utr string) {
	o.T.Helper()
	r, err := o.Reversals.Request(o.Asha.Sign(o.T.Context()), o.Asha, reversal.Input{
		FranchiserID: o.Buyer, PaymentID: paymentID, Kind: reversal.KindCreditNote, Amount: amount, BankReference: utr, Reason: "As agreed",
		Key: "back-" + utr,
	})
	require.NoError(o.T, err)
	if r.NeedsApproval {
		_, err = o.Reversals.Approve(o.Ravi.Sign(o.T.Context()), o.Ravi, r.ID, "As agreed")
		require.NoError(o.T, err)
	}
	o.Work()
	o.Balanced()
}
