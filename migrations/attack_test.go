package migrations_test

import (
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// attack is a database with two admins, a customer and a paid payment, in which an attacker holds the api's connection.
type attack struct {
	db                     *testkit.Database
	asha, ravi             string // admins; only asha is signed in
	franchiser, payment    string
	waiting, own, approved string // reversals
}

func newAttack(t *testing.T) attack {
	t.Helper()
	a := attack{
		db: testkit.NewDatabase(t), asha: id.New(), ravi: id.New(), franchiser: id.New(),
		waiting: id.New(), own: id.New(), approved: id.New(),
	}
	for staffID, name := range map[string]string{a.asha: "asha", a.ravi: "ravi"} {
		a.must(t, `INSERT INTO staff (id, email, name, role, password_hash, totp_secret, created_at)
			VALUES ($1, $2 || '@example.in', $2, 'admin', '$argon2id$v=19$m=8,t=1,p=1$c2FsdA$ZGlnZXN0', 'x', now())`, staffID, name)
	}
	a.must(t, `INSERT INTO staff_sessions (id, staff_id, token_hash, created_at, expires_at)
		VALUES ($1, $2, sha256('asha'), now(), now() + interval '8 hours')`, id.New(), a.asha)
	a.must(t, `INSERT INTO franchisers (id, mobile, email, last_name, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, '9876543210', 'meera@example.in', 'Shaikh', 'x', '1', now(), now())`, a.franchiser)
	a.must(t, `INSERT INTO contact_requests (id, name, email, mobile, topic, consent_version, consented_at, state, created_at, updated_at)
		VALUES ($1, 'Meera', 'meera@example.in', '9876543210', 'other', '1', now(), 'open', now(), now())`, id.New())
	var err error
	a.payment, err = testkit.PaidPayment(t.Context(), a.db.Owner, a.franchiser, 9_00_000, false, testkit.NewClock().Now())
	require.NoError(t, err)
	a.must(t, reversalSQL, a.waiting, a.franchiser, a.payment, "waiting", true, a.ravi)
	a.must(t, reversalSQL, a.own, a.franchiser, a.payment, "waiting", true, a.asha)
	return a
}

const reversalSQL = `INSERT INTO reversals (id, franchiser_ref, payment_id, kind, amount_paise, reason, state, needs_approval, key,
	requested_by, requested_at) VALUES ($1::uuid, $2, $3, 'refund', 900000, 'Because', $4, $5, 'key-' || $1::uuid::text, $6, now())`

func (a attack) must(t *testing.T, statement string, args ...any) {
	t.Helper()
	_, err := a.db.Owner.Exec(statement, args...)
	require.NoError(t, err, statement)
}

// try runs the statement with the api's rights, with the proof if there is one, and returns how many rows it wrote or read.
func (a attack) try(t *testing.T, proof, statement string, args ...any) (rows int, err error) {
	t.Helper()
	err = postgres.InTx(t.Context(), a.db.API, func(tx *sqlx.Tx) error {
		if proof != "" {
			if _, err := tx.Exec(`SELECT set_config('app.proof', encode(sha256($1), 'hex'), true)`, []byte(proof)); err != nil {
				return err
			}
		}
		found, err := tx.Queryx(statement, args...) //nolint:sqlclosecheck // closed below
		if err != nil {
			return err
		}
		defer func() { _ = found.Close() }()
		for found.Next() {
			rows++
		}
		return found.Err()
	})
	return rows, err
}

func TestAPIRole_WithoutStaffProof_CannotActAsStaff(t *testing.T) {
	t.Parallel()
	a := newAttack(t)
	approve := `UPDATE reversals SET state = 'approved', decided_by = $2, decided_at = now(), decision_reason = 'x' WHERE id = $1 RETURNING id`
	const lock = `INSERT INTO book_locks (sequence, locked_through, reason, staff_id, staff_name, recorded_at)
		VALUES (1, '2026-10-31', 'because', $1, 'x', now()) RETURNING 1`
	for name, c := range map[string]struct {
		proof, statement string
		args             []any
	}{
		"read secrets of staff":    {"", `SELECT password_hash, totp_secret FROM staff`, nil},
		"read them with a proof":   {"asha", `SELECT password_hash, totp_secret FROM staff`, nil},
		"read sessions of staff":   {"", `SELECT token_hash FROM staff_sessions`, nil},
		"read them as staff":       {"asha", `SELECT token_hash FROM staff_sessions`, nil},
		"make a session":           {"", `INSERT INTO staff_sessions (id, staff_id, token_hash, created_at, expires_at) VALUES ($1, $2, sha256('x'), now(), now() + interval '1 day') RETURNING id`, []any{id.New(), a.ravi}},
		"sign in without password": {"", `SELECT 1 WHERE begin_staff_session('ravi@example.in', '', $1, sha256('x'), 5, now(), now() + interval '1 day') IS NOT NULL`, []any{id.New()}},
		"read the second factor":   {"", `SELECT * FROM staff_factor('ravi@example.in', '')`, nil},
		"ask in nobody's name":     {"", reversalSQL + ` RETURNING id`, []any{a.approved, a.franchiser, a.payment, "approved", false, a.ravi}},
		"ask in another's name":    {"asha", reversalSQL + ` RETURNING id`, []any{a.approved, a.franchiser, a.payment, "waiting", true, a.ravi}},
		"ask and approve at once":  {"asha", `INSERT INTO reversals (id, franchiser_ref, payment_id, kind, amount_paise, reason, state, needs_approval, key, requested_by, requested_at, decided_by, decided_at) VALUES ($1, $2, $3, 'refund', 1, 'x', 'approved', true, 'key-of-mine', $4, now(), $5, now()) RETURNING id`, []any{a.approved, a.franchiser, a.payment, a.asha, a.ravi}},
		"approve as nobody":        {"", approve, []any{a.waiting, a.asha}},
		"approve with a guess":     {"guess", approve, []any{a.waiting, a.asha}},
		"approve in another's name": {
			"asha", approve, []any{a.own, a.ravi},
		},
		"approve one's own":        {"asha", approve, []any{a.own, a.asha}},
		"write another's record":   {"asha", `INSERT INTO staff_actions (id, staff_id, action, target, reason, at) VALUES ($1, $2, 'unlock', 'x:1', 'x', now()) RETURNING id`, []any{id.New(), a.ravi}},
		"lock the books as nobody": {"", lock, []any{a.asha}},
		"lock them for another":    {"asha", lock, []any{a.ravi}},
		"find customers":           {"", `SELECT * FROM support_find('meera', '')`, nil},
		"find them by the search": {
			"", `SELECT * FROM support_search('meera', '')`, nil,
		},
		"find names alike": {
			"", `SELECT * FROM support_find_sounding('sheik', false)`, nil,
		},
		"list waiting money":   {"", `SELECT * FROM waiting_money()`, nil},
		"name a payment":       {"", `SELECT * FROM named_payments(ARRAY(SELECT $1::uuid))`, []any{a.payment}},
		"name a customer":      {"", `SELECT * FROM named_subjects(ARRAY['payment:' || $1])`, []any{a.payment}},
		"whose payment":        {"", `SELECT * FROM find_transaction($1)`, []any{a.payment}},
		"list customers":       {"", `SELECT * FROM franchisers`, nil},
		"list contacts":        {"", `SELECT * FROM contact_requests`, nil},
		"list reversals":       {"", `SELECT * FROM reversals`, nil},
		"read the audit trail": {"", `SELECT * FROM staff_actions`, nil},
	} {
		rows, err := a.try(t, c.proof, c.statement, c.args...)
		if err == nil {
			require.Zero(t, rows, name)
		}
	}
	for name, c := range map[string]struct {
		statement string
		args      []any
	}{
		"approve another's": {approve, []any{a.waiting, a.asha}},
		"lock the books":    {lock, []any{a.asha}},
		"find customers":    {`SELECT * FROM support_find('meera', '')`, nil},
		"find names alike":  {`SELECT * FROM support_find_sounding('sheik', false)`, nil},
		"name a payment":    {`SELECT * FROM find_transaction($1)`, []any{a.payment}},
		"list contacts":     {`SELECT * FROM contact_requests`, nil},
		"list reversals":    {`SELECT * FROM reversals LIMIT 1`, nil},
	} {
		rows, err := a.try(t, "asha", c.statement, c.args...)
		require.NoError(t, err, name)
		require.Equal(t, 1, rows, name)
	}
	_, err := a.try(t, "asha", `UPDATE reversals SET state = 'approved', decided_at = now() WHERE id = $1`, a.waiting)
	require.NoError(t, err, "nothing changes")
	a.must(t, `UPDATE reversals SET state = 'done', finished_at = now() WHERE id = $1`, a.waiting)
	for _, state := range []string{"approved", "waiting"} {
		_, err = a.try(t, "asha", `UPDATE reversals SET state = $2 WHERE id = $1`, a.waiting, state)
		require.Error(t, err, "what is done is not done again")
	}
	a.must(t, `UPDATE staff_sessions SET ended_at = now()`)
	rows, err := a.try(t, "asha", `SELECT id FROM contact_requests`)
	require.NoError(t, err)
	require.Zero(t, rows, "a session that ended proves nothing")
}

func TestWorkerRole_StaffSecrets_AreUnreadable(t *testing.T) {
	t.Parallel()
	a := newAttack(t)
	for _, statement := range []string{
		`SELECT password_hash FROM staff`, `SELECT totp_secret FROM staff`, `SELECT email FROM staff`, `SELECT token_hash FROM staff_sessions`,
		`INSERT INTO staff_sessions (id, staff_id, token_hash, created_at, expires_at) SELECT gen_random_uuid(), id, sha256('x'), now(), now() FROM staff`,
	} {
		_, err := a.db.Worker.Exec(statement)
		require.ErrorContains(t, err, "permission denied", statement)
	}
	var names int
	require.NoError(t, a.db.Worker.Get(&names, `SELECT count(*) FROM (SELECT id, name, role, disabled_at FROM staff) s`))
	require.Equal(t, 2, names)
}
