// Command backup writes the product's entire data, database and documents, to standard output as one file. `backup restore`
// reads such a file from standard input into an empty installation, and `backup note` notes that another program has made a backup.
// See README.md for usage.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/jackc/pgx/v5"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/version"
	"github.com/franchise360/franchise360/scripts/books"
)

func main() {
	if version.Told(os.Args[1:], os.Stdout) {
		return
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, config.Getenv(logger), logger); err != nil {
		logger.Error("backup", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run needs DATABASE_OWNER_URL for a superuser and S3 settings with permission to read, list and write; restore also needs
// WORKER_DATABASE_URL to verify the books.
func run(ctx context.Context, arguments []string, in io.Reader, out io.Writer, getenv func(string) string, logger *slog.Logger) (err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	restoring, noting := len(arguments) > 0 && arguments[0] == "restore", len(arguments) > 0 && arguments[0] == "note"
	if restoring || noting {
		arguments = arguments[1:]
	}
	flags := flag.NewFlagSet("backup", flag.ContinueOnError)
	without := flags.Bool("without-objects", false, "leave the documents where they are")
	if err := flags.Parse(arguments); err != nil || flags.NArg() > 0 {
		return errors.Join(errors.New("want nothing, restore or note, and -without-objects where the documents are kept by others"), err)
	}
	if getenv("DATABASE_OWNER_URL") == "" || restoring && getenv("WORKER_DATABASE_URL") == "" {
		return errors.New("DATABASE_OWNER_URL is not set, or WORKER_DATABASE_URL for a restore")
	}
	var store *objectstore.Store
	if !*without && !noting {
		if store, err = objectstore.Open(getenv, "S3_"); err != nil {
			return err
		}
	}
	db, err := pgx.Connect(ctx, getenv("DATABASE_OWNER_URL"))
	if err != nil {
		return errors.New("the database cannot be reached at DATABASE_OWNER_URL") // the cause may contain the address
	}
	defer func() { err = errors.Join(err, db.Close(context.WithoutCancel(ctx))) }()
	if noting {
		return note(ctx, db, clock.System{}.Now(), alert.SavedElsewhere)
	}
	if !restoring {
		return save(ctx, db, store, out, logger)
	}
	if err := restore(ctx, db, store, in, logger); err != nil {
		return err
	}
	if err := books.Check(ctx, out, getenv("WORKER_DATABASE_URL")); err != nil {
		return fmt.Errorf("everything is restored, but the books are not in order: %w", err)
	}
	return nil
}
