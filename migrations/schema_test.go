package migrations_test

import (
	"os"
	"testing"

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

func TestSchemaFile_EqualsTheMigrations(t *testing.T) {
	t.Parallel()
	written, err := os.ReadFile("schema.sql")
	require.NoError(t, err)
	db := testkit.NewDatabase(t)
	needsPostgres(t, db, 18)
	if string(written) != schemaOf(t, db) {
		t.Fatal("migrations/schema.sql is not what the migrations make: run `make generate`")
	}
}

func TestSchemaFile_EachChange_IsVisible(t *testing.T) {
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

func TestSchemaDump_TableWithoutAnOwner_IsRefused(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	_, err := db.Owner.Exec(`CREATE TABLE orphans (id int)`)
	require.NoError(t, err)
	_, err = dump.Schema(t.Context(), db.Owner.DB, migrations.Owners(), migrations.Files())
	require.EqualError(t, err, "the table orphans has no owner")
}

func TestApply_DatabaseOfOtherMigrations_IsRefused(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	require.NoError(t, migrations.Apply(t.Context(), db.DSN("")), "applying twice changes nothing")

	// A newer release may already have migrated the database.
	_, err := db.Owner.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (999999, true)`)
	require.NoError(t, err)
	require.NoError(t, migrations.Apply(t.Context(), db.DSN("")))

	// Trees from before the first release applied other files, the first of which had the number 1.
	for _, version := range []int{1, 20, 100} {
		_, err = db.Owner.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, true)`, version)
		require.NoError(t, err)
		require.ErrorIs(t, migrations.Apply(t.Context(), db.DSN("")), migrations.ErrOtherFiles, version)
		_, err = db.Owner.Exec(`DELETE FROM goose_db_version WHERE version_id = $1`, version)
		require.NoError(t, err)
	}
}
