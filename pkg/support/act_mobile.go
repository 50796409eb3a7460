package support

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
)

const mobileMoved = "The account has its new mobile number, and every session has ended."

// minChecked and maxChecked limit the note of what staff checked.
const minChecked, maxChecked = 10, 500

// draftMobileTx requires a note of what staff checked, for the person who approves the change and for the audit trail.
func (a *Acts) draftMobileTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, c ActContent) (draft, error) {
	present, err := a.desk.CheckMoveTx(ctx, tx, franchiserID, c.Mobile)
	if err != nil {
		return draft{}, err
	}
	checked := text.Line(c.Checked)
	var v errs.Validation
	n := utf8.RuneCountInString(checked)
	v.Check(n >= minChecked && n <= maxChecked, "checked", "Write what you checked, in 10 to 500 characters.")
	return draft{
		Content: ActContent{Mobile: c.Mobile, Checked: checked}, Subject: "mobile:" + franchiserID, TwoNeed: true, Customer: true,
		Facts: actFacts{
			{"From", present},
			{"To", c.Mobile},
			{"Checked", checked},
			{"At once", "The old number and the e-mail address are told, with a link that stops the change."},
			{"When the wait is over", "The new number signs in with the same password, every session ends, and both are told again."},
		},
	}, v.Err()
}

// scheduleMobileTx has an approved change of a lost mobile wait for its time.
func (a *Acts) scheduleMobileTx(ctx context.Context, tx *sqlx.Tx, act Act, now time.Time) (step, error) {
	c, after, err := a.desk.ScheduleMoveTx(ctx, tx, act.FranchiserID, act.Content.Mobile, act.ID, now)
	if err != nil || c.State == recovery.MobileChangeApplied {
		return step{Outcome: mobileMoved, After: after}, err
	}
	return step{Later: true, Outcome: "The mobile changes on " + c.Due() + " IST, unless it is stopped. The old number and the e-mail address are told now."}, nil
}

// Continue goes on with an act that waits for its time: it is done once that has come, and stopped where it was stopped by the link.
// What cannot be done any more fails with its reason, which is no error. It runs with the worker's role.
func (a *Acts) Continue(ctx context.Context, actID string) error {
	now := a.clock.Now()
	var after func(context.Context)
	err := postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		act, err := lockedActTx(ctx, tx, actID)
		if errs.KindOf(err) == errs.KindNotFound || err == nil && act.State != approval.Scheduled {
			return nil
		}
		if err != nil {
			return err
		}
		c, due, err := a.desk.DueMoveTx(ctx, tx, act.ID, now)
		switch {
		case errs.KindOf(err) == errs.KindNotFound:
			return a.endScheduledTx(ctx, tx, act, approval.Failed, step{Outcome: "The account was erased."}, now)
		case err != nil:
			return err
		case c.State == recovery.MobileChangeStopped:
			return a.endScheduledTx(ctx, tx, act, approval.Stopped, step{Outcome: "Stopped by the link that the old number and the e-mail address were sent."}, now)
		case !due:
			return nil
		}
		s, refused, err := undoneTx(ctx, tx, func() (step, error) {
			after, err := a.desk.ApplyMoveTx(ctx, tx, c, now)
			return step{Outcome: mobileMoved, After: after}, err
		})
		if err != nil {
			return err
		}
		if refused == nil {
			after = s.After
			return a.endScheduledTx(ctx, tx, act, approval.Done, s, now)
		}
		if err := a.desk.FailMoveTx(ctx, tx, c, now); err != nil {
			return err
		}
		return a.endScheduledTx(ctx, tx, act, approval.Failed, step{Outcome: errs.As(refused).Message}, now)
	})
	if err == nil && after != nil {
		after(ctx)
	}
	return err
}

func (a *Acts) endScheduledTx(ctx context.Context, tx *sqlx.Tx, act Act, to approval.State, s step, now time.Time) error {
	if err := ActStates().Move(&act.State, to); err != nil {
		return err
	}
	return finishActTx(ctx, tx, act, s, now)
}

// Stop ends a scheduled act. It returns errs.NotFound, or ErrNotScheduled for an act in another state.
func (a *Acts) Stop(ctx context.Context, p staff.Principal, actID, reason string) (Act, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return Act{}, err
	}
	if !id.Valid(actID) {
		return Act{}, errs.NotFound()
	}
	var act Act
	if err := postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		act, err = readActTx(ctx, tx, actID)
		return err
	}); err != nil {
		return Act{}, err
	}
	err = postgres.InTenantTx(ctx, a.db, act.FranchiserID, func(tx *sqlx.Tx) error {
		if act, err = lockedActTx(ctx, tx, actID); err != nil {
			return err
		}
		if act.State != approval.Scheduled {
			return ErrNotScheduled
		}
		now := a.clock.Now()
		if err := a.desk.StopMoveTx(ctx, tx, act.ID, now); err != nil {
			return err
		}
		if err := ActStates().Move(&act.State, approval.Stopped); err != nil {
			return err
		}
		act.Outcome, act.FinishedAt = "Stopped by "+p.Name+": "+reason, &now
		if err := stopActTx(ctx, tx, act); err != nil {
			return err
		}
		return a.recordTx(ctx, tx, p, act, "stop_"+string(act.Kind), reason)
	})
	return act, err
}
