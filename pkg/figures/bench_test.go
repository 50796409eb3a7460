package figures_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// keys are four plans, two billing periods and 36 States: a row each and month, whatever the number of customers. A million customers
// are some 3,500 in each.
const keys = `plans p, (VALUES ('monthly'), ('yearly')) t(plan_type), (SELECT lpad(s::text, 2, '0') AS state_code FROM generate_series(1, 36) s) s`

func fillMillion() []string {
	return []string{
		`INSERT INTO figure_months SELECT m::date, p.id, t.plan_type, s.state_code, 4000000000, 100000000, 10000000, 1000000, 0, 1000000, 10000000, 0, 4100000000,
			3450, 80, 5, 0, 60, 0, 3475 FROM generate_series(timestamp '2024-01-01', '2026-11-01', '1 month') m, ` + keys,
		`INSERT INTO figure_cohorts SELECT c::date, m::date, p.id, s.state_code, CASE WHEN m = c THEN 80 ELSE 0 END, 70, 90000000
			FROM generate_series(timestamp '2024-01-01', '2026-11-01', '1 month') c, generate_series(c, '2026-11-01', '1 month') m, ` + keys + ` WHERE t.plan_type = 'monthly'`,
		`INSERT INTO figure_failures SELECT m::date, p.id, t.plan_type, s.state_code, b, 300, 200, 10, 400000000, 300000000, 10000000
			FROM generate_series(timestamp '2024-01-01', '2026-11-01', '1 month') m, (VALUES (true), (false)) x(b), ` + keys,
		`INSERT INTO figure_trials SELECT m::date, 30000, 9000, 100 FROM generate_series(timestamp '2024-01-01', '2026-11-01', '1 month') m`,
		`INSERT INTO figure_codes SELECT d::date, p, v, 900, 890, 870, 20, 800 FROM generate_series(timestamp '2024-01-01', '2026-11-02', '1 day') d,
			(VALUES ('sign_up'), ('password_reset'), ('change_mobile'), ('change_email'), ('erasure')) x(p), (VALUES ('msg91'), ('twilio')) y(v)`,
		`INSERT INTO figure_runs (id, ran_at, as_of, from_month, findings) VALUES (uuidv7(), '2026-11-02', '2026-11-02', '2026-11-01', 0)`,
		`ANALYZE figure_months`, `ANALYZE figure_cohorts`, `ANALYZE figure_failures`, `ANALYZE figure_codes`,
	}
}

// BenchmarkAMillionCustomers reads all figures as the screen does, and reports the least and the 95th percentile in milliseconds: of twelve months, of
// 34, are the most, and of one plan in one State.
func BenchmarkAMillionCustomers(b *testing.B) {
	w := story.New(b)
	for _, statement := range fillMillion() {
		_, err := w.DB.Owner.Exec(statement)
		require.NoError(b, err)
	}
	last := w.Today().AddMonths(0, 1)
	reports, ctx := figures.NewReports(w.DB.API), w.Asha.Sign(b.Context())
	for name, q := range map[string]figures.Query{
		"12 months": {From: last.AddMonths(-11, 1), To: last},
		"34 months": {From: last.AddMonths(-33, 1), To: last},
		"one plan and State": {
			From: last.AddMonths(-33, 1), To: last, PlanID: w.Text(`SELECT id FROM plans LIMIT 1`), StateCode: "29",
		},
	} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				began := time.Now() //nolint:forbidigo // the time that a read takes
				s, err := reports.Show(ctx, q)
				took = append(took, time.Since(began))
				require.NoError(b, err)
				require.NotEmpty(b, s.Cohorts)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[0].Microseconds())/1000, "least-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}
