package seed

import (
	"context"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

// newsletter writes the confirmed subscribers as CSV, for the program that sends the newsletter: each issue carries the two links of its
// line, the page in its text and the other in its header List-Unsubscribe.
func newsletter(ctx context.Context, call command.Call) error {
	keys, err := config.Keyring(call.Getenv)
	if err != nil {
		return err
	}
	site, err := call.Setting("PUBLIC_URL")
	if err != nil {
		return err
	}
	site = strings.TrimSuffix(site, "/")
	return call.AsOwner(ctx, func(db *sqlx.DB) error {
		list, err := contact.Subscribers(ctx, db)
		if err != nil {
			return err
		}
		sheet := text.NewSheet(call.Out)
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
