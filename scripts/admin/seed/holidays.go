package seed

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

// holidays adds the bank holidays of a CSV file with a date and name per line: 2027-03-22,Holi.
func holidays(ctx context.Context, call command.Call) error {
	text, err := os.ReadFile(call.Arguments[0])
	if err != nil {
		return fmt.Errorf("read the holidays: %w", err)
	}
	list, err := readHolidays(string(text))
	if err != nil {
		return err
	}
	return call.AsOwner(ctx, func(db *sqlx.DB) error { return settlement.SaveHolidays(ctx, db, list) })
}

func readHolidays(text string) ([]settlement.Holiday, error) {
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord, reader.Comment, reader.TrimLeadingSpace = 2, '#', true
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read the holidays: %w", err)
	}
	list := make([]settlement.Holiday, 0, len(rows))
	for _, row := range rows {
		h := settlement.Holiday{Name: strings.TrimSpace(row[1])}
		if err := h.Day.UnmarshalText([]byte(row[0])); err != nil {
			return nil, err
		}
		list = append(list, h)
	}
	return list, nil
}
