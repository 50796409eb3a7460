package migrations_test

import (
	"os"
	"testing"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/migrations/dump"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func schemaOf(t *testing.T, db *testkit.Database) string {
	t.Helper()
	text, err := dump.Schema(t.Context(), db.Owner.DB, migrations.Owners(), migrations.Files())
	require.NoError(t, err)
	return text
}

func TestSchemaFileIsWhatTheMigrationsMake(t *testing.T) {
	t.Parallel()
	written, err := os.ReadFile("schema.sql")
	require.NoError(t, err)
	if string(written) != schemaOf(t, testkit.NewDatabase(t)) {
		t.Fatal("migrations/schema.sql is not what the migrations make: run `make generate`")
	}
}

func TestSchemaFileTellsEveryChange(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	before := schemaOf(t, db)
	for _, change := range []string{
		`ALTER TABLE plans ADD COLUMN note text`,
		`ALTER TABLE plans ALTER COLUMN note SET DEFAULT 'x'`,
		`ALTER TABLE plans ALTER COLUMN note SET NOT NULL`,
		`ALTER TABLE plans ALTER COLUMN note TYPE varchar(10)`,
		`ALTER TABLE plans ADD CHECK (note <> '')`,
		`ALTER TABLE plans ADD FOREIGN KEY (note) REFERENCES countries`,
		`CREATE INDEX plans_note ON plans (note)`,
		`COMMENT ON COLUMN plans.note IS 'What it says'`,
		`CREATE TRIGGER kept BEFORE DELETE ON plans FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
		`ALTER TABLE plans ENABLE ROW LEVEL SECURITY`,
		`ALTER TABLE plans FORCE ROW LEVEL SECURITY`,
		`CREATE POLICY every_row ON plans FOR SELECT TO franchise360_worker USING (true)`,
		`ALTER POLICY every_row ON plans USING (name <> '')`,
		`REVOKE INSERT ON plans FROM franchise360_worker`,
		`GRANT UPDATE (note) ON plans TO franchise360_worker`,
		`ALTER FUNCTION find_login(text) SECURITY INVOKER`,
		`ALTER FUNCTION find_login(text) OWNER TO CURRENT_USER`,
		`GRANT EXECUTE ON FUNCTION find_login(text) TO PUBLIC`,
		`CREATE TYPE colour AS ENUM ('red')`,
		`CREATE SEQUENCE numbers`,
		`GRANT USAGE ON SEQUENCE numbers TO franchise360_worker`,
		`CREATE VIEW plan_names AS SELECT name FROM plans`,
		`ALTER VIEW plan_names SET (security_invoker = true)`,
		`GRANT CREATE ON SCHEMA public TO franchise360_worker`,
	} {
		_, err := db.Owner.Exec(change)
		require.NoError(t, err, change)
		after := schemaOf(t, db)
		require.NotEqual(t, before, after, change)
		before = after
	}
}

func TestATableWithoutAnOwnerIsRefused(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	_, err := db.Owner.Exec(`CREATE TABLE orphans (id int)`)
	require.NoError(t, err)
	_, err = dump.Schema(t.Context(), db.Owner.DB, migrations.Owners(), migrations.Files())
	require.EqualError(t, err, "the table orphans has no owner")
}

func TestEveryMigrationGoesDownAndUpAgain(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	before := schemaOf(t, db)
	provider, err := goose.NewProvider(goose.DialectPostgres, db.Owner.DB, migrations.Files())
	require.NoError(t, err)
	_, err = provider.DownTo(t.Context(), 0)
	require.NoError(t, err)

	var left []string
	require.NoError(t, db.Owner.Select(&left, `
		SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
			AND relname NOT LIKE 'river\_%' AND relname <> 'goose_db_version'
		UNION ALL
		SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.proname NOT LIKE 'river\_%'
		UNION ALL
		SELECT i.indexname FROM pg_indexes i WHERE i.schemaname = 'public' AND i.tablename = 'river_job'
			AND i.indexname NOT LIKE 'river\_%'`))
	require.Empty(t, left, "what stays after all of it went down")

	require.NoError(t, migrations.Apply(t.Context(), db.DSN("")))
	require.Equal(t, before, schemaOf(t, db))
}

func TestADatabaseOfOtherFilesIsRefused(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	require.NoError(t, migrations.Apply(t.Context(), db.DSN("")), "applying twice changes nothing")

	// A newer release may already have migrated the database.
	_, err := db.Owner.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (999999, true)`)
	require.NoError(t, err)
	require.NoError(t, migrations.Apply(t.Context(), db.DSN("")))

	// Every earlier set of files contained at least one of these.
	for _, version := range []int{2, 100, 110} {
		_, err = db.Owner.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, true)`, version)
		require.NoError(t, err)
		require.ErrorIs(t, migrations.Apply(t.Context(), db.DSN("")), migrations.ErrOtherFiles, version)
		_, err = db.Owner.Exec(`DELETE FROM goose_db_version WHERE version_id = $1`, version)
		require.NoError(t, err)
	}
}
