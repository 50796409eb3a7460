package invoice_test

import (
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

// Only documents without a rendered file are on the work list, which reads their notes and not all documents.
func TestDocument_NotRendered_IsOnTheWorkList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ashas, err := b.issue(t, b.plan(t, b.asha))
	require.NoError(t, err)
	ravis, err := b.issue(t, b.plan(t, b.ravi))
	require.NoError(t, err)
	sunita, err := member.Add(t.Context(), b.db.Owner, "Sunita", staff.RoleSupport, b.clock.Now())
	require.NoError(t, err)
	listed := func() (numbers []string) {
		t.Helper()
		require.NoError(t, postgres.InTx(sunita.Sign(t.Context()), b.db.API, func(tx *sqlx.Tx) error {
			items, total, err := invoice.WorkSources()[0].Read(t.Context(), tx, b.clock.Now(), 10)
			require.Len(t, items, total)
			for _, one := range items {
				numbers = append(numbers, one.Title)
			}
			return err
		}))
		return numbers
	}
	noted := func() (ids []string) {
		t.Helper()
		require.NoError(t, b.db.Owner.Select(&ids, `SELECT invoice_id FROM documents_to_draw ORDER BY issued_at, invoice_id`))
		return ids
	}
	require.ElementsMatch(t, []string{ashas.ID, ravis.ID}, noted())
	require.Empty(t, listed(), "they have ten minutes")
	b.clock.Advance(11 * time.Minute)
	require.ElementsMatch(t, []string{ashas.Number, ravis.Number}, listed())

	_, err = b.printer.Print(t.Context(), ashas.ID)
	require.NoError(t, err)
	require.Equal(t, []string{ravis.ID}, noted())
	require.Equal(t, []string{ravis.Number}, listed())
	b.db.Owner.MustExec(`DELETE FROM documents_to_draw`)
	require.Empty(t, listed(), "what is not noted is not looked for")
}
