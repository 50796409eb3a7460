package alert

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// ErrResolved reports an alert that is over.
var ErrResolved = errs.New(errs.KindConflict, "alert_resolved", "This alert is resolved.")

// Recorder records staff actions in the transaction that performs them; staff.Service implements it.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Service shows alerts to staff, who acknowledge and silence them.
type Service struct {
	db       *sqlx.DB
	clock    clock.Clock
	recorder Recorder
	watch    *Watch
}

// NewService returns the alerts of the console. It uses the watch of its own process, so that the console shows the current state.
func NewService(db *sqlx.DB, clk clock.Clock, recorder Recorder, watch *Watch) *Service {
	return wiring.Complete(&Service{db: db, clock: clk, recorder: recorder, watch: watch})
}

// Open looks at the product and returns the open alerts, worst first.
func (s *Service) Open(ctx context.Context) ([]Alert, error) { return s.watch.Look(ctx) }

// FailingKinds returns, for each kind of job whose provider fails at the moment, who that is.
func (s *Service) FailingKinds(ctx context.Context, tx *sqlx.Tx) (map[string]string, error) {
	var seen Sight
	if err := tx.SelectContext(ctx, &seen.Kinds, kindsSQL(), s.watch.limits.Window.Seconds()); err != nil {
		return nil, fmt.Errorf("look at the jobs: %w", err)
	}
	failing := map[string]string{}
	for _, f := range dependencyFailing(seen, s.watch.limits) {
		for kind, name := range dependencies() {
			if name == f.Subject {
				failing[kind] = name
			}
		}
	}
	return failing, nil
}

// Channels returns the names of the channels that are on.
func (s *Service) Channels() []string { return s.watch.deliverer.Channels() }

// History returns the newest alerts with what happened to each.
func (s *Service) History(ctx context.Context) (list []Past, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		list, err = pastTx(ctx, tx)
		return err
	})
	return list, err
}

// Acknowledge makes the member of staff the owner of an open alert.
func (s *Service) Acknowledge(ctx context.Context, p staff.Principal, alertID, reason string) error {
	return s.act(ctx, p, "acknowledge_alert", alertID, reason, func(tx *sqlx.Tx, _ Alert, reason string, now time.Time) error {
		if err := acknowledgeTx(ctx, tx, alertID, p.StaffID, now); err != nil {
			return err
		}
		return noteTx(ctx, tx, alertID, eventAcknowledged, p.StaffID, reason, now)
	})
}

// The shortest and the longest silence.
const minSilence, maxSilence = 5 * time.Minute, 7 * 24 * time.Hour

// ErrAdminsAlone reports an alert that watches staff themselves.
var ErrAdminsAlone = errs.New(errs.KindForbidden, "admins_alone", "This alert watches what staff do. Only an admin can silence it.")

// Silence suppresses delivery of the alert, and of new alerts with the same rule and subject, for that time.
func (s *Service) Silence(ctx context.Context, p staff.Principal, alertID, reason string, span time.Duration) error {
	if span < minSilence || span > maxSilence {
		return errs.Invalid("Please check the marked fields.").Field("minutes", "From 5 minutes to 7 days.")
	}
	return s.act(ctx, p, "silence_alert", alertID, reason, func(tx *sqlx.Tx, a Alert, reason string, now time.Time) error {
		if a.AdminsAlone() && p.Role != staff.RoleAdmin {
			return ErrAdminsAlone
		}
		until := now.Add(span)
		if err := silenceTx(ctx, tx, alertID, p.StaffID, reason, &until); err != nil {
			return err
		}
		return noteTx(ctx, tx, alertID, eventSilenced, p.StaffID, "until "+until.In(clock.IST).Format("2 Jan 15:04")+" IST: "+reason, now)
	})
}

// Unsilence ends the silence of an alert.
func (s *Service) Unsilence(ctx context.Context, p staff.Principal, alertID, reason string) error {
	return s.act(ctx, p, "unsilence_alert", alertID, reason, func(tx *sqlx.Tx, a Alert, reason string, now time.Time) error {
		if a.AdminsAlone() && p.Role != staff.RoleAdmin {
			return ErrAdminsAlone
		}
		if err := silenceTx(ctx, tx, alertID, p.StaffID, "", nil); err != nil {
			return err
		}
		return noteTx(ctx, tx, alertID, eventUnsilenced, p.StaffID, reason, now)
	})
}

func (s *Service) act(ctx context.Context, p staff.Principal, action, alertID, reason string, do func(tx *sqlx.Tx, a Alert, reason string, now time.Time) error) error {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		before, err := lockAlertTx(ctx, tx, alertID)
		if err != nil {
			return err
		}
		if before.ResolvedAt != nil {
			return ErrResolved
		}
		if err := do(tx, before, reason, s.clock.Now()); err != nil {
			return err
		}
		after, err := lockAlertTx(ctx, tx, alertID)
		if err != nil {
			return err
		}
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: action, Target: "alert:" + alertID, Reason: reason, Before: summary(before), After: summary(after),
		})
	})
}

func summary(a Alert) string {
	return staff.JSON(map[string]any{"rule": a.Rule, "subject": a.Subject, "acknowledged_by": a.AcknowledgedBy, "silenced_until": a.SilencedUntil})
}
