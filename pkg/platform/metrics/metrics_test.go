package metrics_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/metrics"
)

// shown returns the values of a metric family in a scrape, by labels: a value, or the count of a histogram.
func shown(t *testing.T, m *metrics.Metrics, name string) map[string]float64 {
	t.Helper()
	families, err := m.Registry().Gather()
	require.NoError(t, err)
	found := map[string]float64{}
	for _, f := range families {
		if f.GetName() != "franchise360_"+name {
			continue
		}
		for _, one := range f.GetMetric() {
			labels := make([]string, 0, len(one.GetLabel()))
			for _, l := range one.GetLabel() {
				labels = append(labels, l.GetName()+"="+l.GetValue())
			}
			// one of the three is set; the others are nil and read as zero
			found[strings.Join(labels, " ")] = one.GetGauge().GetValue() + one.GetCounter().GetValue() + float64(one.GetHistogram().GetSampleCount())
		}
	}
	return found
}

// For any request the number of labels stays limited, because each label is kept for the life of the process.
func TestRequest_AnyMethodOrStatus_HasAKnownLabel(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		method string
		status int
		busy   bool
		want   string
	}{
		{"GET", 200, false, "method=GET route=/x status=2xx"},
		{"PATCH", 299, false, "method=PATCH route=/x status=2xx"},
		{"HEAD", 301, false, "method=HEAD route=/x status=3xx"},
		{"OPTIONS", 404, false, "method=OPTIONS route=/x status=4xx"},
		{"DELETE", 599, false, "method=DELETE route=/x status=5xx"},
		{"PUT", 100, false, "method=PUT route=/x status=1xx"},
		{"POST", 503, true, "method=POST route=/x status=busy"},
		{"POST", 503, false, "method=POST route=/x status=5xx"},
		{"GET", 0, false, "method=GET route=/x status=other"},
		{"GET", 99, false, "method=GET route=/x status=other"},
		{"GET", 600, false, "method=GET route=/x status=other"},
		{"get", 200, false, "method=other route=/x status=2xx"},
		{"PROPFIND", 405, false, "method=other route=/x status=4xx"},
		{"", 400, false, "method=other route=/x status=4xx"},
	} {
		m := metrics.New()
		m.Began()("/x", tc.method, tc.status, tc.busy, time.Millisecond)
		require.Equal(t, map[string]float64{tc.want: 1}, shown(t, m, "http_request_seconds"))
	}
}

func TestRequestsInFlight_CountUnansweredRequests(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	first, second := m.Began(), m.Began()
	require.Equal(t, map[string]float64{"": 2}, shown(t, m, "http_requests_in_flight"))
	require.Empty(t, shown(t, m, "http_request_seconds"))
	first("/x", "GET", 200, false, time.Second)
	require.Equal(t, map[string]float64{"": 1}, shown(t, m, "http_requests_in_flight"))
	second("/x", "GET", 200, false, time.Second)
	require.Equal(t, map[string]float64{"": 0}, shown(t, m, "http_requests_in_flight"))
}

// A statement in any layout is counted by its first word; its whole text would make a separate label.
func TestStatement_IsCountedByItsFirstWord(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]string{
		"SELECT 1":                             "select",
		"\n\t\tSELECT id FROM outlets":         "select",
		"SELECT\n\t\tid\n\tFROM outlets":       "select",
		"select\tid from outlets":              "select",
		"(SELECT 1) UNION (SELECT 2)":          "select",
		"SELECT(1)":                            "select",
		"WITH found AS (SELECT 1) SELECT 2":    "with",
		"WITH\r\n found AS (SELECT 1) DELETE":  "with",
		"INSERT INTO outlets (id) VALUES ($1)": "insert",
		"Update outlets SET name = $1":         "update",
		"DELETE FROM outlets":                  "delete",
		"begin":                                "begin",
		"BEGIN;":                               "begin",
		"begin read only":                      "begin",
		"commit":                               "commit",
		"rollback;\n":                          "rollback",
		"ROLLBACK TO SAVEPOINT sp_1":           "rollback",
		"LOCK TABLE staff":                     "other",
		"selection":                            "other",
		"-- SELECT":                            "other",
		"":                                     "other",
		" \n;":                                 "other",
	} {
		m := metrics.New()
		m.Query(statement, time.Millisecond, nil)
		m.Query(statement, time.Millisecond, errors.New("refused"))
		m.Query(statement, time.Millisecond, errors.New("refused"))
		require.Equal(t, map[string]float64{"class=" + want + " outcome=ok": 1, "class=" + want + " outcome=failed": 2},
			shown(t, m, "query_seconds"), "%q", statement)
	}
}

