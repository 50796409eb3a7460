package figures

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// MaxMonths is how many months are shown at most.
const MaxMonths = 36

// Query chooses months, which begin on the days From and To, and one plan and one State if they are named.
type Query struct {
	From, To  subscription.Day
	PlanID    string
	StateCode string
}

// Month is recurring revenue in one month: its opening, its movements, and its closing.
type Month struct {
	Month        subscription.Day `db:"month"`
	Opening      money.Paise      `db:"opening_paise"`
	New          money.Paise      `db:"new_paise"`
	Expansion    money.Paise      `db:"expansion_paise"`
	Reactivation money.Paise      `db:"reactivation_paise"`
	MovedIn      money.Paise      `db:"moved_in_paise"`
	Contraction  money.Paise      `db:"contraction_paise"`
	Churn        money.Paise      `db:"churn_paise"`
	MovedOut     money.Paise      `db:"moved_out_paise"`
	Closing      money.Paise      `db:"closing_paise"`
	Customers    Customers        `db:""`
}

// Customers are the customers of a month: with a paid term at its beginning, gained, lost, and with one at its end.
type Customers struct {
	Opening     int64 `db:"opening_customers"`
	New         int64 `db:"new_customers"`
	Reactivated int64 `db:"reactivated_customers"`
	MovedIn     int64 `db:"moved_in_customers"`
	Churned     int64 `db:"churned_customers"`
	MovedOut    int64 `db:"moved_out_customers"`
	Closing     int64 `db:"closing_customers"`
}

// Bps is a share in hundredths of a percent; nil if it is a share of nothing.
type Bps = *int64

// share returns part of whole, rounded half away from zero.
func share(part, whole int64) Bps {
	if whole == 0 {
		return nil
	}
	n := (abs(part)*20_000 + whole) / (2 * whole)
	if part < 0 {
		n = -n
	}
	return &n
}

func abs(n int64) int64 { return max(n, -n) }

// CustomerChurn is the share of the opening customers who have no paid term left.
func (m Month) CustomerChurn() Bps { return share(m.Customers.Churned, m.Customers.Opening) }

// GrossChurn is the share of the opening recurring revenue that was lost or became less.
func (m Month) GrossChurn() Bps {
	return share(int64(m.Churn+m.Contraction), int64(m.Opening))
}

// NetChurn is GrossChurn less what opening and returned customers pay more; below zero, it grew.
func (m Month) NetChurn() Bps {
	return share(int64(m.Churn+m.Contraction-m.Expansion-m.Reactivation), int64(m.Opening))
}

// PerCustomer is the recurring revenue of a customer on average at the month's end; nil without customers.
func (m Month) PerCustomer() *money.Paise {
	if m.Customers.Closing == 0 {
		return nil
	}
	average := money.Paise((2*int64(m.Closing) + m.Customers.Closing) / (2 * m.Customers.Closing))
	return &average
}

// Trials are the trials that started in a month.
type Trials struct {
	Month     subscription.Day `db:"month"`
	Started   int64            `db:"started"`
	Converted int64            `db:"converted"`
	Undecided int64            `db:"undecided"`
}

// Conversion is the share of the decided trials that converted.
func (t Trials) Conversion() Bps { return share(t.Converted, t.Started-t.Undecided) }

// Failures are the payments that failed first in a month, at a checkout or as debits by mandate.
type Failures struct {
	Month           subscription.Day `db:"month"`
	ByMandate       bool             `db:"by_mandate"`
	Failed          int64            `db:"failed"`
	Recovered       int64            `db:"recovered"`
	Undecided       int64            `db:"undecided"`
	FailedAmount    money.Paise      `db:"failed_paise"`
	RecoveredAmount money.Paise      `db:"recovered_paise"`
}

// Recovery is the share of the decided failures that were recovered.
func (f Failures) Recovery() Bps { return share(f.Recovered, f.Failed-f.Undecided) }

// Codes are the one-time codes of a month, for one purpose and by one provider.
type Codes struct {
	Month     subscription.Day `db:"month"`
	Purpose   string           `db:"purpose"`
	Provider  string           `db:"provider"`
	Asked     int64            `db:"asked"`
	Sent      int64            `db:"sent"`
	Delivered int64            `db:"delivered"`
	Failed    int64            `db:"failed"`
	Used      int64            `db:"used"`
}

// Delivery is the share of codes that the provider reports as delivered; Usage is the share that was typed in.
func (c Codes) Delivery() Bps { return share(c.Delivered, c.Asked) }

// Usage is the share of the codes that were typed in.
func (c Codes) Usage() Bps { return share(c.Used, c.Asked) }

// Cell is a cohort at the end of a month: the cohort's month, the number of months since, and the remaining customers and revenue.
type Cell struct {
	Cohort    subscription.Day `db:"cohort"`
	After     int              `db:"after"`
	Started   int64            `db:"started"`
	Customers int64            `db:"customers"`
	MRR       money.Paise      `db:"mrr_paise"`
}

// Choice is a plan or State by which the figures can be limited.
type Choice struct {
	ID   string `db:"id"`
	Name string `db:"name"`
}

