package profile

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Mover moves accounts to another mobile, with everything that knows an account by it.
type Mover struct {
	jobs    *queue.Inserter
	records []account.PersonalData
}

// NewMover returns a mover. It panics if a part is missing.
func NewMover(jobs *queue.Inserter, records []account.PersonalData) *Mover {
	return wiring.Complete(&Mover{jobs: jobs, records: records})
}

// MoveTx moves the account, withdraws its own invitation to the new mobile, ends pending challenges, and notifies the old mobile. The
// caller ends the sessions. It fails with a conflict if another account has the mobile.
func (m *Mover) MoveTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string, now time.Time) error {
	old, err := store.LockCredentialsTx(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	if err := setMobileTx(ctx, tx, franchiserID, mobile); err != nil {
		return err
	}
	if err := team.WithdrawInvitationTx(ctx, tx, franchiserID, mobile, now); err != nil {
		return err
	}
	for _, r := range m.records {
		if err := r.MoveTx(ctx, tx, franchiserID, mobile); err != nil {
			return err
		}
	}
	if _, err := store.Changed(ctx, tx, "delete challenges", store.DeleteChallengesSQL, franchiserID); err != nil {
		return err
	}
	note := otp.Code{Mobile: old.Mobile, Purpose: account.PurposeChangeMobile, Message: otp.MessageMobileChanged, FranchiserRef: &franchiserID}
	return otp.EnqueueNoticeTx(ctx, tx, m.jobs, note, now)
}
