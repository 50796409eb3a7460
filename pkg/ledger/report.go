package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Reports sums the books for staff. It runs with the API's role; the database hands sums out under the proof of a member of staff.
type Reports struct {
	db       *sqlx.DB
	recorder Recorder
}

// NewReports returns the reports on the API's pool; the recorder logs downloads.
func NewReports(db *sqlx.DB, recorder Recorder) *Reports {
	return wiring.Complete(&Reports{db: db, recorder: recorder})
}

// At returns the balance of every account when a day ends: the trial balance of that day.
func (r *Reports) At(ctx context.Context, day subscription.Day) ([]Balance, error) {
	var balances []Balance
	err := postgres.InTx(ctx, r.db, func(tx *sqlx.Tx) (err error) {
		balances, err = BalancesTx(ctx, tx, (day + 1).Start())
		return err
	})
	return balances, err
}

// Result is the amount of an account of income or expense in each month; an expense is positive if it costs money.
type Result struct {
	Account Account
	Name    string
	Type    string
	Months  []money.Paise
}

// ProfitAndLoss is income and expenses of consecutive months. Income, Expenses and Result have the sums of each month, and Unsettled what
// gateways had not settled at its end: its fees are booked on settlement, so no month has them yet.
type ProfitAndLoss struct {
	Months                   []subscription.Day
	Rows                     []Result
	Income, Expenses, Result []money.Paise
	Unsettled                []Unsettled
}

// Unsettled is what gateways had captured and not settled when a month ended.
type Unsettled struct {
	Captured money.Paise
	// Fees estimates the gateways' fees for it, before tax, at the rate of their settlements from two months before until the month after;
	// nil without settlements in that time.
	Fees *money.Paise
}

// monthSettled is a row of unsettled_by_month.
type monthSettled struct {
	Month     subscription.Day `db:"month"`
	Unsettled money.Paise      `db:"unsettled_paise"`
	Settled   money.Paise      `db:"settled_paise"`
	Fees      money.Paise      `db:"fees_paise"`
}

// unsettledAt computes the captures not yet settled when the month ended, from the months with entries, oldest first.
func unsettledAt(month subscription.Day, months []monthSettled) Unsettled {
	var u Unsettled
	var settled, fees money.Paise
	for _, m := range months {
		if m.Month <= month {
			u.Captured = max(m.Unsettled, 0)
		}
		if m.Month >= month.AddMonths(-2, 1) && m.Month <= month.AddMonths(1, 1) {
			settled, fees = settled+m.Settled, fees+m.Fees
		}
	}
	if settled > 0 {
		estimate := u.Captured.Prorate(int64(fees), int64(settled))
		u.Fees = &estimate
	}
	return u
}

// ProfitAndLoss returns the statement of the months from the one that starts on first to the one that starts on last.
func (r *Reports) ProfitAndLoss(ctx context.Context, first, last subscription.Day) (ProfitAndLoss, error) {
	var rows []struct {
		Balance

		Month subscription.Day `db:"month"`
	}
	var settled []monthSettled
	err := postgres.InTx(ctx, r.db, func(tx *sqlx.Tx) error {
		err := tx.SelectContext(ctx, &settled, `SELECT month, unsettled_paise, settled_paise, fees_paise FROM unsettled_by_month($1)`,
			last.AddMonths(2, 1).Start())
		if err != nil {
			return fmt.Errorf("sum what gateways have not settled: %w", err)
		}
		err = tx.SelectContext(ctx, &rows, `SELECT month, account, name, type, debit_paise, credit_paise FROM books_by_month($1, $2)`,
			first.Start(), last.AddMonths(1, 1).Start())
		if err != nil {
			return fmt.Errorf("sum the books by month: %w", err)
		}
		return nil
	})
	if err != nil {
		return ProfitAndLoss{}, err
	}
	var p ProfitAndLoss
	for month := first; month <= last; month = month.AddMonths(1, 1) {
		p.Months = append(p.Months, month)
		p.Unsettled = append(p.Unsettled, unsettledAt(month, settled))
	}
	n := len(p.Months)
	p.Income, p.Expenses, p.Result = make([]money.Paise, n), make([]money.Paise, n), make([]money.Paise, n)
	for _, row := range rows {
		at := slices.Index(p.Months, row.Month)
		if len(p.Rows) == 0 || p.Rows[len(p.Rows)-1].Account != row.Account {
			p.Rows = append(p.Rows, Result{Account: row.Account, Name: row.Name, Type: row.Type, Months: make([]money.Paise, n)})
		}
		p.Rows[len(p.Rows)-1].Months[at] = row.Net()
		p.Result[at] += row.Credit - row.Debit
		if row.Type == "income" {
			p.Income[at] += row.Net()
		} else {
			p.Expenses[at] += row.Net()
		}
	}
	// Income comes before expenses.
	slices.SortStableFunc(p.Rows, func(a, b Result) int { return strings.Compare(b.Type, a.Type) })
	return p, nil
}

