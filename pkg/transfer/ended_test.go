package transfer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/transfer"
)

func (o *office) asksFor(planAt int) transfer.Proforma {
	o.T.Helper()
	p, err := o.service.Open(o.T.Context(), o.Buyer, transfer.Input{
		Request: checkout.Input{Intent: story.Buy(o.Tier(planAt, 0), plan.TypeYearly)},
	})
	require.NoError(o.T, err)
	return p
}

func TestProforma_AnotherOneOfItsCustomerIsBooked_IsCancelledAtOnce(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	first, second := o.asksFor(0), o.asksFor(1)
	c := o.comes("AXISN42026112500001", first.Amount+second.Amount)
	o.confirm(c, transfer.UseInput{ProformaID: first.ID})
	require.Equal(t, "paid", o.state(first))
	require.Equal(t, "cancelled", o.state(second))
	require.Empty(t, o.credits()[0].Proposals)
	_, err := o.try(o.Ravi, c, transfer.UseInput{ProformaID: second.ID, Key: "ended-1-key"})
	require.ErrorIs(t, err, transfer.ErrProformaClosed)
	o.Balanced()
}

func TestUse_OrderEndedOnline_IsRefusedBeforeTheProformaIsClosed(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asksFor(1)
	c := o.comes("AXISN42026112500001", p.Amount)
	o.Pay(o.Buyer, story.Buy(o.Tier(0, 0), plan.TypeYearly))
	require.Equal(t, "open", o.state(p))
	require.Empty(t, o.credits()[0].Proposals)
	_, err := o.try(o.Ravi, c, transfer.UseInput{ProformaID: p.ID, Key: "ended-2-key"})
	require.ErrorIs(t, err, transfer.ErrOrderEnded)
	require.Zero(t, o.Count(`SELECT count(*) FROM bank_credit_uses`))
}

func TestUse_OrderEndedBeforeApproval_IsRefusedAndMayBeDeclined(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asksFor(1)
	c := o.comes("AXISN42026112500001", p.Amount)
	u, err := o.try(o.Asha, c, transfer.UseInput{ProformaID: p.ID, Key: "ended-3-key"})
	require.NoError(t, err)
	require.Equal(t, transfer.UseWaiting, u.State)
	o.Pay(o.Buyer, story.Buy(o.Tier(0, 0), plan.TypeYearly))
	_, err = o.desk.Decide(o.Ravi.Sign(t.Context()), o.Ravi, u.ID, true, "As the bank shows")
	require.ErrorIs(t, err, transfer.ErrOrderEnded)
	_, err = o.desk.Decide(o.Ravi.Sign(t.Context()), o.Ravi, u.ID, false, "The plan was paid online")
	require.NoError(t, err)
	require.Equal(t, "declined", o.Text(`SELECT state FROM bank_credit_uses WHERE id = $1`, u.ID))
}
