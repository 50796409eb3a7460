package app

import (
	"context"
	"log/slog"

	"github.com/franchise360/franchise360/pkg/adapter/receiver"
	"github.com/franchise360/franchise360/pkg/adapter/smtp"
	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/redis"
)

// alertParts differ between the processes' watches.
type alertParts struct {
	inAPI bool
	cache *redis.Client
	// observers are added to that of Redis.
	observers []alert.Observer
}

// newAlerts builds the watch of a process, with the channels that the settings name.
func newAlerts(cfg config.Config, c *process.Connections, p alertParts, logger *slog.Logger) (*alert.Watch, *alert.Deliverer, error) {
	channels, err := channelsOf(cfg, c.Clock)
	if err != nil {
		return nil, nil, err
	}
	d := alert.NewDeliverer(c.DB, c.Clock, channels...)
	watch := alert.NewWatch(alert.WatchOptions{
		DB: c.DB, Jobs: c.Jobs, Clock: c.Clock, Deliverer: d, Limits: thresholds(cfg), InAPI: p.inAPI, Claims: p.cache, Refusals: &c.Refusals,
		Observers: append([]alert.Observer{alert.RedisAway(p.cache.Ping)}, p.observers...), Logger: logger,
	})
	return watch, d, nil
}

// AwaitDatabase tells the channels if a process that starts does not reach the database. Call the returned function once it does.
func AwaitDatabase(ctx context.Context, cfg config.Config, logger *slog.Logger) (reached func(), err error) {
	channels, err := channelsOf(cfg, clock.System{})
	if err != nil {
		return nil, err
	}
	cache, err := redis.Open(cfg.RedisURL)
	if err != nil {
		return nil, err
	}
	await := alert.AwaitDatabase(ctx, channels, cache, clock.System{}, logger)
	return func() {
		await()
		_ = cache.Close()
	}, nil
}

func channelsOf(cfg config.Config, clk clock.Clock) ([]alert.Channel, error) {
	a, site := cfg.Alerts, siteURL(cfg)
	poster := receiver.New(cfg.Development)
	channels := []alert.Channel{}
	if len(a.Email) > 0 {
		server, err := smtp.New(cfg.Email, cfg.Development, clk)
		if err != nil {
			return nil, err
		}
		channels = append(channels, alert.NewMail(server, a.Email, message.Site{Host: cfg.PublicURL.Hostname(), URL: site}))
	}
	if a.SlackURL != "" {
		channels = append(channels, alert.NewSlack(poster, a.SlackURL, site))
	}
	if a.WebhookURL != "" {
		channels = append(channels, alert.NewWebhook(poster, a.WebhookURL, a.WebhookKey, site, clk))
	}
	return channels, nil
}

func thresholds(cfg config.Config) alert.Thresholds {
	a := cfg.Alerts
	return alert.Thresholds{
		Window: a.Window, FailurePercent: a.FailurePercent, FailureCount: a.FailureCount, FailingJobs: a.FailingJobs,
		HungAfter: a.HungAfter, ScheduleLate: a.ScheduleLate, BooksUnchecked: a.BooksUncheckedAfter, BackupMissing: a.BackupMissingAfter, SMSPerDay: cfg.SMSPerDay,
	}
}
