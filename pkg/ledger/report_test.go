package ledger_test

import (
	"errors"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

var errNotRecorded = errors.New("nobody writes it down")

func TestProfitAndLoss_CapturesUnsettledAtMonthEnd_AreReportedWithEstimatedFees(t *testing.T) {
	t.Parallel()
	b := setup(t)
	meera, err := member.Add(t.Context(), b.db.Owner, "meera", staff.RoleFinance, b.clock.Now())
	require.NoError(t, err)
	entry := func(reference string, e ledger.Entry, at time.Time) ledger.Entry {
		e.FranchiserID, e.PaymentID, e.InvoiceID, e.Reference, e.PostedAt = b.asha, "", "", reference, at
		return e
	}
	at := time.Date(2026, time.November, 30, 18, 0, 0, 0, time.UTC)
	require.NoError(t, b.post(b.asha, entry("c1", ledger.Capture(moved(1_000_00)), at), entry("c2", ledger.Capture(moved(2_000_00)), at)))
	reports := ledger.NewReports(b.db.API, forgetful{})
	november, january := subscription.NewDay(2026, 11, 1), subscription.NewDay(2027, 1, 1)
	unsettled := func() []ledger.Unsettled {
		p, err := reports.ProfitAndLoss(meera.Sign(t.Context()), november, january)
		require.NoError(t, err)
		return p.Unsettled
	}
	require.Equal(t, []ledger.Unsettled{{Captured: 3_000_00}, {Captured: 3_000_00}, {Captured: 3_000_00}}, unsettled(), "no settlement tells the rate")

	require.NoError(t, b.post(b.asha, entry("s1", ledger.Settlement(moved(1_000_00), 20_00, 3_60), at.AddDate(0, 0, 2))))
	fees := func(p money.Paise) *money.Paise { return &p }
	require.Equal(t, []ledger.Unsettled{{3_000_00, fees(60_00)}, {2_000_00, fees(40_00)}, {2_000_00, fees(40_00)}}, unsettled())
}

// Entries in the last second of a month in India, and in the first second of the next, are in their own month in each report: the trial
// balance of a day, income and expenses by month, a customer's statement, and the exports for returns and accounting software. Only staff
// read everybody's books.
func TestReports_EachOne_EndsAtMidnightInIndia(t *testing.T) {
	t.Parallel()
	b := setup(t)
	meera, err := member.Add(t.Context(), b.db.Owner, "meera", staff.RoleFinance, b.clock.Now())
	require.NoError(t, err)
	signed := meera.Sign(t.Context())
	last := time.Date(2026, time.November, 30, 18, 29, 59, 0, time.UTC) // 23:59:59 in India
	first := last.Add(time.Second)
	entry := func(franchiser, reference string, e ledger.Entry, at time.Time) ledger.Entry {
		e.FranchiserID, e.PaymentID, e.InvoiceID, e.Reference, e.PostedAt = franchiser, "", "", reference, at
		return e
	}
	require.NoError(t, b.post(b.asha,
		entry(b.asha, "s1", ledger.Sale(document(t, "29", 1_000_00)), last),
		entry(b.asha, "s2", ledger.Sale(document(t, "29", 2_000_00)), first),
		entry(b.asha, "n1", ledger.CreditNote(document(t, "29", 500_00)), first.Add(24*time.Hour)),
		entry(b.asha, "c1", ledger.Capture(moved(1_180_00)), first.Add(48*time.Hour)),
	))
	require.NoError(t, b.post(b.ravi, entry(b.ravi, "x1", ledger.ExtraCapture(moved(7_00)), first)))
	for reference, at := range map[string]time.Time{"payu/A1": last.AddDate(0, 1, 1), "payu/A2": first.AddDate(0, 1, 1)} {
		require.NoError(t, postgres.InTx(t.Context(), b.db.Worker, func(tx *sqlx.Tx) error {
			return b.audit.PostTx(t.Context(), tx, ledger.AdjustmentSettlement(ledger.Movement{Reference: reference, At: at}, 100_00, 18_00))
		}))
	}
	reports := ledger.NewReports(b.db.API, forgetful{})
	november, december, january := subscription.NewDay(2026, 11, 1), subscription.NewDay(2026, 12, 1), subscription.NewDay(2027, 1, 1)

	for day, want := range map[subscription.Day][3]money.Paise{ // receivable, revenue, fees
		december - 2: {0, 0, 0}, december - 1: {1_180_00, 1_000_00, 0}, december: {3_540_00, 3_000_00, 0}, december + 2: {2_360_00, 3_000_00, 0},
		january - 1: {2_360_00, 3_000_00, 100_00}, january: {2_360_00, 3_000_00, 200_00},
	} {
		balances, err := reports.At(signed, day)
		require.NoError(t, err)
		nets := map[ledger.Account]money.Paise{}
		var debit, credit money.Paise
		for _, one := range balances {
			nets[one.Account], debit, credit = one.Net(), debit+one.Debit, credit+one.Credit
		}
		require.Equal(t, want, [3]money.Paise{nets[ledger.AccountReceivable], nets[ledger.AccountRevenue], nets[ledger.AccountFees]}, day)
		require.Equal(t, debit, credit, day)
	}
	_, err = reports.At(t.Context(), december)
	require.Error(t, err, "nobody but staff")

	p, err := reports.ProfitAndLoss(signed, november, january)
	require.NoError(t, err)
	require.Equal(t, []subscription.Day{november, december, january}, p.Months)
	rows := map[ledger.Account][]money.Paise{}
	expenses := false
	for _, r := range p.Rows {
		rows[r.Account] = r.Months
		require.False(t, expenses && r.Type == "income", "income stands before expenses")
		expenses = expenses || r.Type == "expense"
	}
	require.Equal(t, map[ledger.Account][]money.Paise{
		ledger.AccountRevenue: {1_000_00, 2_000_00, 0}, ledger.AccountRefunds: {0, -500_00, 0}, ledger.AccountFees: {0, 100_00, 100_00},
	}, rows, "taxes, banks and customers are no income")
	require.Equal(t, [][]money.Paise{{1_000_00, 1_500_00, 0}, {0, 100_00, 100_00}, {1_000_00, 1_400_00, -100_00}}, [][]money.Paise{p.Income, p.Expenses, p.Result})

	s, err := reports.Statement(signed, b.asha, december, december+30)
	require.NoError(t, err)
	require.Equal(t, []money.Paise{1_180_00, 1_770_00}, []money.Paise{s.Opening, s.Closing})
	var lines [][3]money.Paise
	for _, l := range s.Lines {
		lines = append(lines, [3]money.Paise{l.Charge, l.Credit, l.Balance})
	}
	require.Equal(t, [][3]money.Paise{{2_360_00, 0, 3_540_00}, {0, 590_00, 2_950_00}, {0, 1_180_00, 1_770_00}}, lines)
	s, err = reports.Statement(signed, b.asha, november, december-1)
	require.NoError(t, err)
	require.Equal(t, []any{money.Paise(0), money.Paise(1_180_00), 1}, []any{s.Opening, s.Closing, len(s.Lines)})
	s, err = reports.Statement(signed, b.ravi, november, january)
	require.NoError(t, err)
	require.Equal(t, money.Paise(-7_00), s.Closing, "we owe them")
	_, err = reports.Statement(signed, id.New(), november, january)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	_, err = ledger.NewReports(b.db.API, forgetful{errNotRecorded}).TakeStatement(signed, meera, b.asha, november, january)
	require.ErrorIs(t, err, errNotRecorded, "what is not recorded is not taken out")

	require.NoError(t, postgres.InTx(signed, b.db.API, func(tx *sqlx.Tx) error {
		lines, err := ledger.EntriesTx(t.Context(), tx, december.Start(), january.Start())
		require.NoError(t, err)
		var kinds []ledger.Kind
		journal := ""
		for _, l := range lines {
			if l.JournalID != journal {
				journal, kinds = l.JournalID, append(kinds, l.Kind)
			}
		}
		require.ElementsMatch(t, []ledger.Kind{ledger.KindSale, ledger.KindExtraCapture, ledger.KindCreditNote, ledger.KindCapture, ledger.KindAdjustment}, kinds)
		sales, err := ledger.SalesTx(t.Context(), tx, december.Start(), january.Start())
		require.NoError(t, err)
		require.Equal(t, ledger.Sales{Journals: 2, Value: 1_500_00, IGST: 270_00}, sales, "less the note, and without what is no sale")
		for window, want := range map[[2]subscription.Day][]string{{november, december}: {b.asha}, {december, january}: {b.ravi}, {january, january + 31}: {}} {
			customers, err := ledger.CustomersTx(t.Context(), tx, window[0].Start(), window[1].Start())
			require.NoError(t, err)
			require.ElementsMatch(t, want, customers, "whose first entry is dated in it")
		}
		deferred, err := ledger.DeferredTx(t.Context(), tx)
		require.NoError(t, err)
		require.Empty(t, deferred)
		return nil
	}))
}
