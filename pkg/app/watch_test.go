package app

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// told returns every metric series by name and labels, with its value or number of observations.
func told(t *testing.T, m *metrics.Metrics) map[string]float64 {
	t.Helper()
	families, err := m.Registry().Gather()
	require.NoError(t, err)
	series := map[string]float64{}
	for _, f := range families {
		for _, one := range f.GetMetric() {
			name := f.GetName()
			for _, l := range one.GetLabel() {
				name += " " + l.GetName() + "=" + l.GetValue()
			}
			series[name] = one.GetGauge().GetValue() + one.GetCounter().GetValue() + float64(one.GetHistogram().GetSampleCount())
		}
	}
	return series
}

// A process that measures the queues shows the state of the queues, its database queries, and its pool; even without a worker.
func TestMetrics_ShowQueuesPoolsAndQueries(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	cfg := settings()
	cfg.DatabaseURL, cfg.DatabasePool, cfg.Keys, cfg.Development = db.DSN(testkit.RoleAPI), 3, testkit.NewKeyring(t), false
	c, err := process.Connect(t.Context(), cfg, postgres.Serving, testkit.NewLogger(t))
	require.NoError(t, err)
	t.Cleanup(c.Close)
	_, err = db.Owner.Exec(`
		INSERT INTO river_queue (name, created_at, updated_at, metadata, paused_at) VALUES ('documents', now(), now(), '{}', now());
		INSERT INTO river_job (kind, args, queue, state, max_attempts, scheduled_at)
			VALUES ('send_otp', '{}', 'otp', 'available', 3, now() - interval '90 seconds');
		INSERT INTO river_job (kind, args, queue, state, max_attempts, finalized_at)
			VALUES ('verify_payment', '{}', 'payments', 'discarded', 3, now());
		INSERT INTO sms_providers (provider, failures, fault, open_until) VALUES
			('msg91', 4, 'unavailable', now()), ('smtp', 3, 'unavailable', now())`)
	require.NoError(t, err)
	require.NoError(t, watchQueues(t.Context(), c))
	series := told(t, c.Meter())
	require.InDelta(t, 1, series["franchise360_queue_depth queue=otp"], 0)
	require.InDelta(t, 90, series["franchise360_queue_oldest_seconds queue=otp"], 30)
	require.InDelta(t, 1, series["franchise360_queue_paused queue=documents"], 0)
	require.InDelta(t, 1, series["franchise360_queue_failed queue=payments"], 0)
	require.InDelta(t, 1, series["franchise360_circuit_open dependency=sms_msg91"], 0)
	require.InDelta(t, 1, series["franchise360_circuit_open dependency=mail_server"], 0)
	require.NotContains(t, series, "franchise360_circuit_open dependency=sms_smtp", "a mail server sends no SMS")
	require.Contains(t, series, "franchise360_workers")
	require.Zero(t, series["franchise360_workers"])
	require.InDelta(t, float64(time.Now().Unix()), series["franchise360_queues_measured_timestamp_seconds"], 60) //nolint:forbidigo // Prometheus runs on the machine's time
	require.Positive(t, series["franchise360_query_seconds class=with outcome=ok"])
	require.Positive(t, series["franchise360_query_seconds class=begin outcome=ok"])
	require.InDelta(t, 3, series["franchise360_pool_most pool=services"], 0)
	require.Positive(t, series["franchise360_pool_connections pool=services state=idle"])

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, watchQueues(gone, c))
	measured := series["franchise360_queues_measured_timestamp_seconds"]
	require.InDelta(t, measured, told(t, c.Meter())["franchise360_queues_measured_timestamp_seconds"], 0, "what could not be measured looks old")
}
