package settlement

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/sheet"
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

// holidayColumns are the columns of a list of holidays, as the Reserve Bank and banks publish it.
func holidayColumns() []sheet.Field {
	return []sheet.Field{
		{Name: sheet.Ignored, Many: true, Heading: sheet.Headings(`s no|sr no|sl no|day|weekday|दिन`)},
		{Name: "day", Heading: sheet.Headings(`date|dates|तारीख|दिनांक|तिथि`)},
		{Name: "name", Heading: sheet.Headings(`name|holiday|occasion|festival|description|अवकाश|छुट्टी|त्योहार|नाम`)},
	}
}

// ReadHolidays reads a list of holidays: CSV in any encoding or an Excel workbook, with headings or with the date and the name in the first
// two columns. It refuses the list if it does not understand a line, or if the day and the month of a date can be exchanged.
func ReadHolidays(file []byte) ([]Holiday, error) {
	read, err := sheet.Text(file)
	if err != nil {
		return nil, err
	}
	list := sheet.ReadList(read, holidayColumns(), nil, 0)
	if !list.Has("day") || !list.Has("name") {
		list = sheet.ReadList(read, nil, nil, 0)
		if len(list.Columns) < 2 {
			return nil, errs.Invalid("The list has no columns for the date and the name.")
		}
		list.Columns[0], list.Columns[1] = "day", "name"
	}
	holidays := make([]Holiday, 0, len(list.Rows))
	for _, line := range list.Rows {
		if strings.HasPrefix(line.Cells[0], "#") {
			continue
		}
		at, ok := sheet.ReadDay(list.Cell(line, "day")).In(sheet.OrderUnknown)
		if !ok || line.Problem != "" || len(line.Cells) > len(list.Columns) {
			return nil, errs.Invalid(fmt.Sprintf("Line %d is not understood. Write the date as 2027-03-22 or 22-Mar-2027.", line.Number))
		}
		holidays = append(holidays, Holiday{Day: subscription.DayOf(at), Name: list.Cell(line, "name")})
	}
	return holidays, nil
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
