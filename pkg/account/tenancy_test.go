package account_test

import (
	"fmt"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
)

const insertPersonSQL = `
	INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
	VALUES ($1, $2, 'x@example.in', 'x', '1', $3, $3)`

func TestTenancy_TwoHundredTenantsOnOneConnection_SeeTheirOwnRows(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	ids := make([]string, 200)
	for i := range ids {
		ids[i] = id.New()
		_, err := db.Owner.Exec(insertPersonSQL, ids[i], fmt.Sprintf("98765%05d", i), testkit.Start())
		require.NoError(t, err)
	}
	db.API.SetMaxOpenConns(1)
	for _, own := range ids {
		err := postgres.InTenantTx(t.Context(), db.API, own, func(tx *sqlx.Tx) error {
			var seen []string
			if err := tx.SelectContext(t.Context(), &seen, `SELECT id FROM franchisers`); err != nil {
				return err
			}
			require.Equal(t, []string{own}, seen)
			return nil
		})
		require.NoError(t, err)
		require.Zero(t, count(t, db.API, `SELECT count(*) FROM franchisers`), "nothing stays set after the transaction")
	}
}

func TestTenancy_RowsOfAnotherTenant_AreRefusedByTheDatabase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	mine, theirs := b.join(t, asha), b.join(t, ravi)
	in := func(query string, args ...any) error {
		return postgres.InTenantTx(t.Context(), b.db.API, mine.User.ID, func(tx *sqlx.Tx) error {
			_, err := tx.ExecContext(t.Context(), query, args...)
			return err
		})
	}
	// another franchiser's row cannot be seen or changed
	require.NoError(t, in(`UPDATE franchisers SET first_name = 'X' WHERE id = $1`, theirs.User.ID))
	require.NoError(t, in(`UPDATE sessions SET ended_at = $2 WHERE id = $1`, theirs.Tokens.SessionID, b.clock.Now()))
	require.True(t, b.lives(t, theirs.Tokens.Access))
	require.Zero(t, count(t, b.db.Owner, `SELECT count(*) FROM franchisers WHERE first_name = 'X'`))

	// a row for another franchiser, and a child of another franchiser's parent
	err := in(insertPersonSQL, id.New(), "9000000009", b.clock.Now())
	require.ErrorContains(t, err, "row-level security")
	err = in(`INSERT INTO refresh_tokens (token_hash, franchiser_id, session_id, issued_at) VALUES ('x', $1, $2, $3)`,
		theirs.User.ID, theirs.Tokens.SessionID, b.clock.Now())
	require.ErrorContains(t, err, "row-level security")
	err = in(`INSERT INTO refresh_tokens (token_hash, franchiser_id, session_id, issued_at) VALUES ('x', $1, $2, $3)`,
		mine.User.ID, theirs.Tokens.SessionID, b.clock.Now())
	require.True(t, postgres.Violates(err, postgres.ForeignKeyViolation, ""), "%v", err)

	// without a franchiser nothing is visible
	for _, table := range []string{"franchisers", "sessions", "refresh_tokens", "totp_challenges", "totp_recovery_codes", "failed_sign_ins"} {
		require.Zero(t, count(t, b.db.API, `SELECT count(*) FROM `+table), table)
	}
}
