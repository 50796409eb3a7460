// Package seed fills a database: `seed catalogue` loads plans and prices, in production too; `seed demo` signs up the demo
// accounts of a development stack through its own API, as users would; `seed staff` creates, changes, disables, enables and
// lists staff accounts; `seed holidays` adds bank holidays, which determine whether a settlement is late; `seed newsletter` lists who
// gets the newsletter.
package seed

import (
	"context"
	"fmt"
	"os"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

// Command returns the command seed.
func Command() command.Command {
	return command.Command{Name: "seed", Uses: []command.Use{
		{Words: "catalogue [FILE]", Does: "loads plans and prices: those of this release, or those of a file", Run: catalogue},
		{Words: "holidays FILE", Does: "adds bank holidays", Run: holidays},
		{Words: "newsletter", Does: "lists the subscribers of the newsletter, as CSV", Run: newsletter},
		{Words: "staff list", Does: "lists the staff accounts", Run: listStaff},
		{Words: "staff first EMAIL NAME", Does: "creates the first admin, with STAFF_PASSWORD", Run: addStaff(staff.CreateFirst)},
		{Words: "staff disable EMAIL REASON", Does: "disables a staff account", Run: switchStaff(staff.Disable)},
		{Words: "staff enable EMAIL REASON", Does: "enables a staff account", Run: switchStaff(staff.Enable)},
		{Words: "staff EMAIL NAME ROLE", Does: "creates or resets a staff account (support, finance, auditor, admin)", Run: addStaff(staff.Ensure)},
		{Words: "demo", Does: "signs up the demo accounts of a development stack", Run: demo},
	}}
}

// catalogue makes the text the newest revision of the catalogue; loading the same text again changes nothing. Without a text it is the
// built-in one, which is not loaded any more once staff changed the catalogue on the console.
func catalogue(ctx context.Context, call command.Call) error {
	return call.AsOwner(ctx, func(db *sqlx.DB) error {
		if len(call.Arguments) == 0 {
			_, err := plan.LoadBuiltIn(ctx, db, call.Clock)
			return loaded(err)
		}
		text, err := os.ReadFile(call.Arguments[0])
		if err != nil {
			return fmt.Errorf("read the catalogue: %w", err)
		}
		_, err = plan.Load(ctx, db, call.Clock, text)
		return loaded(err)
	})
}

func loaded(err error) error {
	if err != nil {
		return fmt.Errorf("load the catalogue: %w", err)
	}
	return nil
}
