package backup

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/s3"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

// place is a database plus a bucket.
type place struct {
	db    *testkit.Database
	store *objectstore.Store
	env   map[string]string
}

func newPlace(t *testing.T) place {
	t.Helper()
	p := place{db: testkit.NewDatabase(t), env: map[string]string{
		"S3_ENDPOINT": s3.Endpoint(t), "S3_BUCKET": strings.ToLower(id.New()), "S3_REGION": s3.Region,
		"S3_ACCESS_KEY": s3.AccessKey, "S3_SECRET_KEY": s3.SecretKey,
	}}
	p.env["DATABASE_OWNER_URL"], p.env["WORKER_DATABASE_URL"] = p.db.DSN(""), p.db.DSN(testkit.RoleWorker)
	var err error
	p.store, err = objectstore.Open(func(name string) string { return p.env[name] }, "S3_")
	require.NoError(t, err)
	require.NoError(t, p.store.EnsureBucket(t.Context()))
	return p
}

func do(ctx context.Context, env map[string]string, in io.Reader, out io.Writer, arguments ...string) error {
	call := command.Call{
		Getenv: func(name string) string { return env[name] }, In: in, Out: out, Log: slog.New(slog.DiscardHandler), Clock: clock.System{},
	}
	return Command().Run(ctx, call, arguments...)
}

func (p place) run(ctx context.Context, in io.Reader, arguments ...string) (string, error) {
	var out bytes.Buffer
	err := do(ctx, p.env, in, &out, arguments...)
	return out.String(), err
}

// fill creates a customer whose name COPY has to escape, a payment in the books, a job and two documents.
func (p place) fill(t *testing.T) {
	t.Helper()
	clk, franchiserID := testkit.NewClock(), id.New()
	_, err := p.db.Owner.ExecContext(t.Context(), `INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at, first_name)
		VALUES ($1, '9876543210', 'a@b.in', E'x\\N\t\n\\.\n', '1', $2, $2, 'Āśā \ "')`, franchiserID, clk.Now())
	require.NoError(t, err)
	paymentID, err := testkit.PaidPayment(t.Context(), p.db.Owner, franchiserID, 1_59_300_00, true, clk.Now())
	require.NoError(t, err)
	require.NoError(t, postgres.InTx(t.Context(), p.db.Worker, func(tx *sqlx.Tx) error {
		return ledger.NewService(p.db.Worker, clk).PostTx(t.Context(), tx, ledger.ExtraCapture(ledger.Movement{
			FranchiserID: franchiserID, PaymentID: paymentID, Reference: paymentID, Amount: 1_59_300_00,
		}))
	}))
	_, err = p.db.Owner.ExecContext(t.Context(), `INSERT INTO river_job (kind, args, max_attempts, state) SELECT 'x', '{}', 3, 'available' FROM generate_series(1, 7)`)
	require.NoError(t, err)
	require.NoError(t, p.store.Put(t.Context(), "invoices/in/1.pdf", "application/pdf", []byte("%PDF-1.7 one")))
	require.NoError(t, p.store.Put(t.Context(), "audit/2026-11-02.json", "application/json", []byte(`{"end":"x"}`)))
}

// contents returns digests of every table's rows and every document.
func (p place) contents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	var names []string
	require.NoError(t, p.db.Owner.SelectContext(t.Context(), &names, `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'goose_db_version'`))
	for _, name := range names {
		var digest string
		require.NoError(t, p.db.Owner.GetContext(t.Context(), &digest, `SELECT count(*) || ' ' || coalesce(md5(string_agg(r::text, '|' ORDER BY r::text)), '') FROM `+name+` r`))
		all[name] = digest
	}
	require.NoError(t, p.store.Each(t.Context(), func(o objectstore.Object) error {
		all[o.Key] = o.ContentType + " " + string(o.Body)
		return nil
	}))
	return all
}

func TestBackup_IntoFolder_WritesOneFileThatCanBeRestored(t *testing.T) {
	t.Parallel()
	from, to := newPlace(t), newPlace(t)
	from.fill(t)
	folder := t.TempDir()
	said, err := from.run(t.Context(), nil, "-into", folder)
	require.NoError(t, err)
	require.Empty(t, said)
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.Regexp(t, `^franchise360-\d{8}T\d{6}Z\.tar\.gz$`, files[0].Name())
	file, err := os.ReadFile(filepath.Join(folder, files[0].Name()))
	require.NoError(t, err)
	_, err = to.run(t.Context(), bytes.NewReader(file), "restore")
	require.NoError(t, err)
}

func TestBackup_IntoFolderFails_LeavesNoFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	err := saveInto(folder, time.Now(), func(io.Writer) error { return errors.New("the database is gone") })
	require.ErrorContains(t, err, "the database is gone")
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Empty(t, files)
}

