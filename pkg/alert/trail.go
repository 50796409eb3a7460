package alert

import (
	"context"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/staff"
)

const (
	ruleTrailChanged   = "audit_changed"
	ruleTrailUnchecked = "audit_unchecked"
	ruleBooksUnsound   = "books_unsound"
	ruleBooksUnchecked = "books_unchecked"
	// trailUnchecked is the greatest age of the last check of the audit trail, which runs every hour. A paused queue and a job that never
	// ran end up here.
	trailUnchecked = 3 * time.Hour
)

var kindVerifyTrail = staff.VerifyArgs{}.Kind() //nolint:gochecknoglobals // a constant

// trailTx reads the last check of the audit trail. It does not read jobs: staff who may dismiss jobs must not be able to hide the
// result of the check.
func trailTx(ctx context.Context, tx *sqlx.Tx, now time.Time) (*Trail, error) {
	last, err := staff.LastCheckTx(ctx, tx)
	if err != nil || last == nil {
		return nil, err
	}
	return &Trail{Age: now.Sub(last.At), Changed: last.BrokenAt != 0 || last.Problem != "", Problem: last.Problem}, nil
}

// trailIsSound reports whether a failed check of the trail is the job's own fault; otherwise audit_changed says it. A process that does not
// see the last check cannot tell.
func (s Sight) trailIsSound() bool { return s.Full && (s.Trail == nil || !s.Trail.Changed) }

func changedTrail(s Sight, _ Thresholds) []Finding {
	if s.Trail == nil || !s.Trail.Changed {
		return nil
	}
	return []Finding{{Severity: Critical, Message: "The audit trail was changed. " + s.Trail.Problem +
		" Somebody with rights in the database may be hiding what they did. Nobody but an admin can silence this alert."}}
}

func uncheckedTrail(s Sight, _ Thresholds) []Finding {
	if s.Trail == nil || s.Trail.Age <= trailUnchecked {
		return nil
	}
	return []Finding{{Severity: Critical, Message: "The audit trail was last checked " + span(s.Trail.Age) +
		" ago: a change of it would not be noticed. See why the job " + kindVerifyTrail + " does not run."}}
}

// forAdmins are the rules that watch staff themselves. The database has the same list (alert_for_admins).
func forAdmins() []string {
	return []string{ruleTrailChanged, ruleTrailUnchecked, ruleBooksUnsound, ruleBooksUnchecked}
}

// AdminsAlone reports whether only an admin may silence the alert: it watches staff themselves.
func (a Alert) AdminsAlone() bool {
	return slices.Contains(forAdmins(), a.Rule) || a.Subject == kindVerifyTrail
}
