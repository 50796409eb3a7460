package recovery

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/lifecycle"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

const purposeStopLink = secret.Purpose("stop a change of mobile")

// MobileChangeState is the state of a change of a lost mobile that staff decided.
type MobileChangeState string

// The states of a change. Failed means that it could not be applied any more.
const (
	MobileChangeWaiting MobileChangeState = "waiting"
	MobileChangeStopped MobileChangeState = "stopped"
	MobileChangeApplied MobileChangeState = "applied"
	MobileChangeFailed  MobileChangeState = "failed"
)

// mobileChangeStates returns the only allowed transitions of a change.
func mobileChangeStates() lifecycle.Table[MobileChangeState] {
	return lifecycle.Table[MobileChangeState]{
		"":                  {MobileChangeWaiting},
		MobileChangeWaiting: {MobileChangeStopped, MobileChangeApplied, MobileChangeFailed},
	}
}

// The values of who stopped a change.
const (
	stoppedByLink  = "link"
	stoppedByStaff = "staff"
)

// MobileChange moves an account to another mobile once its wait is over. Its id is that of the decision.
type MobileChange struct {
	ID           string            `db:"id"`
	FranchiserID string            `db:"franchiser_id"`
	Old          string            `db:"old_mobile"`
	Mobile       string            `db:"mobile"`
	State        MobileChangeState `db:"state"`
	StoppedBy    string            `db:"stopped_by"` // "link" or "staff"
	CreatedAt    time.Time         `db:"created_at"`
	DueAt        time.Time         `db:"due_at"`
	EndedAt      *time.Time        `db:"ended_at"`
}

// Ending returns the last four digits of the new mobile.
func (c MobileChange) Ending() string { return c.Mobile[max(0, len(c.Mobile)-4):] }

// Due returns when it is applied, in India, for display.
func (c MobileChange) Due() string { return c.DueAt.In(clock.IST).Format("2 January 2006, 15:04") }

// Errors of changes of a mobile, safe to show.
var (
	// ErrStopLink is returned for a link that we did not sign, or whose change is no longer kept.
	ErrStopLink = errs.New(errs.KindNotFound, "stop_link_invalid", "This link does not work. It may have been cut. Log in, or contact us at once.")
	// ErrMobileChanged refuses to stop a change that was applied.
	ErrMobileChanged = errs.New(errs.KindConflict, "mobile_changed", "The mobile number was changed already. If this was not you, contact us at once.")
)

// MobileChangeArgs has a worker go on with a change: apply it once its wait is over, or note that it was stopped.
type MobileChangeArgs struct {
	ChangeID string `json:"change_id"`
}

// Kind returns the job's kind.
func (MobileChangeArgs) Kind() string { return "change_mobile" }

func enqueueMobileChangeTx(ctx context.Context, tx *sqlx.Tx, jobs *queue.Inserter, c MobileChange, delay time.Duration) error {
	_, err := jobs.InsertTx(ctx, tx, MobileChangeArgs{ChangeID: c.ID}, queue.Options{Delay: delay, Subject: queue.Subject{FranchiserID: c.FranchiserID}})
	return err
}

// ScheduleMoveTx has the account move to another mobile when the wait is over, and tells the present mobile by SMS and the franchiser by
// e-mail, with a link that stops it; id is that of the decision. Without a wait it moves at once, as MoveMobileTx does, and the change is
// applied. It returns a conflict where another account has the mobile.
func (d *Desk) ScheduleMoveTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile, id string, now time.Time) (c MobileChange, after func(context.Context), err error) {
	c = MobileChange{ID: id, FranchiserID: franchiserID, Mobile: mobile, CreatedAt: now, DueAt: now.Add(d.wait)}
	if d.wait == 0 {
		c.State = MobileChangeApplied
		after, err = d.MoveMobileTx(ctx, tx, franchiserID, mobile, id, now)
		return c, after, err
	}
	if c.Old, err = d.CheckMoveTx(ctx, tx, franchiserID, mobile); err != nil {
		return c, nil, err
	}
	if err := mobileChangeStates().Move(&c.State, MobileChangeWaiting); err != nil {
		return c, nil, err
	}
	if err := insertMobileChangeTx(ctx, tx, c); err != nil {
		return c, nil, err
	}
	for _, template := range []string{message.TemplateMobileChangeAsked, message.TemplateMobileChangeAskedEmail} {
		m := message.CustomerMessage{FranchiserID: franchiserID, Template: template, About: id, CreatedAt: now}
		if err := d.messages.OnceTx(ctx, tx, m); err != nil {
			return c, nil, err
		}
	}
	return c, nil, enqueueMobileChangeTx(ctx, tx, d.jobs, c, d.wait)
}

// DueMoveTx returns and locks a change, or reschedules the job if it is not due yet. It returns errs.NotFound.
func (d *Desk) DueMoveTx(ctx context.Context, tx *sqlx.Tx, id string, now time.Time) (c MobileChange, due bool, err error) {
	if c, err = lockMobileChangeTx(ctx, tx, id); err != nil || c.State != MobileChangeWaiting {
		return c, false, err
	}
	if left := c.DueAt.Sub(now); left > 0 {
		return c, false, enqueueMobileChangeTx(ctx, tx, d.jobs, c, left)
	}
	return c, true, nil
}

