package main

import (
	"context"
	"io"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// newsletter writes who gets the newsletter as CSV, for the program that sends it.
func newsletter(ctx context.Context, getenv func(string) string, out io.Writer) error {
	return asOwner(ctx, getenv, func(db *sqlx.DB) error {
		list, err := contact.Subscribers(ctx, db)
		if err != nil {
			return err
		}
		sheet := text.NewSheet(out)
		if err := sheet.Write([]string{"E-mail", "Given by an account", "Since (IST)"}); err != nil {
			return err
		}
		for _, s := range list {
			known := "no"
			if s.Known {
				known = "yes"
			}
			if err := sheet.Write([]string{text.Cell(s.Email), known, s.Since.In(clock.IST).Format(time.DateTime)}); err != nil {
				return err
			}
		}
		sheet.Flush()
		return sheet.Error()
	})
}