func TestRestore_IntoAnEmptyInstallation_RestoresTheBackup(t *testing.T) {
	t.Parallel()
	from, to := newPlace(t), newPlace(t)
	from.fill(t)
	file, err := from.run(t.Context(), nil)
	require.NoError(t, err)
	require.NotEqual(t, from.contents(t), to.contents(t))

	said, err := to.run(t.Context(), strings.NewReader(file), "restore")
	require.NoError(t, err)
	require.Contains(t, said, "The books are in order.")
	restored := to.contents(t)
	require.True(t, strings.HasPrefix(restored["invoice_number_holds"], "1 "))
	saved := from.contents(t)
	restored["invoice_number_holds"] = saved["invoice_number_holds"]
	require.NotEqual(t, saved["backups"], restored["backups"], "a file does not hold that it was made")
	restored["backups"] = saved["backups"]
	require.Equal(t, saved, restored)
	require.Equal(t, "application/pdf %PDF-1.7 one", to.contents(t)["invoices/in/1.pdf"])
	var next int64
	require.NoError(t, to.db.Owner.GetContext(t.Context(), &next, `INSERT INTO river_job (kind, args, max_attempts) VALUES ('x', '{}', 3) RETURNING id`))
	require.Equal(t, int64(8), next, "sequences go on where they were")
	_, err = to.db.Owner.ExecContext(t.Context(), `UPDATE ledger_lines SET debit_paise = 1`)
	require.Error(t, err, "the guards of the tables are on again")

	// Damage that predates the backup is reported at the end.
	_, err = from.db.Owner.ExecContext(t.Context(), `ALTER TABLE ledger_lines DISABLE TRIGGER ALL; UPDATE ledger_lines SET debit_paise = 1 WHERE debit_paise > 0`)
	require.NoError(t, err)
	file, err = from.run(t.Context(), nil)
	require.NoError(t, err)
	said, err = newPlace(t).run(t.Context(), strings.NewReader(file), "restore")
	require.ErrorContains(t, err, "the books are not in order")
	require.Contains(t, said, "journal_balances")
}

// Without the hold, a number issued after the backup would be issued again, to another customer.
func TestRestore_NumberingIsHeldUntilResumed(t *testing.T) {
	t.Parallel()
	from, to := newPlace(t), newPlace(t)
	from.fill(t)
	file, err := from.run(t.Context(), nil)
	require.NoError(t, err)
	_, err = to.run(t.Context(), strings.NewReader(file), "restore")
	require.NoError(t, err)

	const takeNumber = `INSERT INTO invoice_counters (series, financial_year, last, last_issued_at) VALUES ('FP', '26-27', 1, now())`
	for _, db := range []*sqlx.DB{to.db.API, to.db.Worker} {
		_, err = db.ExecContext(t.Context(), takeNumber)
		require.ErrorContains(t, err, "no document is numbered")
	}
	_, err = from.db.Worker.ExecContext(t.Context(), takeNumber)
	require.NoError(t, err, "where nothing was restored")
}

