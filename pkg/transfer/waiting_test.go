package transfer_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/transfer"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// foretold returns a job's preview.
func (o *office) foretold(args queue.Args) (p queue.JobPreview) {
	o.T.Helper()
	raw, err := json.Marshal(args)
	require.NoError(o.T, err)
	require.NoError(o.T, postgres.InTx(o.T.Context(), o.DB.Worker, func(tx *sqlx.Tx) (err error) {
		p, err = transfer.JobPreviews()[args.Kind()](o.T.Context(), tx, raw, o.Clock.Now())
		return err
	}))
	require.NotEmpty(o.T, p.Again, "whether it may be rerun is always said")
	return p
}

// waits returns the work items of a kind.
func (o *office) waits(kind string) (items []worklist.Item) {
	o.T.Helper()
	require.NoError(o.T, postgres.InTx(o.Asha.Sign(o.T.Context()), o.DB.API, func(tx *sqlx.Tx) error {
		for _, s := range transfer.WorkSources() {
			if s.Kind != kind {
				continue
			}
			var total int
			var err error
			items, total, err = s.Read(o.T.Context(), tx, o.Clock.Now(), 10)
			require.Len(o.T, items, total)
			return err
		}
		require.Fail(o.T, "no such list", kind)
		return nil
	}))
	return items
}

// Given a credit and a bill from entry to end, then the job preview equals the job's effect: nothing after its effect or before a
// colleague's decision. The work list contains each while it needs staff.
func TestTransfer_EachStage_HasItsJobPreviewAndWorkItem(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	for _, unknown := range []queue.Args{transfer.ReceiveArgs{CreditID: id.New()}, transfer.UseArgs{UseID: id.New()}, transfer.PrintArgs{ProformaID: id.New()}} {
		p := o.foretold(unknown)
		require.True(t, p.Nothing)
		require.Contains(t, p.Summary, "there is none of this id → nothing")
	}
	require.Empty(t, o.waits("bank_credit"))
	p := o.asks(o.Buyer)
	require.False(t, o.foretold(transfer.PrintArgs{ProformaID: p.ID}).Nothing)
	require.Contains(t, o.foretold(transfer.PrintArgs{ProformaID: p.ID}).Summary, p.Number)
	tds := p.Taxable.MulBps(200) / 100 * 100
	c := o.comes("AXISN42026112500001", p.Amount-tds)
	require.False(t, o.foretold(transfer.ReceiveArgs{CreditID: c.ID}).Nothing)
	require.Contains(t, o.foretold(transfer.ReceiveArgs{CreditID: c.ID}).Summary, "it is now `open`")
	waiting := o.waits("bank_credit")
	require.Len(t, waiting, 1)
	require.Equal(t, []any{c.ID, "UTR AXISN42026112500001", c.Amount, "One open bill fits: " + p.Number + "."}, []any{waiting[0].Key, waiting[0].Title, waiting[0].Amount, waiting[0].Wrong})
	require.Empty(t, o.waits("bank_use"))

	u, err := o.try(o.Asha, c, transfer.UseInput{ProformaID: p.ID, TDS: tds, RateBps: 200, Key: "use-key-1"})
	require.NoError(t, err)
	require.Equal(t, transfer.UseWaiting, u.State)
	use := o.foretold(transfer.UseArgs{UseID: u.ID})
	require.True(t, use.Nothing, "a colleague has yet to decide")
	require.Contains(t, use.Summary, "for proforma "+p.Number)
	require.Contains(t, use.Summary, "It is now `waiting` → nothing.")
	require.Empty(t, o.waits("bank_credit"), "it waits in the other list")
	decides := o.waits("bank_use")
	require.Len(t, decides, 1)
	require.Contains(t, decides[0].Wrong, "asked to pay a bill with it; nobody has decided.")
	require.Contains(t, decides[0].ToDo, "A colleague other than ")
	require.Equal(t, u.Amount, decides[0].Amount)
	_, err = o.desk.Decide(o.Ravi.Sign(t.Context()), o.Ravi, u.ID, true, "As the bank shows")
	require.NoError(t, err)
	require.False(t, o.foretold(transfer.UseArgs{UseID: u.ID}).Nothing, "approved, and not carried out")
	o.run()
	require.Equal(t, "paid", o.state(p))
	require.Contains(t, o.foretold(transfer.UseArgs{UseID: u.ID}).Summary, "It is now `done` → nothing.")
	used := o.foretold(transfer.ReceiveArgs{CreditID: c.ID})
	require.True(t, used.Nothing)
	require.Contains(t, used.Summary, "it is now `used`")
	require.Empty(t, o.waits("bank_use"))

	// Deducted tax waits once a quarter's return and a month to file it are over, until it is matched or was taken back.
	o.Clock.Advance(120 * 24 * time.Hour)
	require.Empty(t, o.waits("late_tds"), "120 days, not more")
	o.Clock.Advance(time.Second)
	late := o.waits("late_tds")
	require.Len(t, late, 1)
	require.Equal(t, []any{tds, "Income tax that the customer deducted is not in our tax account."}, []any{late[0].Amount, late[0].Wrong})
	_, err = o.DB.Owner.Exec(`UPDATE tds_records SET reversed_paise = amount_paise`)
	require.NoError(t, err)
	require.Empty(t, o.waits("late_tds"), "what went back is owed by nobody")
}
