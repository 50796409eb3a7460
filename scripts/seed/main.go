// Command seed fills a database: `seed catalogue` loads plans and prices, in production too; `seed demo` signs up the demo
// accounts of a development stack through its own API, as users would; `seed staff` creates, changes, disables, enables and
// lists staff accounts; `seed holidays` adds bank holidays, which determine whether a settlement is late; `seed newsletter` lists who
// gets the newsletter.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/version"
	"github.com/franchise360/franchise360/pkg/staff"
)

func main() {
	if version.Told(os.Args[1:], os.Stdout) {
		return
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), os.Args[1:], config.Getenv(logger)); err != nil {
		logger.Error("seed", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string, getenv func(string) string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch {
	case len(arguments) == 1 && arguments[0] == "demo":
		return demo(ctx, getenv)
	case len(arguments) == 1 && arguments[0] == "catalogue":
		return catalogue(ctx, getenv("DATABASE_OWNER_URL"), nil)
	case len(arguments) == 2 && arguments[0] == "catalogue":
		text, err := os.ReadFile(arguments[1])
		if err != nil {
			return fmt.Errorf("read the catalogue: %w", err)
		}
		return catalogue(ctx, getenv("DATABASE_OWNER_URL"), text)
	case len(arguments) == 2 && arguments[0] == "holidays":
		return holidays(ctx, getenv("DATABASE_OWNER_URL"), arguments[1])
	case len(arguments) == 1 && arguments[0] == "newsletter":
		return newsletter(ctx, getenv, os.Stdout)
	case len(arguments) == 2 && arguments[0] == "staff" && arguments[1] == "list":
		return listStaff(ctx, getenv)
	case len(arguments) == 4 && arguments[0] == "staff" && (arguments[1] == "disable" || arguments[1] == "enable"):
		return switchStaff(ctx, getenv, arguments[1], arguments[2], arguments[3])
	case len(arguments) == 4 && arguments[0] == "staff" && arguments[1] == "first":
		return addStaff(ctx, getenv, staff.CreateFirst, arguments[2], arguments[3], string(staff.RoleAdmin))
	case len(arguments) == 4 && arguments[0] == "staff":
		return addStaff(ctx, getenv, staff.Ensure, arguments[1], arguments[2], arguments[3])
	default:
		return errors.New("usage: seed catalogue [file], seed holidays FILE, seed newsletter, seed demo, " +
			"seed staff first EMAIL NAME, seed staff EMAIL NAME support|finance|auditor|admin, seed staff disable|enable EMAIL REASON, or seed staff list")
	}
}

// catalogue makes the text the newest revision of the catalogue; loading the same text again changes nothing. Without a text it is the
// built-in one, which is not loaded any more once staff changed the catalogue on the console.
func catalogue(ctx context.Context, ownerURL string, text []byte) (err error) {
	if ownerURL == "" {
		return errors.New("DATABASE_OWNER_URL is not set")
	}
	db, err := postgres.Open(ctx, ownerURL, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if text == nil {
		_, err = plan.LoadBuiltIn(ctx, db, clock.System{})
	} else {
		_, err = plan.Load(ctx, db, clock.System{}, text)
	}
	if err != nil {
		return fmt.Errorf("load the catalogue: %w", err)
	}
	return nil
}
