package settlement

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Holiday is a day on which Indian banks settle nothing.
type Holiday struct {
	Day  subscription.Day
	Name string
}

const saveHolidaySQL = `INSERT INTO bank_holidays (day, name) VALUES ($1, $2) ON CONFLICT (day) DO UPDATE SET name = EXCLUDED.name`

// SaveHolidays adds bank holidays to the calendar, or renames them. It needs the owner's role.
func SaveHolidays(ctx context.Context, owner *sqlx.DB, list []Holiday) error {
	return postgres.InTx(ctx, owner, func(tx *sqlx.Tx) error {
		for _, h := range list {
			if h.Day < subscription.NewDay(2000, time.January, 1) || h.Name == "" || utf8.RuneCountInString(h.Name) > 100 {
				return errs.Invalid(fmt.Sprintf("%s is no holiday: a day and a name of up to 100 letters are.", h.Day))
			}
			if _, err := tx.ExecContext(ctx, saveHolidaySQL, h.Day, h.Name); err != nil {
				return fmt.Errorf("save bank holiday: %w", err)
			}
		}
		return nil
	})
}

const holidaysSQL = `SELECT day FROM bank_holidays`

func (store) holidays(ctx context.Context, tx *sqlx.Tx) (holidays, error) {
	var days []subscription.Day
	if err := tx.SelectContext(ctx, &days, holidaysSQL); err != nil {
		return nil, fmt.Errorf("read bank holidays: %w", err)
	}
	free := make(holidays, len(days))
	for _, d := range days {
		free[d] = true
	}
	return free, nil
}
