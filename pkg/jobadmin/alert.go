package jobadmin

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// AlertKind is what an alert is about.
type AlertKind string

// A stuck job runs past the time after which another worker should have it; an aging queue lets its first job wait too
// long; a paused queue starts nothing; without workers nothing is done at all; an SMS provider refuses our account, or fails
// time after time.
const (
	AlertStuckJob    AlertKind = "stuck_job"
	AlertAgingQueue  AlertKind = "aging_queue"
	AlertPausedQueue AlertKind = "paused_queue"
	AlertNoWorkers   AlertKind = "no_workers"
	AlertSMSProvider AlertKind = "sms_provider"
)

// AlertKinds are all kinds of alerts.
func AlertKinds() []AlertKind {
	return []AlertKind{AlertStuckJob, AlertAgingQueue, AlertPausedQueue, AlertNoWorkers, AlertSMSProvider}
}

// Alert is something that somebody should look at now; JobID and Queue are set where it is about them.
type Alert struct {
	Kind    AlertKind `json:"kind"`
	Message string    `json:"message"`
	Queue   string    `json:"queue"`
	JobID   int64     `json:"job_id"`
}

// Alerts tells what somebody should look at now; it needs nothing but the database, so that it works where no worker does.
func Alerts(ctx context.Context, db *sqlx.DB) ([]Alert, error) {
	var queues []Queue
	var running []RunningJob
	var workers []WorkerProcess
	var faults []message.Fault
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
		faults, err = message.FaultsTx(ctx, tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return append(alerts(queues, running, len(workers)), smsAlerts(faults)...), nil
}

// Alerts tells what somebody should look at now.
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

// span writes seconds as people say them.
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
		list = append(list, Alert{Kind: AlertSMSProvider, Message: fmt.Sprintf(
			"SMS provider %s %s, %d times in a row since %s IST: codes and messages wait, or go out through another one.",
			f.Provider, what, f.Failures, f.Since.In(clock.IST).Format("2 Jan 15:04"))})
	}
	return list
}
