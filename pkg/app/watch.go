package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/franchise360/franchise360/pkg/adapter/dns"
	"github.com/franchise360/franchise360/pkg/adapter/places/google"
	"github.com/franchise360/franchise360/pkg/adapter/places/photon"
	"github.com/franchise360/franchise360/pkg/adapter/sms"
	"github.com/franchise360/franchise360/pkg/adapter/whatsapp"
	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/process"
)

// Each adapter names the metrics that time it.
var (
	_ interface{ Measured(m *metrics.Metrics) } = (*google.Client)(nil)
	_ interface{ Measured(m *metrics.Metrics) } = (*photon.Client)(nil)
	_ interface{ Measured(m *metrics.Metrics) } = (*sms.Inbox)(nil)
	_ interface{ Measured(m *metrics.Metrics) } = (*sms.MSG91)(nil)
	_ interface{ Measured(m *metrics.Metrics) } = (*sms.Twilio)(nil)
	_ interface{ Measured(m *metrics.Metrics) } = (*whatsapp.Client)(nil)
	_ interface{ Measured(m *metrics.Metrics) } = (*dns.Resolver)(nil)
)

// measured makes each adapter with timed calls report to the metrics.
func measured[T any](m *metrics.Metrics, adapters ...T) {
	for _, a := range adapters {
		if timed, ok := any(a).(interface{ Measured(m *metrics.Metrics) }); ok {
			timed.Measured(m)
		}
	}
}

const (
	watchEvery  = 15 * time.Second
	watchWithin = 5 * time.Second
)

// WatchQueues measures queues, workers and providers of messages until the context ends. Both the API and the worker do it: if
// no worker is alive, the API still reports.
func WatchQueues(ctx context.Context, c *process.Connections, logger *slog.Logger) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		if err := watchQueues(ctx, c); err != nil && ctx.Err() == nil {
			logger.WarnContext(ctx, "queues not measured", log.Error(err))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func watchQueues(ctx context.Context, c *process.Connections) error {
	ctx, cancel := context.WithTimeout(ctx, watchWithin)
	defer cancel()
	v, err := jobadmin.ReadVitals(ctx, c.DB)
	if err != nil {
		return err
	}
	queues := make([]metrics.Queue, 0, len(v.Queues))
	for _, q := range v.Queues {
		queues = append(queues, metrics.Queue{
			Name: q.Name, Depth: int64(q.Depth), Failed: int64(q.Failed), Oldest: time.Duration(q.OldestAge) * time.Second, Paused: q.PausedAt != nil,
		})
	}
	m := c.Meter()
	m.Queues(queues, v.Workers, time.Now()) //nolint:forbidigo // Prometheus runs on the machine's time
	for provider, failing := range v.Providers {
		m.Circuit(dependency(provider), failing)
	}
	return nil
}

// dependency returns the name under which metrics and alert rules know a provider of messages.
func dependency(provider string) string {
	switch provider {
	case message.EmailProvider:
		return "mail_server"
	case message.WhatsAppProvider:
		return provider
	}
	return "sms_" + provider
}
