package transfer_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
)

// The headings are of no known bank.
const (
	unknownHead = "Posting Day,Text,UTR,Receipts,Payments\n"
	provenFile  = unknownHead + "11/20/2026,NEFT ASHA,SBIN526324123456,500,\n11/21/2026,RENT,,,100\n"
	openFile    = unknownHead + "05/11/2026,NEFT RAVI,SBIN526309123457,700,\n06/11/2026,NEFT ASHA,SBIN526310123456,600,\n"
)

func unknownColumns() []statement.Column {
	return []statement.Column{statement.ColumnDay, statement.ColumnNarration, statement.ColumnReference, statement.ColumnCredit, statement.ColumnDebit}
}

// preview reads a file as Asha, with her columns and day order if she chose any.
func (o *office) preview(text string, chosen *statement.Layout) statement.Statement {
	o.T.Helper()
	s, err := o.desk.Preview(o.Asha.Sign(o.T.Context()), o.Asha, []byte(text), chosen)
	require.NoError(o.T, err)
	return s
}

// enter enters a credit that no other file has, with a choice of columns.
func (o *office) enter(by staff.Principal, utr, choice string) {
	o.T.Helper()
	_, err := o.desk.EnterAll(by.Sign(o.T.Context()), by, []statement.Row{{UTR: utr, Amount: 100, PaidAt: o.Clock.Now()}}, "Statement of today", choice)
	require.NoError(o.T, err)
}

func TestPreview_OrderOfDaysThatOneFileProves_IsNotRememberedForTheNext(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	for i, echoed := range []sheet.DayOrder{sheet.OrderUnknown, sheet.OrderMonthFirst} {
		s := o.preview(provenFile, &statement.Layout{Line: 1, Columns: unknownColumns(), Order: echoed})
		require.Equal(t, []any{statement.AsksNothing, sheet.OrderMonthFirst}, []any{s.Asks, s.Layout.Order})
		o.enter(o.Asha, fmt.Sprintf("SBIN52632412345%d", i), s.Choice)
		s = o.preview(openFile, nil)
		require.True(t, s.Remembered)
		require.Equal(t, statement.AsksDayOrder, s.Asks)
	}
}

func TestPreview_OrderOfDaysThatAPersonChose_IsRememberedWithTheImport(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	chosen := o.preview(openFile, &statement.Layout{Line: 1, Columns: unknownColumns(), Order: sheet.OrderDayFirst})
	require.NotEmpty(t, chosen.Choice)
	s := o.preview(openFile, nil)
	require.Equal(t, []any{statement.AsksColumns, false, ""}, []any{s.Asks, s.Remembered, s.Choice}, "nobody entered anything yet")
	o.enter(o.Asha, "SBIN526324123451", "")
	o.enter(o.Ravi, "SBIN526324123452", chosen.Choice)
	require.Equal(t, statement.AsksColumns, o.preview(openFile, nil).Asks, "a colleague's import does not confirm it")
	require.Zero(t, o.Count(`SELECT count(*) FROM staff_actions WHERE action = 'choose_statement_columns'`))
	o.enter(o.Asha, "SBIN526324123453", chosen.Choice)
	s = o.preview(openFile, nil)
	require.Equal(t, []any{statement.AsksNothing, sheet.OrderDayFirst, true}, []any{s.Asks, s.Layout.Order, s.Remembered})
	require.Equal(t, 1, o.Count(`SELECT count(*) FROM staff_actions WHERE action = 'choose_statement_columns'`))

	other := o.preview(openFile, &statement.Layout{Line: 1, Columns: unknownColumns(), Order: sheet.OrderMonthFirst})
	require.Equal(t, sheet.OrderDayFirst, o.preview(openFile, nil).Layout.Order, "the earlier choice stays until the import")
	if other.Choice != "" {
		o.enter(o.Asha, "SBIN526324123454", other.Choice)
	}
	require.LessOrEqual(t, o.Count(`SELECT count(*) FROM statement_layouts WHERE confirmed_at IS NOT NULL`), 1, "one choice for the same headings")
	o.Pass(48 * time.Hour)
	o.preview(openFile, &statement.Layout{Line: 1, Columns: unknownColumns(), Order: sheet.OrderDayFirst})
	require.LessOrEqual(t, o.Count(`SELECT count(*) FROM statement_layouts`), 2, "choices without an import are removed")
}

// Given columns of money that a person exchanged, then a file whose balances or sums contradict them leaves nothing to remember.
func TestPreview_ColumnsThatTheFileContradicts_AreNeverRemembered(t *testing.T) {
	t.Parallel()
	day, text, utr, in, out, balance := statement.ColumnDay, statement.ColumnNarration, statement.ColumnReference, statement.ColumnCredit, statement.ColumnDebit, statement.ColumnBalance
	const balanced = "Posting Day,Text,UTR,Receipts,Payments,Left\n20/11/2026,NEFT ASHA,SBIN526324123456,500,,1500\n21/11/2026,RENT,,,100,1400\n22/11/2026,NEFT B,SBIN526326123456,700,,2100\n"
	const summed = unknownHead + "20/11/2026,NEFT ASHA,SBIN526324123456,500,\n21/11/2026,RENT,SBIN526325123456,,100\nTotal Credits,500,,,\nTotal Debits,100,,,\n"
	for name, tc := range map[string]struct {
		file           string
		right, swapped []statement.Column
	}{
		"balances": {balanced, []statement.Column{day, text, utr, in, out, balance}, []statement.Column{day, text, utr, out, in, balance}},
		"sums":     {summed, []statement.Column{day, text, utr, in, out}, []statement.Column{day, text, utr, out, in}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := open(t, nil)
			require.NotEmpty(t, o.preview(tc.file, &statement.Layout{Line: 1, Columns: tc.right}).Choice)
			require.Empty(t, o.preview(tc.file, &statement.Layout{Line: 1, Columns: tc.swapped}).Choice)
			require.Equal(t, 1, o.Count(`SELECT count(*) FROM statement_layouts`))
		})
	}
}