// Shown are the figures of some months, oldest first. AsOf is the day up to which the running month counts, 0 before the first count.
type Shown struct {
	AsOf     subscription.Day
	Counted  time.Time
	Differs  int // how many stored figures differed from the rows at the latest count; they were recounted
	Months   []Month
	Trials   []Trials
	Failures []Failures
	Codes    []Codes
	Cohorts  []Cell
	Plans    []Choice
	States   []string
}

// Reports shows staff the kept figures. It runs with the API's role, under the proof of a member of staff.
type Reports struct{ db *sqlx.DB }

// NewReports returns the reports on the API's pool.
func NewReports(db *sqlx.DB) *Reports { return wiring.Complete(&Reports{db: db}) }

const (
	chosen = ` AND ($3 = '' OR plan_id = nullif($3, '')::uuid) AND ($4 = '' OR state_code = $4)`

	runSQL    = `SELECT ran_at, as_of, findings FROM figure_runs ORDER BY ran_at DESC, id DESC LIMIT 1`
	monthsSQL = `SELECT month, sum(opening_paise)::bigint AS opening_paise, sum(new_paise)::bigint AS new_paise,
			sum(expansion_paise)::bigint AS expansion_paise, sum(reactivation_paise)::bigint AS reactivation_paise,
			sum(moved_in_paise)::bigint AS moved_in_paise, sum(contraction_paise)::bigint AS contraction_paise,
			sum(churn_paise)::bigint AS churn_paise, sum(moved_out_paise)::bigint AS moved_out_paise, sum(closing_paise)::bigint AS closing_paise,
			sum(opening_customers)::bigint AS opening_customers, sum(new_customers)::bigint AS new_customers,
			sum(reactivated_customers)::bigint AS reactivated_customers, sum(moved_in_customers)::bigint AS moved_in_customers,
			sum(churned_customers)::bigint AS churned_customers, sum(moved_out_customers)::bigint AS moved_out_customers,
			sum(closing_customers)::bigint AS closing_customers
		FROM figure_months WHERE month BETWEEN $1 AND $2` + chosen + ` GROUP BY month ORDER BY month`
	trialsSQL   = `SELECT month, started, converted, undecided FROM figure_trials WHERE month BETWEEN $1 AND $2 ORDER BY month`
	failuresSQL = `SELECT month, by_mandate, sum(failed)::bigint AS failed, sum(recovered)::bigint AS recovered, sum(undecided)::bigint AS undecided,
			sum(failed_paise)::bigint AS failed_paise, sum(recovered_paise)::bigint AS recovered_paise
		FROM figure_failures WHERE month BETWEEN $1 AND $2` + chosen + ` GROUP BY month, by_mandate ORDER BY month, by_mandate`
	codesSQL = `SELECT date_trunc('month', day::timestamp)::date AS month, purpose, provider, sum(asked)::bigint AS asked, sum(sent)::bigint AS sent,
			sum(delivered)::bigint AS delivered, sum(failed)::bigint AS failed, sum(used)::bigint AS used
		FROM figure_codes WHERE day >= $1 AND day < ($2::date + interval '1 month') GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`
	cohortsSQL = `SELECT cohort, ((extract(year FROM month) - extract(year FROM cohort)) * 12 + extract(month FROM month) - extract(month FROM cohort))::int AS after,
			sum(started)::bigint AS started, sum(customers)::bigint AS customers, sum(mrr_paise)::bigint AS mrr_paise
		FROM figure_cohorts WHERE cohort BETWEEN $1 AND $2 AND month BETWEEN $1 AND $2` + chosen + ` GROUP BY cohort, month ORDER BY cohort, month`
	plansSQL  = `SELECT id, name FROM plan_overview ORDER BY id`
	statesSQL = `SELECT DISTINCT state_code FROM figure_months WHERE month BETWEEN $1 AND $2 AND state_code <> '' ORDER BY state_code`
)

// Show returns the figures of the months, all of one count.
func (r *Reports) Show(ctx context.Context, q Query) (s Shown, err error) {
	err = postgres.InSnapshot(ctx, r.db, func(tx *sqlx.Tx) error {
		if err := lastShownTx(ctx, tx, &s); err != nil || s.AsOf == 0 {
			return err
		}
		limited := []any{q.From, q.To, q.PlanID, q.StateCode}
		for _, one := range []struct {
			to    any
			query string
			args  []any
		}{
			{&s.Months, monthsSQL, limited},
			{&s.Trials, trialsSQL, limited[:2]},
			{&s.Failures, failuresSQL, limited},
			{&s.Codes, codesSQL, limited[:2]},
			{&s.Cohorts, cohortsSQL, limited},
			{&s.Plans, plansSQL, nil},
			{&s.States, statesSQL, limited[:2]},
		} {
			if err := tx.SelectContext(ctx, one.to, one.query, one.args...); err != nil {
				return fmt.Errorf("read figures: %w", err)
			}
		}
		return nil
	})
	return s, err
}

func lastShownTx(ctx context.Context, tx *sqlx.Tx, s *Shown) error {
	var runs []struct {
		At       time.Time        `db:"ran_at"`
		AsOf     subscription.Day `db:"as_of"`
		Findings int              `db:"findings"`
	}
	if err := tx.SelectContext(ctx, &runs, runSQL); err != nil {
		return fmt.Errorf("read the last count: %w", err)
	}
	if len(runs) > 0 {
		s.AsOf, s.Counted, s.Differs = runs[0].AsOf, runs[0].At, runs[0].Findings
	}
	return nil
}