// A removed queue is no longer shown: its last depth would raise alerts forever.
func TestQueues_RemovedQueue_IsNotShown(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	at := time.Date(2026, time.November, 2, 4, 30, 0, 0, time.UTC)
	m.Queues([]metrics.Queue{
		{Name: "default", Depth: 3, Failed: 1, Oldest: 90 * time.Second, Paused: true}, {Name: "old", Depth: 9, Failed: 9, Oldest: time.Hour},
	}, 2, at)
	require.Equal(t, map[string]float64{"queue=default": 3, "queue=old": 9}, shown(t, m, "queue_depth"))
	require.Equal(t, map[string]float64{"queue=default": 1, "queue=old": 0}, shown(t, m, "queue_paused"))
	m.Queues([]metrics.Queue{{Name: "default", Depth: 1, Failed: 2, Oldest: time.Minute}}, 0, at.Add(time.Minute))
	for family, want := range map[string]map[string]float64{
		"queue_depth": {"queue=default": 1}, "queue_failed": {"queue=default": 2}, "queue_oldest_seconds": {"queue=default": 60},
		"queue_paused": {"queue=default": 0}, "workers": {"": 0}, "queues_measured_timestamp_seconds": {"": float64(at.Unix() + 60)},
	} {
		require.Equal(t, want, shown(t, m, family), family)
	}
}

// The counters of a gateway's payments exist from the start: the first held payment has to raise an alert.
func TestGateway_Counters_StartAtZero(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	m.Gateway("ccavenue")
	want := map[string]float64{}
	for _, outcome := range []string{"paid", "given_back", "held", "failed", "expired"} {
		want["gateway=ccavenue outcome="+outcome] = 0
	}
	require.Equal(t, want, shown(t, m, "payments_total"))
	m.Decided("ccavenue", "held")
	want["gateway=ccavenue outcome=held"] = 1
	require.Equal(t, want, shown(t, m, "payments_total"))
	m.Gateway("ccavenue")
	require.Equal(t, want, shown(t, m, "payments_total"), "once more takes nothing away")
}

func TestScrape_ShowsAllCounters(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	at := time.Date(2026, time.November, 2, 4, 30, 0, 0, time.UTC)
	m.Activated("plan")
	m.Activated("plan")
	m.Message("code", "accepted")
	m.Job("send_message", "done", 2*time.Second)
	m.Alerts("stuck", 4)
	m.Alerts("stuck", 0)
	m.Checked("books", 2, at)
	m.Circuit("redis", true)
	m.Provider("sms", "ok", time.Second)
	for family, want := range map[string]map[string]float64{
		"activations_total": {"what=plan": 2}, "messages_total": {"message=code outcome=accepted": 1}, "job_seconds": {"kind=send_message outcome=done": 1},
		"job_alerts": {"kind=stuck": 0}, "check_findings": {"check=books": 2}, "check_timestamp_seconds": {"check=books": float64(at.Unix())},
		"circuit_open": {"dependency=redis": 1}, "provider_call_seconds": {"outcome=ok provider=sms": 1}, "replica_lag_seconds": {},
	} {
		require.Equal(t, want, shown(t, m, family), family)
	}
	require.Len(t, shown(t, m, "build_info"), 1)
	m.Circuit("redis", false)
	require.Equal(t, map[string]float64{"dependency=redis": 0}, shown(t, m, "circuit_open"))
}

// The metrics show the error of the machine's clock once it was compared with the database's.
func TestClockAhead_BeforeTheFirstComparison_IsNotShown(t *testing.T) {
	t.Parallel()
	m, compared, ahead := metrics.New(), false, -90*time.Second
	m.Clock(func() (time.Duration, bool) { return ahead, compared })
	require.Empty(t, shown(t, m, "clock_ahead_seconds"))
	compared = true
	require.Equal(t, map[string]float64{"": -90}, shown(t, m, "clock_ahead_seconds"))
	ahead = 300 * time.Millisecond
	require.Equal(t, map[string]float64{"": .3}, shown(t, m, "clock_ahead_seconds"))
}

