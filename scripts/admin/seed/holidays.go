package seed

import (
	"context"
	"fmt"
	"os"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

// holidays adds the bank holidays of a sheet with a date and a name per line: 2027-03-22,Holi.
func holidays(ctx context.Context, call command.Call) error {
	file, err := os.ReadFile(call.Arguments[0])
	if err != nil {
		return fmt.Errorf("read the holidays: %w", err)
	}
	list, err := settlement.ReadHolidays(file)
	if err != nil {
		return err
	}
	return call.AsOwner(ctx, func(db *sqlx.DB) error { return settlement.SaveHolidays(ctx, db, list) })
}
