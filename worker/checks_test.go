package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// gauges returns the values of a metric of checks, by check.
func gauges(t *testing.T, m *metrics.Metrics, name string) map[string]float64 {
	t.Helper()
	families, err := m.Registry().Gather()
	require.NoError(t, err)
	values := map[string]float64{}
	for _, f := range families {
		if f.GetName() == name {
			for _, s := range f.GetMetric() {
				values[s.GetLabel()[0].GetValue()] = s.GetGauge().GetValue()
			}
		}
	}
	return values
}

// Given checks that earlier processes ran, when a worker starts, then its metrics report their findings and times, and later the findings
// that staff settled. Otherwise an alert about the ledger would end with the process that found the fault.
func TestLastChecks_WorkerStarts_ReportsStoredFindings(t *testing.T) {
	t.Parallel()
	d, cfg, db := newDeps(t)
	_, err := wire(t.Context(), cfg, d, testkit.NewSilentLogger())
	require.NoError(t, err)
	require.NoError(t, d.checks.tell(t.Context()))
	require.Equal(t, map[string]float64{"books": 0, "settlements": 0}, gauges(t, d.Metrics, "franchise360_check_timestamp_seconds"),
		"what never ended, ended long ago: without a number no alert says that nobody checks")

	at := time.Date(2026, 11, 20, 20, 30, 0, 0, time.UTC)
	gateways := len(cfg.Gateways.Names)
	require.Equal(t, 1, gateways, "each has to be read")
	for _, sql := range []string{
		`INSERT INTO book_checks (id, checked_at, journals, documents, payments, debit_paise, credit_paise, findings)
		 VALUES (uuidv7(), $1::timestamptz - interval '1 day', 1, 1, 1, 1, 1, 0), (uuidv7(), $1, 1, 1, 1, 1, 2, 3)`,
		`INSERT INTO staff_audit_checks (at, entries, head, broken_at, problem) VALUES ($1, 5, '', 4, 'changed')`,
		`INSERT INTO settlement_days (gateway, day, lines, captured_paise, refunded_paise, fee_paise, tax_paise, net_paise, compared_at, judged_at)
		 VALUES ('payu', '2026-11-19', 1, 100, 0, 0, 0, 100, $1, $1), ('retired', '2025-01-01', 1, 100, 0, 0, 0, 100, '2025-01-02', '2025-01-02')`,
		`INSERT INTO settlement_differences (gateway, day, line_id, transaction_id, kind, ours_paise, theirs_paise, opened_at)
		 VALUES ('payu', '2026-11-19', 'L1', 'T1', 'capture_amount', 200, 100, $1)`,
	} {
		_, err := db.Owner.ExecContext(t.Context(), sql, at)
		require.NoError(t, err, sql)
	}
	require.NoError(t, d.checks.tell(t.Context()))
	require.Equal(t, map[string]float64{"books": 3, "audit_trail": 1, "settlements": 1}, gauges(t, d.Metrics, "franchise360_check_findings"))
	when := float64(at.Unix())
	require.Equal(t, map[string]float64{"books": when, "audit_trail": when, "settlements": when}, gauges(t, d.Metrics, "franchise360_check_timestamp_seconds"),
		"that of a gateway that is compared no more does not count")

	_, err = db.Owner.ExecContext(t.Context(), `UPDATE settlement_differences SET cleared_at = opened_at`)
	require.NoError(t, err)
	require.NoError(t, d.checks.tell(t.Context()))
	require.Zero(t, gauges(t, d.Metrics, "franchise360_check_findings")["settlements"])
}
