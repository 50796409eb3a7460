package verifybooks

import (
	"bytes"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

// Given a ledger with an entry, the command prints the result and succeeds; after tampering it names the fault and fails.
func TestVerifyBooks_TamperedLedger_NamesTheFault(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	clk, franchiserID := testkit.NewClock(), id.New()
	_, err := db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, '9876543210', 'a@b.in', 'x', '1', $2, $2)`, franchiserID, clk.Now())
	require.NoError(t, err)
	paymentID, err := testkit.PaidPayment(t.Context(), db.Owner, franchiserID, 1_59_300_00, true, clk.Now())
	require.NoError(t, err)
	require.NoError(t, postgres.InTx(t.Context(), db.Worker, func(tx *sqlx.Tx) error {
		return ledger.NewService(db.Worker, clk).PostTx(t.Context(), tx, ledger.ExtraCapture(ledger.Movement{
			FranchiserID: franchiserID, PaymentID: paymentID, Reference: paymentID, Amount: 1_59_300_00,
		}))
	}))
	env := map[string]string{"WORKER_DATABASE_URL": db.DSN(testkit.RoleWorker)}

	var out bytes.Buffer
	call := command.Call{Getenv: func(name string) string { return env[name] }, Out: &out}
	require.NoError(t, Command().Run(t.Context(), call))
	require.Contains(t, out.String(), "1,59,300.00")
	require.Contains(t, out.String(), "The books are in order.")

	_, err = db.Owner.Exec(`ALTER TABLE ledger_lines DISABLE TRIGGER ALL; UPDATE ledger_lines SET debit_paise = 1 WHERE debit_paise > 0`)
	require.NoError(t, err)
	out.Reset()
	require.ErrorContains(t, Command().Run(t.Context(), call), "findings")
	require.Contains(t, out.String(), "journal_balances")
}

func TestVerifyBooks_WithoutADatabase_SaysSo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	err := Command().Run(t.Context(), command.Call{Getenv: func(name string) string { return map[string]string{"DATA_DIR": dir}[name] }})
	require.ErrorContains(t, err, "neither WORKER_DATABASE_URL nor a development stack")
}
