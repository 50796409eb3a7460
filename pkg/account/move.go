package account

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// mover moves accounts to another mobile, with everything that knows an account by it.
type mover struct {
	jobs    *queue.Inserter
	records []PersonalData
}

func newMover(jobs *queue.Inserter, records []PersonalData) mover { return mover{jobs: jobs, records: records} }

// moveTx moves the account, withdraws its own invitation to the new mobile, ends pending challenges, and notifies the old mobile. The
// caller ends the sessions. It fails with a conflict if another account has the mobile.
func (m mover) moveTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string, now time.Time) error {
	old, err := lockCredentialsTx(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	if err := setMobileTx(ctx, tx, franchiserID, mobile); err != nil {
		return err
	}
	if err := withdrawInvitationTx(ctx, tx, franchiserID, mobile, now); err != nil {
		return err
	}
	for _, r := range m.records {
		if err := r.MoveTx(ctx, tx, franchiserID, mobile); err != nil {
			return err
		}
	}
	if _, err := changed(ctx, tx, "delete challenges", DeleteChallengesSQL, franchiserID); err != nil {
		return err
	}
	note := code{Mobile: old.Mobile, Purpose: PurposeChangeMobile, Message: messageMobileChanged, FranchiserRef: &franchiserID}
	return enqueueNoticeTx(ctx, tx, m.jobs, note, now)
}
