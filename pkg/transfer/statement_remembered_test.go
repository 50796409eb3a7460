package transfer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/transfer"
)

// The headings are of no known bank.
const (
	unknownHead = "Posting Day,Text,UTR,Receipts,Payments\n"
	provenFile  = unknownHead + "11/20/2026,NEFT ASHA,SBIN526324123456,500,\n11/21/2026,RENT,,,100\n"
	openFile    = unknownHead + "05/11/2026,NEFT RAVI,SBIN526309123457,700,\n06/11/2026,NEFT ASHA,SBIN526310123456,600,\n"
)

func TestPreview_OrderOfDaysThatOneFileProves_IsNotRememberedForTheNext(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	columns := []transfer.Column{transfer.ColumnDay, transfer.ColumnNarration, transfer.ColumnReference, transfer.ColumnCredit, transfer.ColumnDebit}
	for _, echoed := range []transfer.DayOrder{transfer.OrderUnknown, transfer.OrderMonthFirst} {
		s, err := o.desk.Preview(o.Asha.Sign(t.Context()), o.Asha, []byte(provenFile), &transfer.Layout{Line: 1, Columns: columns, Order: echoed})
		require.NoError(t, err)
		require.Equal(t, []any{transfer.AsksNothing, transfer.OrderMonthFirst}, []any{s.Asks, s.Layout.Order})
		s, err = o.desk.Preview(o.Asha.Sign(t.Context()), o.Asha, []byte(openFile), nil)
		require.NoError(t, err)
		require.True(t, s.Remembered)
		require.Equal(t, transfer.AsksDayOrder, s.Asks)
	}
}

func TestPreview_OrderOfDaysThatAPersonChose_IsRemembered(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	columns := []transfer.Column{transfer.ColumnDay, transfer.ColumnNarration, transfer.ColumnReference, transfer.ColumnCredit, transfer.ColumnDebit}
	_, err := o.desk.Preview(o.Asha.Sign(t.Context()), o.Asha, []byte(openFile), &transfer.Layout{Line: 1, Columns: columns, Order: transfer.OrderDayFirst})
	require.NoError(t, err)
	s, err := o.desk.Preview(o.Asha.Sign(t.Context()), o.Asha, []byte(openFile), nil)
	require.NoError(t, err)
	require.Equal(t, []any{transfer.AsksNothing, transfer.OrderDayFirst}, []any{s.Asks, s.Layout.Order})
}

// The number of IMPS and UPI names the day of the year.
func TestStatementDays_RememberedOrderContradictsTheDays_NeedsANewChoice(t *testing.T) {
	t.Parallel()
	const text = unknownHead + "05/11/2026,UPI/630912345678/RAVI,630912345678,700,\n06/11/2026,NEFT ASHA,SBIN526310123456,600,\n"
	for order, want := range map[transfer.DayOrder]transfer.Asks{transfer.OrderMonthFirst: transfer.AsksDayOrder, transfer.OrderDayFirst: transfer.AsksNothing} {
		kept := transfer.Layout{Order: order, Columns: []transfer.Column{transfer.ColumnDay, transfer.ColumnNarration, transfer.ColumnReference, transfer.ColumnCredit, transfer.ColumnDebit}}
		s, err := transfer.ReadStatement([]byte(text), nil, func(string) (transfer.Layout, bool) { return kept, true }, noon())
		require.NoError(t, err)
		require.Equal(t, want, s.Asks, order)
		for _, r := range s.Rows {
			require.Equal(t, want == transfer.AsksNothing, r.Problem == "", order)
		}
	}
	chosen := transfer.Layout{Order: transfer.OrderMonthFirst, Line: 1, Columns: []transfer.Column{transfer.ColumnDay, transfer.ColumnNarration, transfer.ColumnReference, transfer.ColumnCredit, transfer.ColumnDebit}}
	s, err := transfer.ReadStatement([]byte(text), &chosen, nothing, noon())
	require.NoError(t, err)
	require.Equal(t, transfer.AsksNothing, s.Asks, "a person chose it for this file")
}
