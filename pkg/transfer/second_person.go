package transfer

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/staff"
)

// waitsTx reports whether a second person decides first: over money that goes out, that is taken from a bill or from the books, and that is
// given to another customer than before; over deducted tax; and over a bill that is to be paid by a credit that the same person entered,
// or who may be the same person did, since nobody else has seen that the money came. The database holds the same by its policies.
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
