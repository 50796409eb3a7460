package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// newsletter writes the confirmed subscribers as CSV, for the program that sends the newsletter: each issue carries the two links of its
// line, the page in its text and the other in its header List-Unsubscribe.
func newsletter(ctx context.Context, getenv func(string) string, out io.Writer) error {
	keys, err := config.Keyring(getenv)
	if err != nil {
		return err
	}
	site := strings.TrimSuffix(getenv("PUBLIC_URL"), "/")
	if site == "" {
		return errors.New("PUBLIC_URL is not set")
	}
	return asOwner(ctx, getenv, func(db *sqlx.DB) error {
		list, err := contact.Subscribers(ctx, db)
		if err != nil {
			return err
		}
		sheet := text.NewSheet(out)
		if err := sheet.Write([]string{"E-mail", "Given by an account", "Confirmed (IST)", "Page to unsubscribe", "List-Unsubscribe"}); err != nil {
			return err
		}
		for _, s := range list {
			known := "no"
			if s.Known {
				known = "yes"
			}
			page, call, err := s.Links(keys, site)
			if err != nil {
				return err
			}
			if err := sheet.Write([]string{text.Cell(s.Email), known, s.Since.In(clock.IST).Format(time.DateTime), page, call}); err != nil {
				return err
			}
		}
		sheet.Flush()
		return sheet.Error()
	})
}