// ApplyMoveTx applies a change that is due, as MoveMobileTx does. It returns a conflict where another account has the mobile by now, or
// this one has another mobile.
func (d *Desk) ApplyMoveTx(ctx context.Context, tx *sqlx.Tx, c MobileChange, now time.Time) (after func(context.Context), err error) {
	if err := account.RequireLiveTx(ctx, tx, c.FranchiserID); err != nil {
		return nil, err
	}
	present, err := account.MobileTx(ctx, tx, c.FranchiserID)
	if err != nil {
		return nil, err
	}
	if present != c.Old {
		return nil, errs.New(errs.KindConflict, "mobile_changed", "The mobile number of the account has changed since this was requested.")
	}
	if after, err = d.MoveMobileTx(ctx, tx, c.FranchiserID, c.Mobile, c.ID, now); err != nil {
		return nil, err
	}
	return after, endMobileChangeTx(ctx, tx, c, MobileChangeApplied, "", now)
}

// FailMoveTx ends a change that cannot be applied any more.
func (d *Desk) FailMoveTx(ctx context.Context, tx *sqlx.Tx, c MobileChange, now time.Time) error {
	return endMobileChangeTx(ctx, tx, c, MobileChangeFailed, "", now)
}

// StopMoveTx stops a change for staff; ErrMobileChanged once it was applied. A change that was stopped, or failed, stays so.
func (d *Desk) StopMoveTx(ctx context.Context, tx *sqlx.Tx, id string, now time.Time) error {
	c, err := lockMobileChangeTx(ctx, tx, id)
	if err != nil {
		return err
	}
	return stopMobileChangeTx(ctx, tx, &c, stoppedByStaff, now)
}

func stopMobileChangeTx(ctx context.Context, tx *sqlx.Tx, c *MobileChange, by string, now time.Time) error {
	switch c.State {
	case MobileChangeStopped, MobileChangeFailed: // nothing remains to be stopped
		return nil
	case MobileChangeWaiting:
		err := endMobileChangeTx(ctx, tx, *c, MobileChangeStopped, by, now)
		c.State, c.StoppedBy, c.EndedAt = MobileChangeStopped, by, &now
		return err
	default:
		return ErrMobileChanged
	}
}

// MobileChanges lets the recipients of a change's message stop it by the link, without a log-in. It runs in the API.
type MobileChanges struct {
	db    *sqlx.DB
	jobs  *queue.Inserter
	clock clock.Clock
	keys  secret.Keyring
}

// NewMobileChanges returns the changes over the API's pool.
func NewMobileChanges(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, keys secret.Keyring) *MobileChanges {
	return wiring.Complete(&MobileChanges{db: db, jobs: jobs, clock: clk, keys: keys})
}

// Look returns the change that a link names, and changes nothing; ErrStopLink for a link that is not ours.
func (s *MobileChanges) Look(ctx context.Context, code string) (MobileChange, error) {
	return s.withLinked(ctx, code, func(*sqlx.Tx, *MobileChange) error { return nil })
}

// Stop stops the change of a link, once for any number of calls; ErrStopLink for a link that is not ours, ErrMobileChanged once it is too
// late.
func (s *MobileChanges) Stop(ctx context.Context, code string) (MobileChange, error) {
	return s.withLinked(ctx, code, func(tx *sqlx.Tx, c *MobileChange) error {
		if err := stopMobileChangeTx(ctx, tx, c, stoppedByLink, s.clock.Now()); err != nil {
			return err
		}
		return enqueueMobileChangeTx(ctx, tx, s.jobs, *c, 0) // the act of staff ends with it
	})
}

func (s *MobileChanges) withLinked(ctx context.Context, code string, do func(*sqlx.Tx, *MobileChange) error) (MobileChange, error) {
	id, ok := s.keys.LinkedRow(purposeStopLink, code)
	if !ok {
		return MobileChange{}, ErrStopLink
	}
	franchiserID, err := ownerOfMobileChange(ctx, s.db, id)
	if err != nil {
		return MobileChange{}, err
	}
	if franchiserID == "" {
		return MobileChange{}, ErrStopLink
	}
	var c MobileChange
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if c, err = lockMobileChangeTx(ctx, tx, id); err != nil {
			return err
		}
		return do(tx, &c)
	})
	if errs.KindOf(err) == errs.KindNotFound {
		err = ErrStopLink
	}
	return c, err
}

// changeLetter tells of a change that waits; nothing once it has ended.
func changeLetter(keys secret.Keyring, site string) message.Letter {
	return message.Letter{Write: func(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
		c, err := PendingMoveTx(ctx, tx, m.FranchiserID)
		if err != nil || c == nil || c.ID != m.About {
			return nil, err
		}
		code, err := keys.LinkTo(purposeStopLink, c.ID)
		if err != nil {
			return nil, err
		}
		if m.Template == message.TemplateMobileChangeAsked {
			return &message.Message{Values: []string{c.Ending(), m.Language.Moment(c.DueAt), code}, ExpiresAt: c.DueAt}, nil
		}
		return &message.Message{Values: []string{c.Ending(), m.Language.Moment(c.DueAt)}, Link: site + m.Language.Base() + "/stop/" + code, ExpiresAt: c.DueAt}, nil
	}}
}
