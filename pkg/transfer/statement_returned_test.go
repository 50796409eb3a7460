package transfer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/transfer"
)

func TestStatement_CreditThatTheFileReturns_NamesTheLine(t *testing.T) {
	t.Parallel()
	const credit = "20/11/2026,NEFT ASHA,SBIN326324123456,,11800.00\n"
	const signed = "Txn Date,Description,Reference,Amount,Dr/Cr\n20/11/2026,NEFT ASHA,SBIN326324123456,11800.00,CR\n"
	for name, tc := range map[string]struct {
		text string
		want int
	}{
		"same number":                       {plainHead + credit + "21/11/2026,NEFT ASHA SWEETS,SBIN326324123456,11800.00,\n", 3},
		"number in the narration":           {plainHead + credit + "21/11/2026,REV-NEFT/SBIN326324123456/ASHA,000000,11800.00,\n", 3},
		"newest line first":                 {plainHead + "21/11/2026,NEFT ASHA SWEETS,SBIN326324123456,11800.00,\n" + credit, 2},
		"part of the amount":                {plainHead + credit + "21/11/2026,NEFT RETURN,SBIN326324123456,800.00,\n", 3},
		"negative line":                     {plainHead + credit + "21/11/2026,ASHA SWEETS,,,-11800.00\n", 3},
		"debit that says return":            {plainHead + credit + "21/11/2026,NEFT RETURN ASHA,,11800.00,\n", 3},
		"one column, same number":           {signed + "21/11/2026,NEFT ASHA,SBIN326324123456,11800.00,DR\n", 3},
		"one column, reversal":              {signed + "21/11/2026,REVERSAL ASHA,,11800.00,DR\n", 3},
		"same amount for another purpose":   {plainHead + credit + "21/11/2026,RENT,HDFCN26325155555,11800.00,\n", 0},
		"reversal of another amount":        {plainHead + credit + "21/11/2026,NEFT RETURN RAVI,,11900.00,\n", 0},
		"reversal before the credit":        {plainHead + "19/11/2026,NEFT RETURN RAVI,,11800.00,\n" + credit, 0},
		"return of another number":          {plainHead + credit + "21/11/2026,NEFT RETURN SBIN326324999999,SBIN326324999999,11800.00,\n", 0},
		"returns one of two equal credits":  {plainHead + credit + "20/11/2026,NEFT RAVI,HDFCN26324111111,,11800.00\n21/11/2026,RETURN,HDFCN26324111111,11800.00,\n", 0},
		"no debit":                          {plainHead + credit, 0},
		"one column, another line of money": {signed + "21/11/2026,RENT,,11800.00,DR\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range readStatement(t, tc.text).Rows {
				if r.UTR == "SBIN326324123456" {
					require.Empty(t, r.Problem)
					require.Equal(t, tc.want, r.ReturnedBy)
				}
			}
		})
	}
}

func TestPreview_ReturnedCredit_HasNoProposal(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	day := o.Clock.Now().Format("02-Jan-2006")
	line := func(utr, out, in string) string {
		return day + ",NEFT " + p.Number + "," + utr + "," + out + "," + in + "\n"
	}
	s := o.preview(plainHead+line("SBIN326306123456", "", p.Amount.Decimal())+line("SBIN326306123456", p.Amount.Decimal(), "")+
		line("SBIN326306123457", "", p.Amount.Decimal()), nil)
	require.Len(t, s.Rows, 2)
	require.Equal(t, []any{3, 0}, []any{s.Rows[0].ReturnedBy, s.Rows[1].ReturnedBy})
	require.Empty(t, s.Rows[0].Proposals)
	require.NotEmpty(t, s.Rows[1].Proposals)
	require.Equal(t, transfer.BasisReference, s.Rows[1].Proposals[0].Basis)
}
