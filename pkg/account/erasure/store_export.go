package erasure

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/account/team"
)

const eraseChangesSQL = `DELETE FROM mobile_changes WHERE franchiser_id = $1`

// mobileChangeExport is one change in the export of personal data.
type mobileChangeExport struct {
	From      string                     `db:"old_mobile" json:"from"`
	To        string                     `db:"mobile" json:"to"`
	State     recovery.MobileChangeState `db:"state" json:"state"`
	CreatedAt time.Time                  `db:"created_at" json:"asked_at"`
	DueAt     time.Time                  `db:"due_at" json:"due_at"`
}

const exportChangesSQL = `
	SELECT old_mobile, mobile, state, created_at, due_at FROM mobile_changes WHERE franchiser_id = $1 ORDER BY created_at, id`

func exportMobileChangesTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]mobileChangeExport, error) {
	var list []mobileChangeExport
	if err := tx.SelectContext(ctx, &list, exportChangesSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("export changes of mobile: %w", err)
	}
	return list, nil
}

const exportTeamSQL = `SELECT name, mobile, role, state FROM team_members WHERE franchiser_id = $1 AND mobile <> '' ORDER BY invited_at, id`

type memberExport struct {
	Name   string           `json:"name" db:"name"`
	Mobile string           `json:"mobile" db:"mobile"`
	Role   account.Role     `json:"role" db:"role"`
	Status team.MemberState `json:"status" db:"state"`
}

func exportTeamTx(ctx context.Context, tx *sqlx.Tx, accountID string) ([]memberExport, error) {
	list := []memberExport{}
	if err := tx.SelectContext(ctx, &list, exportTeamSQL, accountID); err != nil {
		return nil, fmt.Errorf("export team: %w", err)
	}
	return list, nil
}

// membershipExport is another person's account to which the person belongs.
type membershipExport struct {
	Account string       `json:"account"`
	Role    account.Role `json:"role"`
}

func exportMembershipsTx(ctx context.Context, tx *sqlx.Tx) ([]membershipExport, error) {
	memberships, err := store.MembershipsTx(ctx, tx)
	if err != nil {
		return nil, err
	}
	list := make([]membershipExport, 0, len(memberships))
	for _, m := range memberships {
		list = append(list, membershipExport{Account: m.Name, Role: m.Role})
	}
	return list, nil
}
