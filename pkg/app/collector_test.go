package app

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestCollector_Request_IsMeasuredUnderItsGateway(t *testing.T) {
	t.Parallel()
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"items":[]}`)) }))
	t.Cleanup(provider.Close)
	cfg, c := settings(), connections(t)
	cfg.Gateways.Accounts["razorpay"] = config.GatewayAccount{"RAZORPAY_URL": provider.URL, "razorpay-smart-collect": "true"}
	a, err := New(cfg, c, testkit.NewLogger(t))
	require.NoError(t, err)
	_, err = a.Collector.Credits(t.Context(), "va_1", time.Time{})
	require.NoError(t, err)
	families, err := c.Meter().Registry().Gather()
	require.NoError(t, err)
	calls := uint64(0)
	for _, f := range families {
		if f.GetName() != "franchise360_provider_call_seconds" {
			continue
		}
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				if l.GetValue() == "razorpay" {
					calls += m.GetHistogram().GetSampleCount()
				}
			}
		}
	}
	require.EqualValues(t, 1, calls)
}
