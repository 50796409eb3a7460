package transfer_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// Given a statement as each of five banks exports it, with lines about the account above and sums below, then its credits are read with the
// number of the transfer, wherever the bank puts it, the day and the amount, and nothing else is.
func TestStatementsOfFiveBanksAreRead(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, clock.IST)
	const sum = "HDFCN52026112001 11800000 2026-11-20 "
	for bank, want := range map[string][]string{
		"hdfc":  {"SBIN326324123456 11800000 2026-11-20 ", "632712345678 5900050 2026-11-23 ", "000000000000000 1200 2026-11-24 The bank names no number (UTR) of this credit. Enter it by hand if it is a customer's."},
		"icici": {sum, "632712345678 5900050 2026-11-24 ", "SBINR52026112400012345 23600000 2026-11-24 "},
		"sbi":   {sum, "632712345678 5900050 2026-11-23 ", " 100000 2026-11-24 The bank names no number (UTR) of this credit. Enter it by hand if it is a customer's."},
		"axis":  {sum, "632712345678 5900050 2026-11-23 ", "SBINR52026112400012345 23600000 2026-11-24 "},
		"kotak": {sum, "632712345678 5900050 2026-11-23 "},
	} {
		file, err := os.ReadFile("testdata/" + bank + ".csv")
		require.NoError(t, err)
		rows, err := transfer.ReadStatement(string(file), now)
		require.NoError(t, err, bank)
		got := []string{}
		for _, r := range rows {
			got = append(got, fmt.Sprint(r.UTR, " ", int64(r.Amount), " ", r.PaidAt.In(clock.IST).Format(time.DateOnly), " ", r.Problem))
		}
		require.Equal(t, want, got, bank)
	}
}

// Given a file that is no statement, or a line without a day, then that is said.
func TestWhatIsNoStatementIsSaid(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, clock.IST)
	for _, text := range []string{"", "Name,Town\nAsha,Pune\n", "PK\x03\x04\x00\x00", "Date,Amount\n25/11/2026,500\n"} {
		_, err := transfer.ReadStatement(text, now)
		require.Error(t, err, text)
	}
	rows, err := transfer.ReadStatement("Date,Narration,Ref No,Deposit\n31/31/2026,NEFT IN,SBIN326324123456,500.00\n26/11/2026,NEFT IN,SBIN326324123457,500.00\n", now)
	require.NoError(t, err)
	require.Len(t, rows, 2)
	for _, r := range rows {
		require.Contains(t, r.Problem, "date", "no day, or one to come")
	}
}

// Given a statement that overlaps with an earlier one, then what is booked is known, what was dismissed is marked, and the rest can be entered.
func TestAnOverlappingStatementBooksNothingTwice(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	file, err := os.ReadFile("testdata/axis.csv")
	require.NoError(t, err)
	o.Pass(time.Date(2026, 11, 26, 12, 0, 0, 0, clock.IST).Sub(o.Clock.Now()))
	rows, err := o.desk.Preview(o.Asha.Sign(t.Context()), string(file))
	require.NoError(t, err)
	_, err = o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, rows[:2], "Statement of Axis")
	require.NoError(t, err)
	o.run()
	for _, c := range o.credits() {
		if c.UTR == rows[1].UTR {
			u, err := o.try(o.Asha, c, transfer.UseInput{Kind: transfer.UseDismissal, Key: "dismiss-1"})
			require.NoError(t, err)
			o.approves(o.Ravi, u)
		}
	}
	again, err := o.desk.Preview(o.Asha.Sign(t.Context()), string(file))
	require.NoError(t, err)
	require.Equal(t, []any{true, false, false, true, false, false}, []any{
		again[0].Known, again[0].Dismissed, again[1].Known, again[1].Dismissed, again[2].Known, again[2].Dismissed,
	})
	_, err = o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, again, "Once more")
	require.ErrorIs(t, err, transfer.ErrUTRKnown)
	require.Equal(t, 2, o.Count(`SELECT count(*) FROM bank_credits`), "all or none")
}
