// Command backup writes the product's entire data, database and documents, to standard output as one file; `-into FOLDER` writes it to
// a file of a folder. `backup restore`
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
	"path/filepath"
	"syscall"
	"time"

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
	into := flags.String("into", "", "the folder that receives the file, named by its time; empty for standard output")
	if err := flags.Parse(arguments); err != nil || flags.NArg() > 0 || *into != "" && (restoring || noting) {
		return errors.Join(errors.New("want nothing, restore or note, -without-objects where the documents are kept by others, and -into FOLDER"), err)
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
	if *into != "" {
		return saveInto(*into, clock.System{}.Now(), func(out io.Writer) error { return save(ctx, db, store, out, logger) })
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

// saveInto has the backup written to a file, which gets its name once all of it is on the disk.
func saveInto(folder string, now time.Time, write func(io.Writer) error) error {
	path := filepath.Join(folder, "franchise360-"+now.UTC().Format("20060102T150405Z")+".tar.gz")
	file, err := os.OpenFile(path+".part", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("make the file: %w", err)
	}
	if err := errors.Join(write(file), file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path+".part"))
	}
	if err := os.Rename(path+".part", path); err != nil {
		return fmt.Errorf("name the file: %w", err)
	}
	return nil
}
