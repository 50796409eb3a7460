package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// machineClock collects how wrong the machine's clock is.
type machineClock struct {
	ahead func() (by time.Duration, ok bool)
}

//nolint:gochecknoglobals // a constant
var clockAhead = prometheus.NewDesc(namespace+"_clock_ahead_seconds", "How far the machine's clock is ahead of the database's.", nil, nil)

// Describe describes nothing, so that nothing is collected before the clocks were compared.
func (machineClock) Describe(chan<- *prometheus.Desc) {}

// Collect reads the difference.
func (c machineClock) Collect(out chan<- prometheus.Metric) {
	if by, ok := c.ahead(); ok {
		out <- prometheus.MustNewConstMetric(clockAhead, prometheus.GaugeValue, by.Seconds())
	}
}
