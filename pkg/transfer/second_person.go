package transfer

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/staff"
)

// waitsTx reports whether a second person must decide first. This applies to returns, releases, dismissals, deducted tax, and a credit of
// another customer. It also applies to a credit that the same person entered, or a person who may be the same, because nobody else has
// confirmed the money. Database policies enforce the same rule.
func (d *Desk) waitsTx(ctx context.Context, tx *sqlx.Tx, in UseInput, c BankCredit, customer string, by staff.Principal) (bool, error) {
	if in.Kind != UseOrder || in.TDS+in.GSTTDS > 0 || c.EnteredBy == by.StaffID || c.FranchiserID != "" && c.FranchiserID != customer {
		return true, nil
	}
	err := staff.SecondPersonTx(ctx, tx, c.EnteredBy, d.clock.Now())
	if errors.Is(err, staff.ErrOnePerson) {
		return true, nil
	}
	return false, err
}
