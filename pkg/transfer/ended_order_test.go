package transfer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/transfer"
)

func TestAsk_ProformaWhoseOrderAnotherPaymentEnded_IsRefused(t *testing.T) {
	t.Parallel()
	for name, newest := range map[string]bool{"the newest order is paid": true, "the replaced order is paid": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := open(t, nil)
			paid, other := o.asks(o.Buyer), o.bill(o.Buyer, o.Tier(0, 1), plan.TypeYearly)
			if newest {
				paid, other = other, paid
			}
			c := o.comes("SBIN326330000001", paid.Amount+other.Amount)
			o.confirm(c, transfer.UseInput{ProformaID: paid.ID})
			require.Equal(t, "paid", o.state(paid))
			_, err := o.try(o.Ravi, c, transfer.UseInput{Kind: transfer.UseOrder, ProformaID: other.ID, Key: "second-use-1"})
			require.ErrorIs(t, err, transfer.ErrProformaClosed)
			o.sweeps()
			require.Equal(t, "cancelled", o.state(other))
			require.Equal(t, other.Amount, o.seen(c).Rest())
		})
	}
}
