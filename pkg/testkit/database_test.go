package testkit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
)

// use runs a test's work with a database and returns the database's name once the test has ended.
func use(t *testing.T, do func(t *testing.T, db *testkit.Database)) (name string) {
	t.Helper()
	require.True(t, t.Run("use", func(t *testing.T) {
		db := testkit.NewDatabase(t)
		require.NoError(t, db.Owner.Get(&name, `SELECT current_database()`))
		do(t, db)
	}))
	return name
}

// A test finds nothing of an earlier test: neither rows, sequence values nor session state, and its roles have new connections.
//
//nolint:paralleltest // the database is lent to the next one that asks
func TestNewDatabase_LentAgain_EqualsTheTemplate(t *testing.T) {
	first := use(t, func(t *testing.T, db *testkit.Database) {
		t.Helper()
		db.Owner.MustExec(`INSERT INTO river_job (kind, args, max_attempts, state) VALUES ('x', '{}', 1, 'available')`)
		db.Owner.MustExec(`SET session_replication_role = replica; SELECT pg_advisory_lock(7)`)
		db.API.MustExec(`SET statement_timeout = 77; SET ROLE none`)
	})
	again := use(t, func(t *testing.T, db *testkit.Database) {
		t.Helper()
		var jobs, locks, next int
		require.NoError(t, db.Owner.Get(&jobs, `SELECT count(*) FROM river_job`))
		require.NoError(t, db.Owner.Get(&locks, `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database
			WHERE datname = current_database())`))
		require.NoError(t, db.Owner.Get(&next, `SELECT nextval('river_job_id_seq')`))
		require.Equal(t, []int{0, 0, 1}, []int{jobs, locks, next})
		var replication, role, timeout string
		require.NoError(t, db.Owner.Get(&replication, `SHOW session_replication_role`))
		require.NoError(t, db.API.Get(&role, `SELECT current_user`))
		require.NoError(t, db.API.Get(&timeout, `SHOW statement_timeout`))
		require.Equal(t, []string{"origin", testkit.RoleAPI, "0"}, []string{replication, role, timeout})
	})
	require.Equal(t, first, again)
}

//nolint:paralleltest // the database is lent to the next one that asks
func TestNewDatabase_DiffersFromTheTemplate_IsNotLentAgain(t *testing.T) {
	for name, change := range map[string]string{
		"a table":            `CREATE TABLE mine (n int)`,
		"a trigger":          `ALTER TABLE payments DISABLE TRIGGER keep_charge`,
		"a constraint":       `ALTER TABLE payments ADD CONSTRAINT mine CHECK (amount_paise <> 7)`,
		"a function":         `CREATE FUNCTION mine() RETURNS int LANGUAGE sql RETURN 1`,
		"a right":            `GRANT DELETE ON payments TO ` + testkit.RoleAPI,
		"a row that changed": `UPDATE cities SET name = name || '!' WHERE id = (SELECT min(id) FROM cities)`,
		"a row that is gone": `DELETE FROM bank_holidays WHERE ctid = (SELECT min(ctid) FROM bank_holidays)`,
	} {
		changed := use(t, func(t *testing.T, db *testkit.Database) {
			t.Helper()
			db.Owner.MustExec(`SET session_replication_role = replica; ` + change)
		})
		next := use(t, func(*testing.T, *testkit.Database) {})
		require.NotEqual(t, changed, next, name)
	}
}

// Given a goroutine of an ended test with an open connection, then no later test gets its database. A pool of an earlier test cannot
// connect.
//
//nolint:paralleltest // the database is lent to the next one that asks
func TestNewDatabase_ConnectionsOfAnEarlierTest_DoNotReachIt(t *testing.T) {
	var left *testkit.Database
	first := use(t, func(t *testing.T, db *testkit.Database) {
		t.Helper()
		_, err := db.API.Conn(t.Context()) // never closed
		require.NoError(t, err)
		left = db
	})
	next := use(t, func(t *testing.T, _ *testkit.Database) {
		t.Helper()
		require.ErrorContains(t, left.API.PingContext(t.Context()), "closed")
	})
	require.NotEqual(t, first, next)
}
