package account

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// StaffUnlockMobile forgets the wrong codes and sent SMS that keep a number from signing up; it may have no account yet.
func (s *Service) StaffUnlockMobile(ctx context.Context, mobile string) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		return s.unlockSendsTx(ctx, tx, mobile)
	})
}
