package metrics

import "github.com/prometheus/client_golang/prometheus"

// pool collects the metrics of one connection pool.
type pool struct {
	name string
	now  func() Pool
}

//nolint:gochecknoglobals // constants
var (
	poolConns = prometheus.NewDesc(namespace+"_pool_connections", "Connections to the database, by use.", []string{"pool", "state"}, nil)
	poolMost  = prometheus.NewDesc(namespace+"_pool_most", "Connections that a pool may have.", []string{"pool"}, nil)
	poolWaits = prometheus.NewDesc(namespace+"_pool_waits_total", "How often somebody waited for a connection.", []string{"pool"}, nil)
	poolWait  = prometheus.NewDesc(namespace+"_pool_wait_seconds_total", "How long was waited for connections.", []string{"pool"}, nil)
)

// Describe describes nothing, so that several pools can be registered.
func (pool) Describe(chan<- *prometheus.Desc) {}

// Collect reads the pool.
func (p pool) Collect(out chan<- prometheus.Metric) {
	s := p.now()
	out <- prometheus.MustNewConstMetric(poolConns, prometheus.GaugeValue, float64(s.Used), p.name, "used")
	out <- prometheus.MustNewConstMetric(poolConns, prometheus.GaugeValue, float64(s.Open-s.Used), p.name, "idle")
	out <- prometheus.MustNewConstMetric(poolMost, prometheus.GaugeValue, float64(s.Most), p.name)
	out <- prometheus.MustNewConstMetric(poolWaits, prometheus.CounterValue, float64(s.Waited), p.name)
	out <- prometheus.MustNewConstMetric(poolWait, prometheus.CounterValue, s.WaitedFor.Seconds(), p.name)
}
