package connect

import (
	"context"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Errors that are safe to show.
var (
	// ErrTooManySystems reports that the maximum number of systems exists.
	ErrTooManySystems = errs.New(errs.KindConflict, "too_many_systems", "There are 20 systems. Remove one first.")
	// ErrSystemState reports that the system is in that state already.
	ErrSystemState = errs.New(errs.KindConflict, "system_state", "This system was changed meanwhile. Look at it again.")
	// ErrDashboardTaken reports that the customers' button leads to another system.
	ErrDashboardTaken = errs.New(errs.KindConflict, "dashboard_taken", "The customers’ button leads to another system. Change that one first.")
)

// Systems returns all systems that were not removed.
func (s *SignIns) Systems(ctx context.Context) (list []System, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		list, err = systems(ctx, tx)
		return err
	})
	return list, err
}

// AddSystem lets a system sign customers in and returns its secret, which is never shown again. It needs a Proof.
func (s *SignIns) AddSystem(
	ctx context.Context, p staff.Principal, in SystemInput, proof staff.Proof, reason string,
) (System, string, error) {
	in, err := in.check(s.plain)
	if err != nil {
		return System{}, "", err
	}
	if reason, err = s.prover.Prove(ctx, p, proof, reason); err != nil {
		return System{}, "", err
	}
	systemID, shown := id.New(), secretPrefix+secret.Token()
	added, err := s.act(ctx, p, "add_sign_in_system", systemID, reason, func(tx *sqlx.Tx, _ System) error {
		list, err := systems(ctx, tx)
		switch {
		case err != nil:
			return err
		case len(list) >= maxSystems:
			return ErrTooManySystems
		case in.Dashboard && slices.ContainsFunc(list, func(one System) bool { return one.Dashboard }):
			return ErrDashboardTaken
		}
		return insertSystem(ctx, tx, systemID, in, secret.Hash(shown), s.clock.Now())
	})
	return added, shown, err
}

// ChangeSystem gives a system another label or other addresses. It needs a Proof, because customers are sent to these addresses.
func (s *SignIns) ChangeSystem(
	ctx context.Context, p staff.Principal, systemID string, in SystemInput, proof staff.Proof, reason string,
) (System, error) {
	in, err := in.check(s.plain)
	if err != nil {
		return System{}, err
	}
	if reason, err = s.prover.Prove(ctx, p, proof, reason); err != nil {
		return System{}, err
	}
	return s.act(ctx, p, "change_sign_in_system", systemID, reason, func(tx *sqlx.Tx, _ System) error {
		list, err := systems(ctx, tx)
		if err != nil {
			return err
		}
		if in.Dashboard && slices.ContainsFunc(list, func(one System) bool { return one.Dashboard && one.ID != systemID }) {
			return ErrDashboardTaken
		}
		return updateSystem(ctx, tx, systemID, in, s.clock.Now())
	})
}

// RotateSystem gives a system another secret and returns it. The one before counts too for a day. It needs a Proof.
func (s *SignIns) RotateSystem(
	ctx context.Context, p staff.Principal, systemID string, proof staff.Proof, reason string,
) (System, string, error) {
	reason, err := s.prover.Prove(ctx, p, proof, reason)
	if err != nil {
		return System{}, "", err
	}
	shown := secretPrefix + secret.Token()
	changed, err := s.act(ctx, p, "rotate_sign_in_system", systemID, reason, func(tx *sqlx.Tx, _ System) error {
		now := s.clock.Now()
		return rotateSystem(ctx, tx, systemID, secret.Hash(shown), now.Add(oldSecretFor), now)
	})
	return changed, shown, err
}

// SetSystemState enables, disables or removes a system. A system that is not enabled neither receives nor redeems codes from that
// moment. Only enabling needs a Proof.
func (s *SignIns) SetSystemState(
	ctx context.Context, p staff.Principal, systemID string, state SystemState, proof staff.Proof, reason string,
) (err error) {
	action, ok := map[SystemState]string{
		SystemEnabled: "enable_sign_in_system", SystemDisabled: "disable_sign_in_system", SystemRemoved: "remove_sign_in_system",
	}[state]
	if !ok {
		var v errs.Validation
		v.Check(false, "state", "There is no such state.")
		return v.Err()
	}
	if state == SystemEnabled {
		if reason, err = s.prover.Prove(ctx, p, proof, reason); err != nil {
			return err
		}
	}
	_, err = s.act(ctx, p, action, systemID, reason, func(tx *sqlx.Tx, before System) error {
		if before.State == state {
			return ErrSystemState
		}
		return setSystemState(ctx, tx, systemID, state, s.clock.Now())
	})
	return err
}

// act changes a system and records its state before and after. A new system has no state before.
func (s *SignIns) act(
	ctx context.Context, p staff.Principal, action, systemID, reason string, change func(tx *sqlx.Tx, before System) error,
) (after System, err error) {
	if reason, err = staff.CleanReason(reason); err != nil {
		return after, err
	}
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		before, err := System{}, error(nil)
		if action != "add_sign_in_system" {
			if before, err = systemByID(ctx, tx, systemID); err != nil {
				return err
			}
		}
		if err := change(tx, before); err != nil {
			return err
		}
		if action != "remove_sign_in_system" {
			if after, err = systemByID(ctx, tx, systemID); err != nil {
				return err
			}
		}
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: action, Target: "sign_in_system:" + systemID, Reason: reason, Before: summaryOf(before), After: summaryOf(after),
		})
	})
	return after, err
}

// summaryOf is the trail's record of a system, without secrets.
func summaryOf(one System) string {
	if one.ID == "" {
		return ""
	}
	return staff.JSON(map[string]any{
		"label": one.Label, "login_url": one.LoginURL, "redirect_uris": one.RedirectURIs, "dashboard": one.Dashboard, "state": one.State,
	})
}