func TestReplica_WithoutOne_IsNotShown(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	m.ReplicaRead("replica")
	require.Empty(t, shown(t, m, "replica_reads_total"), "a process without a replica shows none")
	require.Same(t, m, m.Replica())
	m.ReplicaRead("replica")
	m.ReplicaRead("behind")
	m.ReplicaLag(1500 * time.Millisecond)
	require.Equal(t, map[string]float64{"outcome=replica": 2, "outcome=behind": 1}, shown(t, m, "replica_reads_total"))
	require.Equal(t, map[string]float64{"": 1.5}, shown(t, m, "replica_lag_seconds"))
}

// Each pool is read at each scrape, under its own name.
func TestPool_IsReadAtEachScrape(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	api := metrics.Pool{Open: 5, Used: 2, Most: 10, Waited: 7, WaitedFor: 2500 * time.Millisecond}
	m.Pool("api", func() metrics.Pool { return api })
	m.Pool("owner", func() metrics.Pool { return metrics.Pool{Open: 1, Used: 1, Most: 1} })
	require.Equal(t, map[string]float64{"pool=api state=used": 2, "pool=api state=idle": 3, "pool=owner state=used": 1, "pool=owner state=idle": 0},
		shown(t, m, "pool_connections"))
	require.Equal(t, map[string]float64{"pool=api": 10, "pool=owner": 1}, shown(t, m, "pool_most"))
	require.Equal(t, map[string]float64{"pool=api": 7, "pool=owner": 0}, shown(t, m, "pool_waits_total"))
	require.Equal(t, map[string]float64{"pool=api": 2.5, "pool=owner": 0}, shown(t, m, "pool_wait_seconds_total"))
	api.Waited = 8
	require.InDelta(t, 8, shown(t, m, "pool_waits_total")["pool=api"], 0)
}

// Of two clients of one dependency, the newest is watched, and the first one breaks no scrape.
func TestWatch_SecondClient_ReplacesTheFirst(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	m.Watch("gstin", func() bool { return true })
	require.Equal(t, map[string]float64{"": 1}, shown(t, m, "gstin_circuit_open"))
	m.Watch("gstin", func() bool { return false })
	require.Equal(t, map[string]float64{"": 0}, shown(t, m, "gstin_circuit_open"))
	m.Watch("sms", func() bool { return true })
	require.Equal(t, map[string]float64{"": 1}, shown(t, m, "sms_circuit_open"))
}

// A process can register its own metrics in the same registry.
func TestRegistry_ProcessSpecificMetrics_AreShown(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	own := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "franchise360", Name: "own"})
	m.Registry().MustRegister(own)
	own.Set(3)
	require.Equal(t, map[string]float64{"": 3}, shown(t, m, "own"))
	require.Empty(t, shown(t, metrics.New(), "own"), "and in no other process's")
}

type answers func(*http.Request) (*http.Response, error)

func (f answers) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTransport_ProviderCall_IsCountedByItsOutcome(t *testing.T) {
	t.Parallel()
	lost := errors.New("connection reset")
	call := func(status int, failure error) (map[string]float64, error) {
		m := metrics.New()
		transport := m.Transport("sms", answers(func(*http.Request) (*http.Response, error) {
			if failure != nil {
				return nil, failure
			}
			return &http.Response{StatusCode: status, Body: http.NoBody}, nil
		}))
		request, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodPost, "http://localhost/send", http.NoBody)
		require.NoError(t, err)
		answer, err := transport.RoundTrip(request)
		if err == nil {
			require.Equal(t, status, answer.StatusCode)
			require.NoError(t, answer.Body.Close())
		}
		return shown(t, m, "provider_call_seconds"), err
	}
	for status, want := range map[int]string{200: "ok", 204: "ok", 302: "ok", 399: "ok", 400: "refused", 429: "refused", 499: "refused", 500: "failed", 503: "failed"} {
		got, err := call(status, nil)
		require.NoError(t, err)
		require.Equal(t, map[string]float64{"outcome=" + want + " provider=sms": 1}, got, "%d", status)
	}
	got, err := call(0, lost)
	require.ErrorIs(t, err, lost, "the failure itself is the caller's")
	require.Equal(t, map[string]float64{"outcome=unreachable provider=sms": 1}, got)
}
