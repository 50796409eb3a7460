package transfer_test

import (
	"os"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// busy is a clock that records how many connections are in use when it is read.
type busy struct {
	clock.Clock

	db    *sqlx.DB
	inUse []int
}

func (b *busy) Now() time.Time {
	b.inUse = append(b.inUse, b.db.Stats().InUse)
	return b.Clock.Now()
}

// The server ends a transaction that idles for four seconds, and a large file takes longer on a busy machine.
func TestPreview_File_IsReadOutsideATransaction(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	asked := &busy{Clock: o.Clock, db: o.DB.API}
	desk := transfer.NewDesk(o.DB.API, testkit.NewInserter(t, o.DB.API), asked, staff.NewRecorder(o.Clock))
	_, err := desk.Preview(o.Asha.Sign(t.Context()), o.Asha, []byte("Date,Narration,Ref No,Deposit\n20/11/2026,NEFT,SBIN326324123456,500.00\n"), nil)
	require.NoError(t, err)
	require.Zero(t, asked.inUse[0], "the reader asks for the time first")
}

// Given a statement that overlaps with an earlier one, then booked credits are known, dismissed ones are marked, and the rest can be
// entered.
func TestStatement_OverlapsWithAnEarlierOne_BooksNothingTwice(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	file, err := os.ReadFile("statement/testdata/axis.csv")
	require.NoError(t, err)
	o.Pass(time.Date(2026, 11, 26, 12, 0, 0, 0, clock.IST).Sub(o.Clock.Now()))
	first, err := o.desk.Preview(o.Asha.Sign(t.Context()), o.Asha, file, nil)
	require.NoError(t, err)
	rows := first.Rows
	_, err = o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, rows[:2], "Statement of Axis", "")
	require.NoError(t, err)
	o.run()
	for _, c := range o.credits() {
		if c.UTR == rows[1].UTR {
			u, err := o.try(o.Asha, c, transfer.UseInput{Kind: transfer.UseDismissal, Key: "dismiss-1"})
			require.NoError(t, err)
			o.approves(o.Ravi, u)
		}
	}
	second, err := o.desk.Preview(o.Asha.Sign(t.Context()), o.Asha, file, nil)
	require.NoError(t, err)
	again := second.Rows
	require.Equal(t, []any{true, false, false, true, false, false}, []any{
		again[0].Known, again[0].Dismissed, again[1].Known, again[1].Dismissed, again[2].Known, again[2].Dismissed,
	})
	_, err = o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, again, "Once more", "")
	require.ErrorIs(t, err, transfer.ErrUTRKnown)
	require.Equal(t, 2, o.Count(`SELECT count(*) FROM bank_credits`), "all or none")
}
