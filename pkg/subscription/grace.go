package subscription

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// ErrNoGrace refuses to extend a grace period that does not exist or is over.
var ErrNoGrace = errs.New(errs.KindConflict, "no_grace",
	"Only a paid plan that runs, is in grace or expired a short while ago can be given more grace.")

// Recorder records what staff do, in the same transaction; implemented by staff.Service.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// GraceExtensions lets staff extend the grace period of one customer. It runs with the API's database role.
type GraceExtensions struct {
	db       *sqlx.DB
	clock    clock.Clock
	recorder Recorder
	messages *message.Enqueuer
	store    store
}

// NewGraceExtensions returns GraceExtensions over the API's pool; the recorder records every extension in the same
// transaction.
func NewGraceExtensions(db *sqlx.DB, clk clock.Clock, recorder Recorder, messages *message.Enqueuer) *GraceExtensions {
	return wiring.Complete(&GraceExtensions{db: db, clock: clk, recorder: recorder, messages: messages, store: store{db: db}})
}

// ExtendGrace adds days, 1 to MaxGraceExtra in total, to the grace that follows the present term, and returns the updated subscription;
// PayBy is the last day of grace. An expired plan returns to grace if the extended grace is not over. Paying for a term resets the extra
// days to 0. It returns field errors for invalid days or an invalid reason, errs.NotFound for a customer without a plan, and ErrNoGrace
// if extra days cannot help: in a trial, with the next term paid, after a lapse, or too long after the expiry.
func (s *GraceExtensions) ExtendGrace(ctx context.Context, p staff.Principal, franchiserID string, days int, reason string) (Subscription, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return Subscription{}, err
	}
	var sub Subscription
	err = InLockedTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		now := s.clock.Now()
		found, err := s.foundTx(ctx, tx, franchiserID, now)
		if err != nil {
			return err
		}
		sub, err = s.extendTx(ctx, tx, p, *found, days, reason, now)
		return err
	})
	return sub, err
}

// foundTx returns the franchiser's up-to-date subscription, locked, or errs.NotFound.
func (s *GraceExtensions) foundTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) (*Subscription, error) {
	if err := s.store.advanceOne(ctx, tx, franchiserID, DayOf(now), now); err != nil {
		return nil, err
	}
	found, err := s.store.lockedSubscription(ctx, tx, franchiserID)
	if err == nil && found == nil {
		err = errs.NotFound()
	}
	return found, err
}

// extendTx extends the grace of the found subscription, and records it.
func (s *GraceExtensions) extendTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, found Subscription, days int, reason string, now time.Time) (Subscription, error) {
	sub, err := found.withMoreGrace(days, DayOf(now))
	if err != nil {
		return sub, err
	}
	if err := s.store.saveSubscription(ctx, tx, sub, now); err != nil {
		return sub, err
	}
	if found.State == StateExpired {
		if err := s.store.resumeTerm(ctx, tx, sub); err != nil {
			return sub, err
		}
	}
	if err := s.store.insertEvent(ctx, tx, event{sub: sub, kind: "grace_extended", from: found.State, at: now}); err != nil {
		return sub, err
	}
	return sub, s.recorder.RecordTx(ctx, tx, p, staff.Action{
		Action: "extend_grace", Target: "subscription:" + sub.ID, FranchiserRef: &sub.FranchiserID, Reason: reason,
		Before: found.graceText(), After: sub.graceText(),
	})
}

// withMoreGrace returns the subscription with more days of grace, as of today.
func (s Subscription) withMoreGrace(days int, today Day) (Subscription, error) {
	most := MaxGraceExtra - s.GraceExtra
	if days < 1 || days > most {
		message := fmt.Sprintf("Up to %d more days can be given.", most)
		return s, errs.Invalid(message).Field("days", message)
	}
	s.GraceExtra += days
	switch {
	case s.Trial || s.Prepaid() || s.State == StateTrialing || s.State == StateLapsed:
		return s, ErrNoGrace
	case s.State == StateExpired && (s.RenewOn+s.grace() <= today || today < s.RenewOn): // too long ago, or on the first day of a term
		return s, ErrNoGrace
	case s.State == StateExpired:
		if err := states().Move(&s.State, StateGrace); err != nil {
			return s, err
		}
		s.ExpiredOn, s.Revoked = 0, false
	}
	return s, nil
}

func (s Subscription) graceText() string {
	text, _ := json.Marshal(map[string]any{"state": s.State, "pay_by": s.PayBy(), "extra_days": s.GraceExtra}) // always marshals
	return string(text)
}
