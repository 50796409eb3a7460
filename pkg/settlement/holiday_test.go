package settlement_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestLoadHolidays_InvalidFile_IsRefused(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	names := func() (n int) {
		require.NoError(t, db.Owner.Get(&n, `SELECT count(*) FROM bank_holidays WHERE day >= '2030-01-01'`))
		return n
	}
	day := subscription.NewDay(2030, time.March, 22)
	for name, bad := range map[string]settlement.Holiday{
		"no name": {day, ""}, "a long name": {day, strings.Repeat("x", 101)}, "no day": {0, "Holi"},
		"another century": {subscription.NewDay(1999, time.December, 31), "Holi"},
	} {
		err := settlement.SaveHolidays(t.Context(), db.Owner, []settlement.Holiday{{day, "Holi"}, bad})
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), name)
		require.Zero(t, names(), "%s: all of the file or nothing", name)
	}
	hindi := strings.Repeat("होली ", 20) // 100 letters and marks, of three bytes each
	require.NoError(t, settlement.SaveHolidays(t.Context(), db.Owner, []settlement.Holiday{{day, "Holi"}, {day + 7, hindi}, {day, "Holi, again"}}))
	require.Equal(t, 2, names())
	var name string
	require.NoError(t, db.Owner.Get(&name, `SELECT name FROM bank_holidays WHERE day = '2030-03-22'`))
	require.Equal(t, "Holi, again", name)
	require.NoError(t, settlement.SaveHolidays(t.Context(), db.Owner, nil))
	require.Error(t, settlement.SaveHolidays(t.Context(), db.API, []settlement.Holiday{{day, "Holi"}}), "the api may not")
}

// The database knows the same kinds as the code, and refuses to acknowledge the same ones.
func TestDifferenceKinds_EqualTheDatabases(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	rule := func(name string) (text string) {
		require.NoError(t, db.Owner.Get(&text, `SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = $1`, name))
		return text
	}
	all, clearing := rule("settlement_differences_kind_check"), rule("settlement_differences_acknowledged")
	for _, k := range settlement.DifferenceKinds() {
		require.Contains(t, all, "'"+string(k)+"'::text")
		require.Equal(t, k.Clears(), strings.Contains(clearing, "'"+string(k)+"'::text"), k)
	}
	require.Equal(t, len(settlement.DifferenceKinds()), strings.Count(all, "::text"))
}
