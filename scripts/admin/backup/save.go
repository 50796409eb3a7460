package backup

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/platform/version"
)

const (
	// Unlogged tables hold nothing worth keeping, and the migration tables describe the schema, not the data.
	tablesSQL = `SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
			AND c.relname NOT IN ('goose_db_version', 'river_migration')
		GROUP BY c.relname ORDER BY c.relname`

	sequencesSQL = `SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' AND sequencename <> 'goose_db_version_id_seq' ORDER BY 1`

	schemaSQL = `SELECT (SELECT 'files ' || string_agg(version_id::text, ' ' ORDER BY version_id) FROM goose_db_version WHERE is_applied)
		|| '; jobs ' || (SELECT string_agg(line || ' ' || version, ' ' ORDER BY line, version) FROM river_migration)`
)

// save writes a consistent state: first the rows from one snapshot, then the documents, as a document that a row refers to is
// never changed or deleted.
func save(ctx context.Context, db *pgx.Conn, store *objectstore.Store, out io.Writer, logger *slog.Logger) error {
	tx, err := db.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	a, err := describe(ctx, tx)
	if err != nil {
		return err
	}
	a.Objects = store != nil
	file := newWriter(out)
	if err := file.json(aboutName, a); err != nil {
		return err
	}
	e := end{Rows: map[string]int64{}}
	for _, t := range a.Tables {
		to := &pieces{to: file, table: t.Name}
		tag, err := tx.Conn().PgConn().CopyTo(ctx, to, `COPY `+t.source()+` TO STDOUT`)
		if err != nil {
			return fmt.Errorf("read the table %s: %w", t.Name, err)
		}
		if err := to.flush(); err != nil {
			return err
		}
		e.Rows[t.Name] = tag.RowsAffected()
	}
	if err := tx.Rollback(ctx); err != nil { // it only reads
		return fmt.Errorf("end the snapshot: %w", err)
	}
	if store != nil {
		err := store.Each(ctx, func(o objectstore.Object) error {
			e.Objects++
			return file.entry(objects+o.Key, o.Body, map[string]string{contentType: o.ContentType})
		})
		if err != nil {
			return err
		}
	}
	if err := file.json(endName, e); err != nil {
		return err
	}
	if err := file.close(); err != nil {
		return err
	}
	saved := alert.SavedDatabase
	if store != nil {
		saved = alert.SavedEverything
	}
	madeAt, err := time.Parse(time.RFC3339, a.MadeAt)
	if err != nil {
		return fmt.Errorf("read the moment: %w", err)
	}
	if err := note(ctx, db, madeAt, saved); err != nil { // the file is whole all the same
		logger.Warn("the backup was made, but not noted: an alert will say that it is missing", slog.String("error", err.Error()))
	}
	logger.Info("saved", slog.Int("tables", len(a.Tables)), slog.Int64("rows", sum(e.Rows)), slog.Int64("objects", e.Objects))
	return nil
}

// note notes a backup of the moment, for the alert that tells of missing ones.
func note(ctx context.Context, db *pgx.Conn, at time.Time, saved string) error {
	if _, err := db.Exec(ctx, alert.NoteBackupSQL, at, saved); err != nil {
		return fmt.Errorf("note the backup: %w", err)
	}
	if _, err := db.Exec(ctx, alert.ForgetBackupsSQL, at); err != nil {
		return fmt.Errorf("forget old backups: %w", err)
	}
	return nil
}

// describe collects the backup's header.
func describe(ctx context.Context, tx pgx.Tx) (about, error) {
	a := about{Format: format, Release: version.String(), Sequences: map[string]int64{}}
	var now time.Time
	if err := tx.QueryRow(ctx, `SELECT now(), (`+schemaSQL+`)`).Scan(&now, &a.Schema); err != nil {
		return a, fmt.Errorf("read the schema's version: %w", err)
	}
	a.MadeAt = now.UTC().Format(time.RFC3339)
	found, err := tx.Query(ctx, tablesSQL)
	if err != nil {
		return a, fmt.Errorf("list the tables: %w", err)
	}
	a.Tables, err = pgx.CollectRows(found, func(row pgx.CollectableRow) (t table, err error) {
		return t, row.Scan(&t.Name, &t.Columns)
	})
	if err != nil {
		return a, fmt.Errorf("list the tables: %w", err)
	}
	found, err = tx.Query(ctx, sequencesSQL)
	if err != nil {
		return a, fmt.Errorf("list the sequences: %w", err)
	}
	names, err := pgx.CollectRows(found, pgx.RowTo[string])
	if err != nil {
		return a, fmt.Errorf("list the sequences: %w", err)
	}
	for _, name := range names {
		var next int64
		err := tx.QueryRow(ctx, `SELECT last_value + is_called::int FROM `+pgx.Identifier{name}.Sanitize()).Scan(&next)
		if err != nil {
			return a, fmt.Errorf("read the sequence %s: %w", name, err)
		}
		a.Sequences[name] = next
	}
	return a, nil
}

// source returns the table and its columns in COPY's syntax.
func (t table) source() string {
	columns := make([]string, 0, len(t.Columns))
	for _, name := range t.Columns {
		columns = append(columns, pgx.Identifier{name}.Sanitize())
	}
	return pgx.Identifier{t.Name}.Sanitize() + ` (` + strings.Join(columns, ", ") + `)`
}

func sum(counts map[string]int64) int64 {
	var total int64
	for _, n := range counts {
		total += n
	}
	return total
}
