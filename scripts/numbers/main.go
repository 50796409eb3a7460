// Command numbers accounts, after a restore, for document numbers issued after the restored moment. Without arguments it prints how far
// each series has got and which documents in the object store the database lacks; `numbers resume` skips those numbers and any given ones
// and re-enables numbering; `numbers hold REASON` disables it by hand.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/version"
)

const usage = "want nothing, hold REASON, or resume and none or the highest number that was given in each series (FP/26-27/000042 …); " +
	"-without-objects before them where the documents are kept by others"

func main() {
	if version.Told(os.Args[1:], os.Stdout) {
		return
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), os.Args[1:], os.Stdout, config.Getenv(logger), clock.System{}); err != nil {
		logger.Error("numbers", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run needs DATABASE_OWNER_URL and, unless given -without-objects, S3 settings with permission to read and list.
func run(ctx context.Context, arguments []string, out io.Writer, getenv func(string) string, clk clock.Clock) (err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	flags := flag.NewFlagSet("numbers", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	without := flags.Bool("without-objects", false, "do not look into the object store")
	if err := flags.Parse(arguments); err != nil {
		return errors.Join(errors.New(usage), err)
	}
	if getenv("DATABASE_OWNER_URL") == "" {
		return errors.New("DATABASE_OWNER_URL is not set")
	}
	db, err := postgres.Open(ctx, getenv("DATABASE_OWNER_URL"), 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if flags.NArg() == 2 && flags.Arg(0) == "hold" && flags.Arg(1) != "" {
		return errors.Join(invoice.HoldNumbers(ctx, db, flags.Arg(1), clk.Now()), tell(ctx, out, db))
	}
	var store *objectstore.Store
	if !*without {
		if store, err = objectstore.Open(getenv, "S3_"); err != nil {
			return err
		}
	}
	switch {
	case flags.NArg() == 0:
		return errors.Join(tell(ctx, out, db), look(ctx, out, db, store, map[string]invoice.Series{}))
	case flags.NArg() > 1 && flags.Arg(0) == "resume":
		return resume(ctx, out, db, store, flags.Args()[1:], clk)
	default:
		return errors.New(usage)
	}
}

// resume skips the given numbers and those found in the object store.
func resume(ctx context.Context, out io.Writer, db *sqlx.DB, store *objectstore.Store, told []string, clk clock.Clock) error {
	highest := map[string]invoice.Series{}
	if !slices.Equal(told, []string{"none"}) {
		for _, number := range told {
			if err := pass(highest, number); err != nil {
				return err
			}
		}
	}
	if err := look(ctx, out, db, store, highest); err != nil {
		return err
	}
	if err := invoice.ResumeNumbers(ctx, db, slices.Collect(maps.Values(highest)), clk.Now()); err != nil {
		return err
	}
	return tell(ctx, out, db)
}

// pass records the number if it is the highest of its series and year.
func pass(highest map[string]invoice.Series, number string) error {
	s, err := invoice.ParseNumber(number)
	if err != nil {
		return err
	}
	if key := s.Name + "/" + s.FinancialYear; s.Last > highest[key].Last {
		highest[key] = s
	}
	return nil
}

// look finds documents in the object store that are not in the database, prints them and skips their numbers.
func look(ctx context.Context, out io.Writer, db *sqlx.DB, store *objectstore.Store, highest map[string]invoice.Series) error {
	if store == nil {
		return nil
	}
	const batch = 1000
	keys := map[string]string{} // by document id
	check := func() error {
		unknown, err := invoice.Unknown(ctx, db, slices.Collect(maps.Keys(keys)))
		if err != nil {
			return err
		}
		for _, id := range slices.Sorted(slices.Values(unknown)) {
			if err := found(ctx, out, store, keys[id], highest); err != nil {
				return err
			}
		}
		clear(keys)
		return nil
	}
	err := store.EachKey(ctx, "invoices/", func(key string) error {
		parts := strings.Split(key, "/") // invoices/26-27/<id>/<digest>.pdf
		if len(parts) != 4 {
			return fmt.Errorf("%s in the object store is no document of the product's", key)
		}
		keys[parts[2]] = key
		if len(keys) < batch {
			return nil
		}
		return check()
	})
	if err != nil {
		return err
	}
	return check()
}

func found(ctx context.Context, out io.Writer, store *objectstore.Store, key string, highest map[string]invoice.Series) error {
	document, err := store.Whole(ctx, key)
	if err != nil {
		return err
	}
	number, ok := pdf.NumberIn(document.Body)
	if !ok {
		return fmt.Errorf("%s: its number cannot be read; look at it yourself, and say -without-objects", key)
	}
	if _, err := fmt.Fprintf(out, "not in the database: %s, %s\n", number, key); err != nil {
		return fmt.Errorf("tell: %w", err)
	}
	return pass(highest, number)
}

func tell(ctx context.Context, out io.Writer, db *sqlx.DB) error {
	hold, err := invoice.ReadNumberHold(ctx, db)
	if err != nil {
		return err
	}
	all, err := invoice.ReadSeries(ctx, db)
	if err != nil {
		return err
	}
	lines := []string{"Documents are numbered."}
	if hold != nil {
		lines = []string{fmt.Sprintf("No document is numbered, since %s IST: %s.", hold.Since.In(clock.IST).Format(time.DateTime), hold.Reason)}
	}
	for _, s := range all {
		last, err := invoice.FormatNumber(s.Name, s.FinancialYear, s.Last)
		if err != nil {
			return err
		}
		if s.Lost != "{}" {
			last += ", lost in restores " + s.Lost
		}
		lines = append(lines, last)
	}
	_, err = fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
}
