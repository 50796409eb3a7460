// Package metrics collects a process's Prometheus metrics: rate, errors and duration of requests, jobs, provider calls and
// database statements, plus business metrics. Every label has a bounded set of values.
package metrics

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/franchise360/franchise360/pkg/platform/version"
)

// Metrics holds the metrics of one process. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry

	requests  *prometheus.HistogramVec
	inFlight  prometheus.Gauge
	jobs      *prometheus.HistogramVec
	providers *prometheus.HistogramVec
	queries   *prometheus.HistogramVec
	circuits  *prometheus.GaugeVec

	replicaReads *prometheus.CounterVec
	replicaLag   prometheus.Gauge

	queueDepth, queueAge, queuePaused, queueFailed *prometheus.GaugeVec
	alerts                                         *prometheus.GaugeVec
	workers                                        prometheus.Gauge
	measured                                       prometheus.Gauge

	payments    *prometheus.CounterVec
	activations *prometheus.CounterVec
	messages    *prometheus.CounterVec
	findings    *prometheus.GaugeVec
	checked     *prometheus.GaugeVec
	build       *prometheus.GaugeVec
}

// Buckets in seconds. Requests time out after seven; a job may take minutes.
var (
	requestBuckets  = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 7.5, 10} //nolint:gochecknoglobals // a constant
	jobBuckets      = []float64{.01, .05, .1, .5, 1, 5, 15, 30, 60, 240}               //nolint:gochecknoglobals // a constant
	providerBuckets = []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 15, 20}               //nolint:gochecknoglobals // a constant
	queryBuckets    = []float64{.0005, .001, .0025, .01, .05, .25, 1, 5, 30, 300}      //nolint:gochecknoglobals // a constant
)

// New returns the metrics of a process, including those of Go and of the operating system.
func New() *Metrics {
	m := &Metrics{
		registry:     prometheus.NewRegistry(),
		requests:     histogram("http_request_seconds", "Time until a request was answered.", requestBuckets, "route", "method", "status"),
		inFlight:     gauge("http_requests_in_flight", "Requests that are being answered."),
		jobs:         histogram("job_seconds", "Time that attempts at jobs took, by what came of them.", jobBuckets, "kind", "outcome"),
		providers:    histogram("provider_call_seconds", "Time that calls to providers took, by what came of them.", providerBuckets, "provider", "outcome"),
		queries:      histogram("query_seconds", "Time until the database answered a statement.", queryBuckets, "class", "outcome"),
		circuits:     gauges("circuit_open", "1 while a dependency is not asked because it failed.", "dependency"),
		replicaReads: counter("replica_reads_total", "Reads that a replica was allowed to serve: by it (replica), or by the primary and why.", "outcome"),
		replicaLag:   gauge("replica_lag_seconds", "How long ago the primary was where the replica is."),
		queueDepth:   gauges("queue_depth", "Jobs that could run now.", "queue"),
		queueAge:     gauges("queue_oldest_seconds", "How long the first job of a queue has waited beyond its time.", "queue"),
		queuePaused:  gauges("queue_paused", "1 while a queue is paused.", "queue"),
		queueFailed:  gauges("queue_failed", "Jobs that failed and wait for staff or for another attempt.", "queue"),
		alerts:       gauges("job_alerts", "What somebody should look at now: stuck jobs, aging and paused queues, no workers.", "kind"),
		workers:      gauge("workers", "Worker processes that live."),
		measured:     gauge("queues_measured_timestamp_seconds", "When queues and workers were last counted."),
		payments:     counter("payments_total", "Payments that were decided: paid, given_back, held, failed or expired.", "gateway", "outcome"),
		activations:  counter("activations_total", "Purchases that took effect, by what was bought.", "what"),
		messages:     counter("messages_total", "SMS by what became of them.", "message", "outcome"),
		findings:     gauges("check_findings", "What a check found wrong the last time: of the books, the settlements, the documents or the audit trail.", "check"),
		build:        gauges("build_info", "1, with the release that the process was built from.", "version"),
		checked:      gauges("check_timestamp_seconds", "When a check last ended.", "check"),
	}
	m.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		m.requests, m.inFlight, m.jobs, m.providers, m.queries, m.circuits, m.queueDepth, m.queueAge, m.queuePaused, m.queueFailed,
		m.alerts, m.workers, m.measured, m.payments, m.activations, m.messages, m.findings, m.checked, m.build,
	)
	m.build.WithLabelValues(version.String()).Set(1)
	return m
}

const namespace = "franchise360"

func histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}, labels)
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func gauges(name, help string, labels ...string) *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func gauge(name, help string) prometheus.Gauge {
	return prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help})
}

// Registry returns the registry, to which a process adds its own metrics.
func (m *Metrics) Registry() *prometheus.Registry { return m.registry }

// statusBusy labels requests that were refused for lack of capacity, which are not faults.
const statusBusy = "busy"

// Began counts an incoming request; the returned function records its outcome. The route must be a pattern.
func (m *Metrics) Began() (ended func(route, method string, status int, busy bool, took time.Duration)) {
	m.inFlight.Inc()
	return func(route, method string, status int, busy bool, took time.Duration) {
		m.inFlight.Dec()
		class := statusClass(status)
		if busy {
			class = statusBusy
		}
		m.requests.WithLabelValues(route, known(method), class).Observe(took.Seconds())
	}
}

// known returns the method, or "other": callers may invent methods.
func known(method string) string {
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, method) {
		return method
	}
	return "other"
}

