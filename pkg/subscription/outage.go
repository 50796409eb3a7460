package subscription

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
)

// GraceEnd is a franchiser and its last day of grace.
type GraceEnd struct {
	FranchiserID string `db:"franchiser_id"`
	LastDay      Day    `db:"last_day"`
	Total        int    `db:"total"`
}

// GraceEndedTx returns, for staff, at most that many franchisers whose last day of grace is one of the days, both included, and how many
// there are.
func GraceEndedTx(ctx context.Context, tx *sqlx.Tx, first, last Day, most int) (list []GraceEnd, total int, err error) {
	err = tx.SelectContext(ctx, &list, `SELECT franchiser_id, last_day, total FROM grace_ended($1, $2, $3)`, first, last, most)
	if err != nil {
		return nil, 0, fmt.Errorf("find whose grace ended: %w", err)
	}
	if len(list) > 0 {
		total = list[0].Total
	}
	return list, total, nil
}

// GraceHelpedTx returns, for staff, at most that many of them who could renew today with so many more days of grace, or with as many as they
// may still be given, and how many there are.
func GraceHelpedTx(ctx context.Context, tx *sqlx.Tx, first, last Day, days int, today Day, most int) (list []GraceEnd, total int, err error) {
	err = tx.SelectContext(ctx, &list, `SELECT franchiser_id, last_day, total FROM grace_helped($1, $2, $3, $4, $5)`, first, last, days, today, most)
	if err != nil {
		return nil, 0, fmt.Errorf("find whom more grace helps: %w", err)
	}
	if len(list) > 0 {
		total = list[0].Total
	}
	return list, total, nil
}

// GraceEndedAfterTx returns, for the worker, the next of them by id.
func GraceEndedAfterTx(ctx context.Context, tx *sqlx.Tx, first, last Day, after string, most int) (list []GraceEnd, err error) {
	if after == "" {
		after = "00000000-0000-0000-0000-000000000000"
	}
	err = tx.SelectContext(ctx, &list, `SELECT franchiser_id, last_day, total FROM grace_ended_of_all($1, $2, $3, $4)`, first, last, after, most)
	if err != nil {
		return nil, fmt.Errorf("find whose grace ended: %w", err)
	}
	return list, nil
}

// ExtendTx gives a franchiser days more of grace, or as many as it may still be given, and tells it by SMS and e-mail. done is false if
// that helps nobody by now: the plan was renewed, the most was given before, or the longer grace would be over too.
func (s *GraceExtensions) ExtendTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, franchiserID string, days int, reason string, now time.Time) (done bool, err error) {
	if err := LockTx(ctx, tx, franchiserID); err != nil {
		return false, err
	}
	found, err := s.foundTx(ctx, tx, franchiserID, now)
	if err != nil {
		return false, err
	}
	if left := MaxGraceExtra - found.GraceExtra; days > left {
		days = left
	}
	if _, err := s.extendTx(ctx, tx, p, *found, days, reason, now); err != nil {
		if kind := errs.KindOf(err); kind == errs.KindConflict || kind == errs.KindInvalid {
			return false, nil
		}
		return false, err
	}
	for _, template := range []string{message.TemplateGraceGiven, message.TemplateGraceGivenEmail} {
		m := message.CustomerMessage{FranchiserID: franchiserID, Template: template, About: id.New(), CreatedAt: now}
		if err := s.messages.OnceTx(ctx, tx, m); err != nil {
			return false, err
		}
	}
	return true, nil
}

// graceLetter tells until when the franchiser can renew; nothing once it did, or cannot any more.
func (l letters) graceLetter(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
	sub, err := l.service.store.subscription(ctx, tx, m.FranchiserID)
	if err != nil || sub == nil || sub.State != StateGrace {
		return nil, err
	}
	return &message.Message{Values: []string{sub.PayBy().In(m.Language)}}, nil
}
