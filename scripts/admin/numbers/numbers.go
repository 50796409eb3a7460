// Package numbers accounts, after a restore, for document numbers issued after the restored moment: without arguments it prints
// how far each series has got and which documents in the object store the database lacks; `numbers resume` skips those numbers
// and any given ones and re-enables numbering; `numbers hold REASON` disables it by hand.
package numbers

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

// Command returns the command numbers. It needs DATABASE_OWNER_URL and, unless given -without-objects, S3 settings with
// permission to read and list.
func Command() command.Command {
	var without bool
	withStore := func(do func(context.Context, command.Call, *sqlx.DB, *objectstore.Store) error) func(context.Context, command.Call) error {
		return func(ctx context.Context, call command.Call) error {
			return call.AsOwner(ctx, func(db *sqlx.DB) error {
				if without {
					return do(ctx, call, db, nil)
				}
				store, err := call.Documents()
				if err != nil {
					return err
				}
				return do(ctx, call, db, store)
			})
		}
	}
	return command.Command{
		Name: "numbers",
		Flags: func(f *flag.FlagSet) {
			f.BoolVar(&without, "without-objects", false, "does not look into the object store")
		},
		Uses: []command.Use{
			{Words: "", Does: "shows how far each series of document numbers has got", Run: withStore(show)},
			{Words: "hold REASON", Does: "stops the numbering of documents", Run: hold},
			{Words: "resume NUMBER…", Does: "numbers documents again, beyond the highest given number of each series (FP/26-27/000042 …), or none", Run: withStore(resume)},
		},
	}
}

func show(ctx context.Context, call command.Call, db *sqlx.DB, store *objectstore.Store) error {
	return errors.Join(tell(ctx, call.Out, db), look(ctx, call.Out, db, store, map[string]invoice.Series{}))
}

func hold(ctx context.Context, call command.Call) error {
	return call.AsOwner(ctx, func(db *sqlx.DB) error {
		return errors.Join(invoice.HoldNumbers(ctx, db, call.Arguments[0], call.Clock.Now()), tell(ctx, call.Out, db))
	})
}

// resume skips the given numbers and those found in the object store.
func resume(ctx context.Context, call command.Call, db *sqlx.DB, store *objectstore.Store) error {
	highest := map[string]invoice.Series{}
	if !slices.Equal(call.Arguments, []string{"none"}) {
		for _, number := range call.Arguments {
			if err := pass(highest, number); err != nil {
				return err
			}
		}
	}
	if err := look(ctx, call.Out, db, store, highest); err != nil {
		return err
	}
	if err := invoice.ResumeNumbers(ctx, db, slices.Collect(maps.Values(highest)), call.Clock.Now()); err != nil {
		return err
	}
	return tell(ctx, call.Out, db)
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
