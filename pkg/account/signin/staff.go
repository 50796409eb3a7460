package signin

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// What staff do for a franchiser. Permissions, reasons and audit records are the support domain's responsibility.

// StaffEndSessions ends every session of the franchiser and returns how many there were.
func (s *Service) StaffEndSessions(ctx context.Context, franchiserID string) (int, error) {
	return s.sessions.EndSessions(ctx, franchiserID, session.EndStaff, nil, nil)
}

// StaffUnlock resets the wrong codes, wrong passwords and sent SMS that lock a franchiser out; KindNotFound if there is
// no such account.
func (s *Service) StaffUnlock(ctx context.Context, franchiserID string) error {
	var mobile, codeSubject string
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		f, ok, err := store.FranchiserTx(ctx, tx, franchiserID)
		if err != nil {
			return err
		}
		if !ok {
			return errs.NotFound()
		}
		c, err := store.CredentialsTx(ctx, tx, franchiserID)
		if err != nil {
			return err
		}
		mobile, codeSubject = f.Mobile, s.codeSubject(franchiserID, c)
		return s.codes.UnlockSendsTx(ctx, tx, mobile)
	})
	if err != nil {
		return err
	}
	if err := s.guard.Forget(ctx, s.limits.Login, mobile); err != nil {
		return err
	}
	return s.guard.Forget(ctx, s.limits.LoginCode, codeSubject)
}

// StaffUnlockMobile resets the wrong codes and sent SMS that keep a number from signing up; it need not have an account
// yet.
func (s *Service) StaffUnlockMobile(ctx context.Context, mobile string) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		return s.codes.UnlockSendsTx(ctx, tx, mobile)
	})
}
