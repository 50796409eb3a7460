package migrations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
)

// Tables that name a franchiser without being a franchiser's own, each with its reason.
func exempt() []string {
	return []string{}
}

func TestEveryTenantTableIsIsolated(t *testing.T) {
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

func TestProcessRolesOwnNothingAndBypassNothing(t *testing.T) {
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

func TestNoViewOrDefinerFunctionLeaksRows(t *testing.T) {
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

func TestWithoutAFranchiserNothingIsSeen(t *testing.T) {
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
