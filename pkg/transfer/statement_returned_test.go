package transfer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/transfer/match"
)

func TestPreview_ReturnedCredit_HasNoProposal(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	day := o.Clock.Now().Format("02-Jan-2006")
	line := func(utr, out, in string) string {
		return day + ",NEFT " + p.Number + "," + utr + "," + out + "," + in + "\n"
	}
	s := o.preview("Date,Narration,Ref No,Withdrawal,Deposit\n"+line("SBIN326306123456", "", p.Amount.Decimal())+line("SBIN326306123456", p.Amount.Decimal(), "")+
		line("SBIN326306123457", "", p.Amount.Decimal()), nil)
	require.Len(t, s.Rows, 2)
	require.Equal(t, []any{3, 0}, []any{s.Rows[0].ReturnedBy, s.Rows[1].ReturnedBy})
	require.Empty(t, s.Rows[0].Proposals)
	require.NotEmpty(t, s.Rows[1].Proposals)
	require.Equal(t, match.BasisReference, s.Rows[1].Proposals[0].Basis)
}
