package migrations_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
)

// found returns the first column of what the catalogue holds against a rule.
func found(t *testing.T, db *testkit.Database, query string, args ...any) []string {
	t.Helper()
	list := []string{}
	require.NoError(t, db.Owner.Select(&list, query, args...))
	return list
}

// A SECURITY DEFINER function has a fixed search path, and only the processes may call it.
func TestDefinerFunctions_HaveAFixedSearchPathAndLimitedCallers(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	require.Empty(t, found(t, db, `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef
		AND NOT 'search_path=pg_catalog, public' = ANY (coalesce(proconfig, '{}'))`))
	require.Empty(t, found(t, db, `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef
		AND has_function_privilege('public', oid, 'EXECUTE') AND prorettype <> 'trigger'::regtype`), "a trigger's cannot be called")
	require.NotEmpty(t, found(t, db, `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`))
}

// The migrations switch check_function_bodies off, because a function may call one of a later file.
func TestFunctions_EveryBody_IsValid(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	bodies := found(t, db, `SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY oid`)
	require.Greater(t, len(bodies), 200)
	tx := db.Owner.MustBegin()
	defer func() { _ = tx.Rollback() }()
	for _, body := range bodies {
		_, err := tx.Exec(body)
		require.NoError(t, err, body)
	}
}

// Tables whose state may be any other at any time, each with its reason.
func unguarded() map[string]string {
	return map[string]string{
		"custom_domains":     "says what DNS answered last, which may be anything",
		"domain_checks":      "says what one look found",
		"input_tax_states":   "each row is what one of the staff recorded",
		"job_outcomes":       "each row is how one job ended",
		"sms_deliveries":     "says what the provider told last, in any order",
		"webhook_deliveries": "an operator may send any of them again",
		"mandate_events":     "each row is what was said once",
	}
}

func TestStateColumns_EachOne_IsGuardedOrExempt(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	const tables = `SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'state' AND NOT a.attisdropped
		WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'river\_%'`
	require.ElementsMatch(t, slices.Collect(maps.Keys(unguarded())),
		found(t, db, tables+` AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'transitions')`))
	require.Empty(t, found(t, db, `SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'transitions' AND tgenabled NOT IN ('O', 'A')`))
	require.Empty(t, found(t, db, tables+` AND a.attnotnull IS NOT TRUE`), "a state that is not known is a state too")
	require.Empty(t, found(t, db, tables+` AND EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'transitions')
		AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c' AND a.attnum = ANY (k.conkey))`),
		"the words that a state may be are listed")
}

// Money is a whole number of paise, a moment has its zone, and a count is no fraction.
func TestColumns_NoFractionsAndNoTimesWithoutZone(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	require.Empty(t, found(t, db, `SELECT table_name || '.' || column_name FROM information_schema.columns
		WHERE table_schema = 'public' AND column_name ~ 'paise' AND data_type <> 'bigint'`))
	require.ElementsMatch(t, []string{"business_addresses.latitude", "business_addresses.longitude"},
		found(t, db, `SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'
			AND data_type IN ('timestamp without time zone', 'time without time zone', 'real', 'double precision', 'numeric', 'money')
			AND table_name <> 'goose_db_version' AND table_name NOT LIKE 'river\_%'`))
}

// A row of one account does not refer to a row of another account: a foreign key to an account's table includes the account.
func TestForeignKeys_StayWithinTheAccount(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	single := found(t, db, `SELECT k.conrelid::regclass || ' > ' || k.confrelid::regclass FROM pg_constraint k
		WHERE k.contype = 'f'
		AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attname IN ('franchiser_id', 'franchiser_ref'))
		AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = k.confrelid AND a.attname = 'franchiser_id' AND a.attnum = ANY (k.confkey))
		AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = k.confrelid AND a.attname = 'franchiser_id')
		AND NOT EXISTS (SELECT FROM pg_constraint other JOIN pg_attribute a ON a.attrelid = other.confrelid AND a.attname = 'franchiser_id'
			AND a.attnum = ANY (other.confkey) WHERE other.contype = 'f' AND other.conrelid = k.conrelid AND other.confrelid = k.confrelid)`)
	require.ElementsMatch(t, []string{
		"outlet_events > franchises",      // an event names its store with the account, and the outlet is of that store
		"proformas > virtual_accounts",    // written with the number that the customer was given
		"bank_credits > virtual_accounts", // the number says whose the money is
		"switched_lines > order_lines",    // a line's key begins with its order, which is of one account
	}, single)
}

// No process can change the tables of the ledger, the documents and the trail.
func TestAppendOnlyTables_ProcessesCannotChangeThem(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	kept := []string{
		"ledger_accounts", "ledger_journals", "ledger_lines", "book_locks", "invoices", "invoice_lines", "invoice_documents", "revenue_lines", "revenue_days",
		"staff_actions", "staff_audit_checks", "input_tax_states", "outlet_events", "mandate_events", "catalogue_changes", "announcements",
	}
	for _, table := range kept {
		for _, role := range []string{testkit.RoleAPI, testkit.RoleWorker} {
			require.Empty(t, found(t, db, `SELECT x.may FROM unnest(ARRAY['DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS x(may)
				WHERE has_table_privilege($1, 'public.' || $2, x.may)`, role, table), "%s %s", role, table)
		}
		_, err := db.Owner.Exec(`DELETE FROM ` + table)
		require.ErrorContains(t, err, table+" is append-only", "the owner's hand is stopped as well")
	}
	// Of an invoice the portal's number comes later, and that its document was replaced; of a line of revenue the day on which it ended.
	may := map[string][]string{"invoices": {"ack_at", "ack_no", "irn", "replaced", "signed_qr"}, "revenue_lines": {"ended_on"}}
	for _, table := range kept[:13] {
		columns := found(t, db, `SELECT DISTINCT column_name FROM information_schema.column_privileges WHERE table_schema = 'public' AND table_name = $1
			AND privilege_type = 'UPDATE' AND grantee LIKE 'franchise360\_%' ORDER BY 1`, table)
		require.ElementsMatch(t, may[table], columns, table)
	}
	require.Empty(t, found(t, db, `SELECT DISTINCT table_name FROM information_schema.table_privileges WHERE table_schema = 'public'
		AND privilege_type IN ('TRUNCATE', 'TRIGGER', 'REFERENCES') AND grantee LIKE 'franchise360\_%'`))
}

// Every constraint is valid for the existing rows, every index is valid, every trigger is enabled, and every table has a key.
func TestSchema_ConstraintsIndexesAndTriggers_AreActive(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	require.Empty(t, found(t, db, `SELECT conname FROM pg_constraint WHERE NOT convalidated`))
	require.Empty(t, found(t, db, `SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid`))
	require.Empty(t, found(t, db, `SELECT tgrelid::regclass || ' ' || tgname FROM pg_trigger WHERE tgenabled = 'D'`))
	require.Empty(t, found(t, db, `SELECT c.relname FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
		AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique)`))
}
