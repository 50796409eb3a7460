package app

import (
	"log/slog"

	"github.com/franchise360/franchise360/pkg/adapter/receiver"
	"github.com/franchise360/franchise360/pkg/adapter/smtp"
	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/process"
)

// newAlerts builds the watch of a process, with the channels that the settings name.
func newAlerts(cfg config.Config, c *process.Connections, logger *slog.Logger) (*alert.Watch, *alert.Deliverer, error) {
	a, site := cfg.Alerts, siteURL(cfg)
	poster := receiver.New(cfg.Development)
	var channels []alert.Channel
	if len(a.Email) > 0 {
		server, err := smtp.New(cfg.Email, cfg.Development, c.Clock)
		if err != nil {
			return nil, nil, err
		}
		channels = append(channels, alert.NewMail(server, a.Email, message.Site{Host: cfg.PublicURL.Hostname(), URL: site}))
	}
	if a.SlackURL != "" {
		channels = append(channels, alert.NewSlack(poster, a.SlackURL, site))
	}
	if a.WebhookURL != "" {
		channels = append(channels, alert.NewWebhook(poster, a.WebhookURL, a.WebhookKey, site, c.Clock))
	}
	d := alert.NewDeliverer(c.DB, c.Clock, channels...)
	return alert.NewWatch(c.DB, c.Jobs, c.Clock, d, thresholds(a), logger), d, nil
}

func thresholds(a config.Alerts) alert.Thresholds {
	return alert.Thresholds{
		Window: a.Window, FailurePercent: a.FailurePercent, FailureCount: a.FailureCount, FailingJobs: a.FailingJobs,
		HungAfter: a.HungAfter, ScheduleLate: a.ScheduleLate, BooksUnchecked: a.BooksUncheckedAfter, BackupMissing: a.BackupMissingAfter,
	}
}