func TestRestore_IntoANonEmptyInstallation_ChangesNothing(t *testing.T) {
	t.Parallel()
	from, used, documents := newPlace(t), newPlace(t), newPlace(t)
	from.fill(t)
	file, err := from.run(t.Context(), nil)
	require.NoError(t, err)
	_, err = used.db.Owner.ExecContext(t.Context(), `INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, '9876543219', 'a@b.in', 'x', '1', now(), now())`, id.New())
	require.NoError(t, err)
	require.NoError(t, documents.store.Put(t.Context(), "somebody's.pdf", "application/pdf", []byte("x")))
	for problem, p := range map[string]place{"franchisers has rows": used, "the bucket is not empty": documents} {
		before := p.contents(t)
		_, err := p.run(t.Context(), strings.NewReader(file), "restore")
		require.ErrorContains(t, err, problem)
		require.Equal(t, before, p.contents(t))
	}
	_, err = documents.db.Owner.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, true)`)
	require.NoError(t, err)
	_, err = documents.run(t.Context(), strings.NewReader(file), "restore")
	require.ErrorContains(t, err, "restore with that release")
}

func TestBackup_WithoutObjects_RestoresWithoutObjects(t *testing.T) {
	t.Parallel()
	from, to := newPlace(t), newPlace(t)
	from.fill(t)
	file, err := from.run(t.Context(), nil, "-without-objects")
	require.NoError(t, err)
	_, err = to.run(t.Context(), strings.NewReader(file), "restore")
	require.ErrorContains(t, err, "-without-objects")
	_, err = to.run(t.Context(), strings.NewReader(file), "restore", "-without-objects")
	require.NoError(t, err)
	empty, err := to.store.IsEmpty(t.Context())
	require.NoError(t, err)
	require.True(t, empty)
}

// Restore detects a truncated or altered file and keeps none of its rows.
func TestRestore_DamagedFile_RestoresNothing(t *testing.T) {
	t.Parallel()
	from, to := newPlace(t), newPlace(t)
	from.fill(t)
	file, err := from.run(t.Context(), nil, "-without-objects")
	require.NoError(t, err)
	before := to.contents(t)
	refused := func(text string) {
		_, err := to.run(t.Context(), strings.NewReader(text), "restore", "-without-objects")
		require.Error(t, err)
		require.Equal(t, before, to.contents(t))
	}
	refused("")
	refused("not gzip")
	for _, share := range []int{10, 50, 90} {
		refused(file[:len(file)*share/100])
	}
	refused(file[:len(file)-1])
	for _, share := range []int{20, 60} {
		at := len(file) * share / 100
		refused(file[:at] + string(file[at]^0x20) + file[at+1:])
	}
	var plain bytes.Buffer
	zip, err := gzip.NewReader(strings.NewReader(file))
	require.NoError(t, err)
	_, err = io.Copy(&plain, zip)
	require.NoError(t, err)
	var fewer bytes.Buffer // valid for gzip and tar, but with a different count
	again := gzip.NewWriter(&fewer)
	_, err = again.Write(bytes.Replace(plain.Bytes(), []byte(`"river_job": 7`), []byte(`"river_job": 8`), 1))
	require.NoError(t, err)
	require.NoError(t, again.Close())
	_, err = to.run(t.Context(), &fewer, "restore", "-without-objects")
	require.ErrorContains(t, err, "8 rows of river_job were saved and 7 restored")
	require.Equal(t, before, to.contents(t))
}

func TestPrefilled_EqualsTheTablesThatMigrationsFill(t *testing.T) {
	t.Parallel()
	var filled []string
	for name, digest := range newPlace(t).contents(t) {
		if !strings.HasPrefix(digest, "0 ") && name != "river_migration" {
			filled = append(filled, name)
		}
	}
	require.ElementsMatch(t, prefilled(), filled)
}

func TestReader_TableOfManyPieces_IsReadAsOne(t *testing.T) {
	t.Parallel()
	var file, want bytes.Buffer
	to := newWriter(&file)
	for _, name := range []string{"a", "b"} {
		p := &pieces{to: to, table: name}
		for i := range 90_000 {
			line := fmt.Sprintf("%s %d %s\n", name, i, strings.Repeat("x", 60))
			_, err := p.Write([]byte(line))
			require.NoError(t, err)
			if name == "a" {
				want.WriteString(line)
			}
		}
		require.NoError(t, p.flush())
		require.Greater(t, p.number, 1)
	}
	require.NoError(t, to.close())
	from, err := newReader(&file)
	require.NoError(t, err)
	require.Equal(t, "a", from.atTable())
	got, err := io.ReadAll(&rows{from: from, table: "a"})
	require.NoError(t, err)
	require.True(t, bytes.Equal(want.Bytes(), got))
	require.Equal(t, "b", from.atTable())
}

func TestRun_MissingSetting_IsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env       map[string]string
		arguments []string
		problem   string
	}{
		{nil, nil, "DATABASE_OWNER_URL is not set"},
		{map[string]string{"DATABASE_OWNER_URL": "postgres://x"}, []string{"restore"}, "WORKER_DATABASE_URL"},
		{map[string]string{"DATABASE_OWNER_URL": "postgres://x"}, nil, "S3_ENDPOINT is not set"},
		{map[string]string{"DATABASE_OWNER_URL": "postgres://:secret@127.0.0.1:1/x"}, []string{"-without-objects"}, "cannot be reached"},
		{nil, []string{"undo"}, "restore"},
	} {
		err := do(t.Context(), c.env, nil, io.Discard, c.arguments...)
		require.ErrorContains(t, err, c.problem)
		require.NotContains(t, err.Error(), "secret")
	}
}

func TestBackup_IsRecordedOnceComplete(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	noted := func() (list []string) {
		require.NoError(t, p.db.Owner.SelectContext(t.Context(), &list, `SELECT saved FROM backups ORDER BY id`))
		return list
	}
	require.Equal(t, []string{"nothing"}, noted(), "the migration's, from which the first day is counted")
	err := do(t.Context(), p.env, nil, brokenPipe{})
	require.Error(t, err)
	require.Len(t, noted(), 1, "what could not be written is no backup")
	for _, arguments := range [][]string{nil, {"-without-objects"}, {"note"}} {
		_, err := p.run(t.Context(), nil, arguments...)
		require.NoError(t, err)
	}
	require.Equal(t, []string{"nothing", "everything", "database", "elsewhere"}, noted())
	_, err = p.db.Owner.ExecContext(t.Context(), `UPDATE backups SET saved_at = saved_at - interval '401 days'`)
	require.NoError(t, err)
	_, err = p.run(t.Context(), nil, "note")
	require.NoError(t, err)
	require.Equal(t, []string{"elsewhere"}, noted(), "what is old is forgotten")
}

// brokenPipe takes nothing, as a full disk.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
