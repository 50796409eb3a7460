package migrations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
)

// Tables that name a franchiser without belonging to one, each with its reason.
func exempt() []string {
	return []string{}
}

func TestRowSecurity_EachTenantTable_IsIsolated(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)

	var open []string
	require.NoError(t, db.Owner.Select(&open, `
		SELECT c.relname FROM pg_class c
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'franchiser_id' AND NOT a.attisdropped
		WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
		  AND NOT (c.relrowsecurity AND c.relforcerowsecurity
		           AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid
		                       AND 'franchise360_api'::regrole = ANY (p.polroles)))
		ORDER BY 1`))
	require.ElementsMatch(t, exempt(), open, "tables with franchiser_id but without forced row-level security")

	var isolated int
	require.NoError(t, db.Owner.Get(&isolated, `SELECT count(*) FROM pg_class WHERE relforcerowsecurity`))
	require.Positive(t, isolated)
}

// personal matches names of columns that identify a person or the owner of the row.
const personal = `(^|_)(mobile|email|username|first_name|last_name|legal_name|gstin|address|ip|ip_address|user_agent|actor|recipient)$` +
	`|^(name|customer|franchiser_ref|staff_id|handled_by|requested_by|decided_by|password_hash|totp_secret|mobile_mac|owner|found_ips)$`

// Tables that identify people and that the api may read nevertheless, each with its reason.
func read() map[string]string {
	return map[string]string{
		"staff":            "names and roles, which the console shows; the rest is granted to no process",
		"job_operations":   "who of the staff changed jobs, and why; written in one's own name only",
		"book_locks":       "who of the staff locked the books, and why, which every process has to know; written in one's own name only",
		"job_outcomes":     "identifiers of rows that are isolated themselves",
		"pending_sign_ups": "there is no franchiser yet; a row lives until its code is used or has expired",
		"one_time_codes":   "found by a mobile before anybody is signed in; the code is stored nowhere",
		"code_attempts":    "counts by mobile before anybody is signed in",
		"verifications":    "found by the hash of a token before anybody is signed in",
		"trial_mobiles":    "keyed hashes, which name nobody without the key",
		// Places, plans and machines.
		"bank_holidays": "names days", "business_types": "names kinds of business", "countries": "names countries", "states": "names states",
		"cities": "names cities", "ledger_accounts": "names accounts of the books", "plans": "names plans", "plan_services": "names plans", "plan_features": "names features",
		"plan_add_on_revisions": "names add-ons", "river_queue": "names queues",
	}
}

func TestRowSecurity_EachTableWithPeople_IsIsolatedOrExempt(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)

	var open []string
	require.NoError(t, db.Owner.Select(&open, `
		SELECT DISTINCT c.relname FROM information_schema.columns i
		JOIN pg_class c ON c.oid = format('%I.%I', i.table_schema, i.table_name)::regclass
		WHERE i.table_schema = 'public' AND c.relkind IN ('r', 'p') AND i.column_name ~ $1
		  AND has_any_column_privilege('franchise360_api', c.oid, 'SELECT')
		  AND NOT (c.relrowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid
			AND 'franchise360_api'::regrole = ANY (p.polroles) AND p.polcmd IN ('r', '*') AND pg_get_expr(p.polqual, p.polrelid) <> 'true'))
		ORDER BY 1`, personal))
	reasons := read()
	listed := make([]string, 0, len(reasons))
	for table, reason := range reasons {
		listed = append(listed, table)
		require.NotEmpty(t, reason, table)
	}
	require.ElementsMatch(t, listed, open, "tables that name people, which the api may read without being that person's")
}

func TestProcessRoles_OwnAndBypassNothing(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)

	var owned []string
	require.NoError(t, db.Owner.Select(&owned, `
		SELECT c.relname FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
		WHERE r.rolname LIKE 'franchise360\_%'`))
	require.Empty(t, owned)

	var strong []string
	require.NoError(t, db.Owner.Select(&strong, `
		SELECT rolname FROM pg_roles WHERE rolname LIKE 'franchise360\_%'
		AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)`))
	require.Empty(t, strong)
}

func TestViewsAndDefinerFunctions_LeakNoRows(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)

	var views []string
	require.NoError(t, db.Owner.Select(&views, `
		SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
		AND (relkind = 'm' OR relkind = 'v' AND NOT coalesce(reloptions @> '{security_invoker=true}', false))`))
	require.Empty(t, views, "views that do not run as their caller")

	var definers []string
	require.NoError(t, db.Owner.Select(&definers, `
		SELECT p.proname FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner
		WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef AND r.rolname <> 'franchise360_lookup'`))
	require.Empty(t, definers, "SECURITY DEFINER functions that do not run as the look-up role")
}

func TestRowSecurity_WithoutAFranchiser_ShowsNothing(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	_, err := db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES (gen_random_uuid(), '9876543210', 'asha@example.in', 'x', '1', now(), now())`)
	require.NoError(t, err)

	var n int
	require.NoError(t, db.API.Get(&n, `SELECT count(*) FROM franchisers`))
	require.Zero(t, n)
	require.NoError(t, db.Worker.Get(&n, `SELECT count(*) FROM franchisers`))
	require.Equal(t, 1, n)
}
