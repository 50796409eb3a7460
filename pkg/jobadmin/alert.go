package jobadmin

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/webhook"
)

// AlertKind is the subject of an alert.
type AlertKind string

// A stuck job has run past the time after which another worker should have it; in an aging queue the first job has waited too
// long; a paused queue starts nothing; without workers nothing runs at all; an SMS provider refuses our account, or fails
// repeatedly.
const (
	AlertStuckJob    AlertKind = "stuck_job"
	AlertAgingQueue  AlertKind = "aging_queue"
	AlertPausedQueue AlertKind = "paused_queue"
	AlertNoWorkers   AlertKind = "no_workers"
	AlertSMSProvider AlertKind = "sms_provider"
	// AlertLostDocuments is about documents that the object store has lost.
	AlertLostDocuments AlertKind = "lost_documents"
	// AlertWebhook is about a connected system that is not told any more, because it failed for days or is gone.
	AlertWebhook AlertKind = "webhook"
)

// AlertKinds are all kinds of alerts.
func AlertKinds() []AlertKind {
	return []AlertKind{AlertStuckJob, AlertAgingQueue, AlertPausedQueue, AlertNoWorkers, AlertSMSProvider, AlertLostDocuments, AlertWebhook}
}

// Alert is something that needs attention now; JobID and Queue are set if it concerns them.
type Alert struct {
	Kind    AlertKind `json:"kind"`
	Message string    `json:"message"`
	Queue   string    `json:"queue"`
	JobID   int64     `json:"job_id"`
}

// Alerts returns what needs attention now; it needs only the database, so that it works while no worker is running.
func Alerts(ctx context.Context, db *sqlx.DB) ([]Alert, error) {
	var queues []Queue
	var running []RunningJob
	var workers []WorkerProcess
	var faults []message.Fault
	var lost invoice.Losses
	var stopped []webhook.Endpoint
	err := postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
		if err := tx.SelectContext(ctx, &queues, queuesSQL); err != nil {
			return fmt.Errorf("read queues: %w", err)
		}
		if err := tx.SelectContext(ctx, &running, runningSQL, queue.RescueAfter.Seconds()); err != nil {
			return fmt.Errorf("read running jobs: %w", err)
		}
		if err := tx.SelectContext(ctx, &workers, workersSQL); err != nil {
			return fmt.Errorf("read workers: %w", err)
		}
		var err error
		if faults, err = message.FaultsTx(ctx, tx); err != nil {
			return err
		}
		if lost, err = invoice.LossesTx(ctx, tx); err != nil {
			return err
		}
		stopped, err = webhook.StoppedTx(ctx, tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return append([]Alert{}, slices.Concat(alerts(queues, running, len(workers)), smsAlerts(faults), lossAlerts(lost), webhookAlerts(stopped))...), nil
}

// Alerts returns what needs attention now.
func (s *Service) Alerts(ctx context.Context) ([]Alert, error) { return Alerts(ctx, s.db) }

func alerts(queues []Queue, running []RunningJob, workers int) []Alert {
	list := []Alert{}
	if workers == 0 {
		list = append(list, Alert{Kind: AlertNoWorkers, Message: "No worker is running: nothing is sent, verified or rendered."})
	}
	for _, j := range running {
		if j.Overdue {
			list = append(list, Alert{Kind: AlertStuckJob, JobID: j.ID, Queue: j.Queue, Message: fmt.Sprintf(
				"Job %d (%s) has been running for %s; after %s another worker should have it.", j.ID, j.Kind, span(j.Age), span(int64(queue.RescueAfter/time.Second)))})
		}
	}
	for _, q := range queues {
		limit := int64(agesAfter(q.Name) / time.Second)
		if q.Depth > 0 && q.OldestAge > limit {
			list = append(list, Alert{Kind: AlertAgingQueue, Queue: q.Name, Message: fmt.Sprintf(
				"The first of %d jobs in queue %s has waited for %s; more than %s is too long.", q.Depth, q.Name, span(q.OldestAge), span(limit))})
		}
		if q.PausedAt != nil {
			list = append(list, Alert{Kind: AlertPausedQueue, Queue: q.Name, Message: fmt.Sprintf("Queue %s is paused: its jobs wait until an admin resumes it.", q.Name)})
		}
	}
	return list
}

// span formats seconds for people.
func span(seconds int64) string {
	switch {
	case seconds < 120:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 2*3600:
		return fmt.Sprintf("%d min", seconds/60)
	default:
		return fmt.Sprintf("%d h", seconds/3600)
	}
}

func webhookAlerts(stopped []webhook.Endpoint) []Alert {
	list := make([]Alert, 0, len(stopped))
	for _, e := range stopped {
		why := "every delivery failed for five days"
		if e.DisabledFor == webhook.DisabledForGone {
			why = "it answered that it is gone"
		}
		list = append(list, Alert{Kind: AlertWebhook, Message: "The connected system " + e.Description + " is not told of anything: " + why +
			". Enable it on the console's page of connected systems and have what was held sent again."})
	}
	return list
}

func lossAlerts(lost invoice.Losses) []Alert {
	if lost.Count == 0 {
		return nil
	}
	what := fmt.Sprintf("%d documents are", lost.Count)
	if lost.Count == 1 {
		what = "1 document is"
	}
	return []Alert{{Kind: AlertLostDocuments, Message: what + " missing from the object store: customers cannot download them. Render them again on the console's first page."}}
}

func smsAlerts(faults []message.Fault) []Alert {
	list := []Alert{}
	for _, f := range faults {
		what := map[string]string{
			"account_fault": "refuses our account", "limited": "has its rate limit reached", "unconfirmed": "does not answer",
		}[f.Fault]
		if what == "" {
			what = "fails"
		}
		if f.Code != "" {
			what += " (" + f.Code + ")"
		}
		who, then := "SMS provider "+f.Provider, "codes and messages wait, or go out through another one"
		if f.Provider == message.EmailProvider {
			who, then = "The mail server", "e-mails wait"
		}
		if f.Provider == message.WhatsAppProvider {
			who, then = "WhatsApp", "messages by WhatsApp wait; the same go out by SMS"
		}
		list = append(list, Alert{Kind: AlertSMSProvider, Message: fmt.Sprintf(
			"%s %s, %d times in a row since %s IST: "+then+".", who, what, f.Failures, f.Since.In(clock.IST).Format("2 Jan 15:04"))})
	}
	return list
}
