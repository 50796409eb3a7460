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

// GraceEndedTx returns, for staff, at most most franchisers whose last day of grace is from first to last, and their total number.
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

// GraceHelpedTx returns those of GraceEndedTx who could renew today with that many more days of grace, up to their limit, and their total
// number.
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

// GraceEndedAfterTx returns, for the worker, the next of those franchisers by id.
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

// ExtendTx extends a franchiser's grace by days, up to the limit, and informs it by SMS and e-mail. done is false if the extension has no
// use: the plan was renewed, the limit is used up, or the longer grace would be over too.
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

// graceLetter says until when the franchiser can renew. It is not sent outside grace.
func (l letters) graceLetter(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
	sub, err := l.service.store.subscription(ctx, tx, m.FranchiserID)
	if err != nil || sub == nil || sub.State != StateGrace {
		return nil, err
	}
	return &message.Message{Values: []string{sub.PayBy().In(m.Language)}}, nil
}