// MonthEnd is the balance of an account at the end of the month that begins on Month.
type MonthEnd struct {
	Month   subscription.Day `db:"month"`
	Balance money.Paise      `db:"balance_paise"`
}

// DeferredTx returns deferred revenue at the end of each month that has entries, oldest first, by when they happened. The transaction has
// to carry the proof of a member of staff.
func DeferredTx(ctx context.Context, tx *sqlx.Tx) ([]MonthEnd, error) {
	var list []MonthEnd
	if err := tx.SelectContext(ctx, &list, `SELECT month, balance_paise FROM own_account_by_month($1)`, AccountDeferredRevenue); err != nil {
		return nil, fmt.Errorf("read deferred revenue by month: %w", err)
	}
	return list, nil
}

// StatementLine is an entry on a customer's account: Charge is added to the customer's debt, Credit is subtracted from it. Balance is the
// debt after the entry, negative if we owe the customer.
type StatementLine struct {
	At          time.Time   `db:"posted_at"`
	Kind        Kind        `db:"kind"`
	Description string      `db:"description"`
	PaymentID   string      `db:"payment_id"`
	Charge      money.Paise `db:"charge_paise"`
	Credit      money.Paise `db:"credit_paise"`
	Balance     money.Paise `db:"balance_paise"`
}

// Statement is a customer's account of a time.
type Statement struct {
	Opening, Closing money.Paise
	Lines            []StatementLine
}

// What a customer owes and is owed: the accounts of the customer's own.
const statementSQL = `
	SELECT posted_at, kind, description, payment_id, charge_paise, credit_paise, balance_paise FROM (
		SELECT j.posted_at, j.kind, j.description, coalesce(j.payment_id::text, '') AS payment_id,
			greatest(s.paise, 0)::bigint AS charge_paise, greatest(-s.paise, 0)::bigint AS credit_paise,
			(sum(s.paise) OVER (ORDER BY j.posted_at, j.id))::bigint AS balance_paise, j.id
		FROM ledger_journals j CROSS JOIN LATERAL (SELECT sum(l.debit_paise - l.credit_paise) AS paise FROM ledger_lines l
			WHERE l.franchiser_id = j.franchiser_id AND l.journal_id = j.id AND l.account IN ('receivable', 'customer_credit', 'held_payments')) s
		WHERE j.franchiser_id = $1 AND j.posted_at < $2 AND s.paise <> 0) e
	ORDER BY posted_at, id`

// Statement returns the customer's account from the first to the last day. The opening balance is that of the day
// before. It returns KindNotFound if there is no such customer.
func (r *Reports) Statement(ctx context.Context, franchiserID string, first, last subscription.Day) (Statement, error) {
	var rows []StatementLine
	err := postgres.InTenantTx(ctx, r.db, franchiserID, func(tx *sqlx.Tx) error {
		if err := tx.SelectContext(ctx, &rows, statementSQL, franchiserID, (last + 1).Start()); err != nil {
			return fmt.Errorf("read statement of account: %w", err)
		}
		if len(rows) > 0 {
			return nil
		}
		_, err := account.ReachTx(ctx, tx, franchiserID)
		return err
	})
	var s Statement
	for _, row := range rows {
		row.At = row.At.UTC()
		s.Closing = row.Balance
		if row.At.Before(first.Start()) {
			s.Opening = row.Balance
		} else {
			s.Lines = append(s.Lines, row)
		}
	}
	return s, err
}

// TakeStatement is Statement for a file, and records who took it.
func (r *Reports) TakeStatement(ctx context.Context, p staff.Principal, franchiserID string, first, last subscription.Day) (Statement, error) {
	s, err := r.Statement(ctx, franchiserID, first, last)
	if err != nil {
		return s, err
	}
	return s, postgres.InTx(ctx, r.db, func(tx *sqlx.Tx) error {
		return r.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "take_statement", Target: "customer:" + franchiserID, FranchiserRef: &franchiserID,
			Reason: "Statement of account from " + first.String() + " to " + last.String(), After: staff.JSON(map[string]any{"lines": len(s.Lines)}),
		})
	})
}
