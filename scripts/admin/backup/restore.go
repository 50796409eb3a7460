package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// prefilled lists the tables that migrations insert rows into; all others are empty in a new database.
func prefilled() []string {
	return []string{"backups", "bank_holidays", "business_types", "cities", "countries", "document_check", "ledger_accounts", "states", "tds_codes"}
}

// restore reads a backup into a migrated but unused database and an empty bucket. All rows appear at once or not at all: a
// truncated file leaves the database unchanged.
func restore(ctx context.Context, db *pgx.Conn, store *objectstore.Store, in io.Reader, logger *slog.Logger) error {
	file, err := newReader(in)
	if err != nil {
		return err
	}
	var a about
	if err := file.json(aboutName, &a); err != nil {
		return err
	}
	tx, err := db.Begin(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if err := fits(ctx, tx, store, a); err != nil {
		return err
	}
	e := end{Rows: map[string]int64{}}
	if err := readRows(ctx, tx, file, a, e.Rows); err != nil {
		return err
	}
	if e.Objects, err = readObjects(ctx, store, file); err != nil {
		return err
	}
	if err := checkEnd(file, a, e); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, invoice.HoldNumbersSQL, "restored from the backup of "+a.MadeAt, clock.System{}.Now()); err != nil {
		return fmt.Errorf("hold the numbers of documents: %w", err)
	}
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("keep what was restored: %w", err)
	}
	logger.Info("restored", slog.String("made_at", a.MadeAt), slog.String("release", a.Release),
		slog.Int("tables", len(a.Tables)), slog.Int64("rows", sum(e.Rows)), slog.Int64("objects", e.Objects))
	return nil
}

// fits rejects a file with a different schema and a target that is in use or not empty.
func fits(ctx context.Context, tx pgx.Tx, store *objectstore.Store, a about) error {
	if a.Format != format {
		return fmt.Errorf("the file has form %d, and this program reads form %d", a.Format, format)
	}
	here, err := describe(ctx, tx)
	if err != nil {
		return fmt.Errorf("%w (has migrate run?)", err)
	}
	if here.Schema != a.Schema {
		return fmt.Errorf("the file is of release %s with the schema %q, here it is %q: restore with that release", a.Release, a.Schema, here.Schema)
	}
	if a.Objects != (store != nil) {
		return fmt.Errorf("the file holds documents: %t; say -without-objects where it does not, or where they are not to be restored", a.Objects)
	}
	var connected bool
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename LIKE 'franchise360\_%')`).Scan(&connected)
	if err != nil {
		return fmt.Errorf("look who is connected: %w", err)
	}
	if connected {
		return errors.New("api or worker use the database: end them first")
	}
	for _, t := range here.Tables {
		if slices.Contains(prefilled(), t.Name) {
			continue
		}
		var used bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+pgx.Identifier{t.Name}.Sanitize()+`)`).Scan(&used); err != nil {
			return fmt.Errorf("look into %s: %w", t.Name, err)
		}
		if used {
			return fmt.Errorf("the database is not empty: %s has rows; restore into a new one, before its first start", t.Name)
		}
	}
	if store == nil {
		return nil
	}
	empty, err := store.IsEmpty(ctx)
	if err == nil && !empty {
		err = errors.New("the bucket is not empty: restore into a new one, or say -without-objects where it holds the documents still")
	}
	return err
}

// readRows fills the tables with triggers and keys disabled, since they held when the rows were saved, and sets the sequences.
func readRows(ctx context.Context, tx pgx.Tx, file *reader, a about, counts map[string]int64) error {
	const freely = `SET LOCAL session_replication_role = replica; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`
	if _, err := tx.Exec(ctx, freely); err != nil {
		return fmt.Errorf("switch the triggers off, which takes a superuser: %w", err)
	}
	names := make([]string, 0, len(a.Tables))
	for _, t := range a.Tables {
		names = append(names, pgx.Identifier{t.Name}.Sanitize())
		counts[t.Name] = 0
	}
	if _, err := tx.Exec(ctx, `TRUNCATE `+strings.Join(names, ", ")); err != nil {
		return fmt.Errorf("empty the tables: %w", err)
	}
	for file.atTable() != "" {
		t, known := a.table(file.atTable())
		if !known {
			return fmt.Errorf("the file has rows of %s, which it does not announce", file.atTable())
		}
		tag, err := tx.Conn().PgConn().CopyFrom(ctx, &rows{from: file, table: t.Name}, `COPY `+t.source()+` FROM STDIN`)
		if err != nil {
			return fmt.Errorf("fill the table %s: %w", t.Name, err)
		}
		counts[t.Name] += tag.RowsAffected()
	}
	for name, next := range a.Sequences {
		if _, err := tx.Exec(ctx, `SELECT setval($1::regclass, $2, false)`, pgx.Identifier{name}.Sanitize(), next); err != nil {
			return fmt.Errorf("set the sequence %s: %w", name, err)
		}
	}
	return nil
}

func readObjects(ctx context.Context, store *objectstore.Store, file *reader) (n int64, err error) {
	for file.header != nil && strings.HasPrefix(file.header.Name, objects) {
		body, err := io.ReadAll(file.tar)
		if err != nil {
			return n, fmt.Errorf("the file is broken off or damaged: %w", err)
		}
		if store == nil {
			return n, errors.New("the file holds documents that it does not announce")
		}
		key := strings.TrimPrefix(file.header.Name, objects)
		if err := store.Put(ctx, key, file.header.PAXRecords[contentType], body); err != nil {
			return n, err
		}
		n++
		if err := file.next(); err != nil {
			return n, err
		}
	}
	return n, nil
}

// checkEnd verifies that the file ends properly and that everything saved was restored.
func checkEnd(file *reader, a about, restored end) error {
	var saved end
	if err := file.json(endName, &saved); err != nil {
		return err
	}
	if err := file.done(); err != nil {
		return err
	}
	if saved.Objects != restored.Objects {
		return fmt.Errorf("%d documents were saved and %d restored", saved.Objects, restored.Objects)
	}
	if !maps.Equal(saved.Rows, restored.Rows) {
		for _, t := range a.Tables {
			if saved.Rows[t.Name] != restored.Rows[t.Name] {
				return fmt.Errorf("%d rows of %s were saved and %d restored", saved.Rows[t.Name], t.Name, restored.Rows[t.Name])
			}
		}
		return errors.New("the file holds other tables than it announces")
	}
	return nil
}