func statusClass(status int) string {
	if status < 100 || status > 599 {
		return "other"
	}
	return strconv.Itoa(status/100) + "xx"
}

// Job records one attempt at a job.
func (m *Metrics) Job(kind, outcome string, took time.Duration) {
	m.jobs.WithLabelValues(kind, outcome).Observe(took.Seconds())
}

// Query records a statement, labelled by its first word.
func (m *Metrics) Query(statement string, took time.Duration, err error) {
	outcome := "ok"
	if err != nil {
		outcome = "failed"
	}
	m.queries.WithLabelValues(class(statement), outcome).Observe(took.Seconds())
}

// class returns the kind of statement, judging by its first word.
func class(statement string) string {
	const between = " \t\r\n(;"
	first := strings.TrimLeft(statement, between)
	if end := strings.IndexAny(first, between); end >= 0 {
		first = first[:end]
	}
	first = strings.ToLower(first)
	if slices.Contains([]string{"select", "insert", "update", "delete", "with", "begin", "commit", "rollback"}, first) {
		return first
	}
	return "other"
}

// Pool is a snapshot of a connection pool.
type Pool struct {
	Open, Used, Most int
	// Waited is how often a caller waited for a connection, and WaitedFor how long in total.
	Waited    int64
	WaitedFor time.Duration
}

// Pool reports the state of a connection pool, read at each scrape.
func (m *Metrics) Pool(name string, now func() Pool) {
	m.registry.MustRegister(pool{name: name, now: now})
}

// Watch reports whether the circuit to a dependency is open, read at each scrape.
func (m *Metrics) Watch(dependency string, open func() bool) {
	watched := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: namespace, Name: dependency + "_circuit_open", Help: "1 while it is not asked because it failed.",
	}, func() float64 { return number(open()) })
	m.registry.Unregister(watched) // the newest client wins
	m.registry.MustRegister(watched)
}

// Clock reports how far the machine's clock is ahead of the database's, read at each scrape; nothing while ok is false.
func (m *Metrics) Clock(ahead func() (by time.Duration, ok bool)) {
	m.registry.MustRegister(machineClock{ahead})
}

// Circuit records whether the circuit to a dependency is open.
func (m *Metrics) Circuit(dependency string, open bool) {
	m.circuits.WithLabelValues(dependency).Set(number(open))
}

// Replica registers the metrics of a replica for reading; a process without one does not show them.
func (m *Metrics) Replica() *Metrics {
	m.registry.MustRegister(m.replicaReads, m.replicaLag)
	return m
}

// ReplicaRead counts a read that a replica was allowed to serve.
func (m *Metrics) ReplicaRead(outcome string) { m.replicaReads.WithLabelValues(outcome).Inc() }

// ReplicaLag records how far the replica is behind the primary.
func (m *Metrics) ReplicaLag(lag time.Duration) { m.replicaLag.Set(lag.Seconds()) }

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Queue is a snapshot of one queue.
type Queue struct {
	Name          string
	Depth, Failed int64
	Oldest        time.Duration
	Paused        bool
}

// Queues records the waiting jobs, the number of live workers, and when they were counted.
func (m *Metrics) Queues(queues []Queue, workers int, at time.Time) {
	for _, v := range []*prometheus.GaugeVec{m.queueDepth, m.queueAge, m.queuePaused, m.queueFailed} {
		v.Reset()
	}
	for _, q := range queues {
		m.queueDepth.WithLabelValues(q.Name).Set(float64(q.Depth))
		m.queueAge.WithLabelValues(q.Name).Set(q.Oldest.Seconds())
		m.queuePaused.WithLabelValues(q.Name).Set(number(q.Paused))
		m.queueFailed.WithLabelValues(q.Name).Set(float64(q.Failed))
	}
	m.workers.Set(float64(workers))
	m.measured.Set(float64(at.Unix()))
}

// Alerts records how many items of a kind need attention now.
func (m *Metrics) Alerts(kind string, n int) { m.alerts.WithLabelValues(kind).Set(float64(n)) }

// outcomesOfPayments are all that Decided counts.
func outcomesOfPayments() []string {
	return []string{"paid", "given_back", "held", "failed", "expired"}
}

// Gateway creates the counters of a gateway's payments: Prometheus sees no increase in a counter whose first value is 1, and the
// first payment that is held would raise no alert.
func (m *Metrics) Gateway(name string) {
	for _, outcome := range outcomesOfPayments() {
		m.payments.WithLabelValues(name, outcome)
	}
}

// Decided counts a payment with a final outcome; paid means a purchase.
func (m *Metrics) Decided(gateway, outcome string) {
	m.payments.WithLabelValues(gateway, outcome).Inc()
}

// Activated counts a purchase that took effect.
func (m *Metrics) Activated(what string) { m.activations.WithLabelValues(what).Inc() }

// Messages creates the counters of messages by their names, as Gateway does those of payments: of a burst within one interval of Prometheus's
// it would see nothing.
func (m *Metrics) Messages(names ...string) {
	for _, name := range names {
		for _, outcome := range []string{"accepted", "failed", "delivered", "undelivered"} {
			m.messages.WithLabelValues(name, outcome)
		}
	}
}

// Message counts the outcome of an SMS: accepted, failed, delivered or undelivered.
func (m *Metrics) Message(message, outcome string) {
	m.messages.WithLabelValues(message, outcome).Inc()
}

// Checked records how many faults a check found.
func (m *Metrics) Checked(check string, findings int, at time.Time) {
	m.findings.WithLabelValues(check).Set(float64(findings))
	m.checked.WithLabelValues(check).Set(float64(at.Unix()))
}
