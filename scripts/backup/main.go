// Command backup writes all that the product keeps, the database and the documents, as one file to its standard output, and
// with the argument restore reads such a file from its standard input into an empty place. README.md says how it is used.
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
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/scripts/books"
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, config.Getenv(logger), logger); err != nil {
		logger.Error("backup", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run needs DATABASE_OWNER_URL of a superuser and the S3 settings of one who reads, lists and writes; restore also
// WORKER_DATABASE_URL, with which it checks the books.
func run(ctx context.Context, arguments []string, in io.Reader, out io.Writer, getenv func(string) string, logger *slog.Logger) (err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	restoring := len(arguments) > 0 && arguments[0] == "restore"
	if restoring {
		arguments = arguments[1:]
	}
	flags := flag.NewFlagSet("backup", flag.ContinueOnError)
	without := flags.Bool("without-objects", false, "leave the documents where they are")
	if err := flags.Parse(arguments); err != nil || flags.NArg() > 0 {
		return errors.Join(errors.New("want nothing or restore, and -without-objects where the documents are kept by others"), err)
	}
	if getenv("DATABASE_OWNER_URL") == "" || restoring && getenv("WORKER_DATABASE_URL") == "" {
		return errors.New("DATABASE_OWNER_URL is not set, or WORKER_DATABASE_URL for a restore")
	}
	var store *objectstore.Store
	if !*without {
		if store, err = openStore(getenv); err != nil {
			return err
		}
	}
	db, err := pgx.Connect(ctx, getenv("DATABASE_OWNER_URL"))
	if err != nil {
		return errors.New("the database cannot be reached at DATABASE_OWNER_URL") // the cause may hold the address
	}
	defer func() { err = errors.Join(err, db.Close(context.WithoutCancel(ctx))) }()
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

func openStore(getenv func(string) string) (*objectstore.Store, error) {
	for _, name := range []string{"S3_ENDPOINT", "S3_BUCKET"} {
		if getenv(name) == "" {
			return nil, errors.New(name + " is not set")
		}
	}
	return objectstore.New(objectstore.Options{
		Endpoint: getenv("S3_ENDPOINT"), Region: getenv("S3_REGION"), Bucket: getenv("S3_BUCKET"), Addressing: getenv("S3_ADDRESSING"),
		AccessKey: getenv("S3_ACCESS_KEY"), SecretKey: getenv("S3_SECRET_KEY"), SessionToken: getenv("S3_SESSION_TOKEN"),
	})
}
