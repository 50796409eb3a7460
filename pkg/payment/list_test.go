package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
)

func TestAListIsReadByPlaceAsByPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for n := range 7 {
		b.ask(b.owner, buy(b.tier(n%4, 0), plan.TypeMonthly))
	}
	b.ask(b.franchiser("27"), buy(b.tier(0, 0), plan.TypeMonthly))
	for _, search := range []string{"", "start up", "monthly"} {
		all, total, err := b.api.Orders(t.Context(), b.owner, payment.Query{Search: search, Limit: 100})
		require.NoError(t, err)
		require.Len(t, all, total)
		var seen []string
		q := payment.Query{Search: search, Limit: 2}
		for {
			rows, _, err := b.api.Orders(t.Context(), b.owner, q)
			require.NoError(t, err)
			if len(rows) == 0 {
				break
			}
			for _, r := range rows {
				seen = append(seen, r.ID)
			}
			place, ok := payment.ParseCursor(rows[len(rows)-1].Place.String())
			require.True(t, ok)
			q.After = &place
		}
		require.Len(t, seen, total, search)
		for i, r := range all {
			require.Equal(t, r.ID, seen[i], "by page and by place alike, all at one moment of the clock")
		}
	}
	first, total, err := b.api.Payments(t.Context(), b.owner, payment.Query{Limit: 3})
	require.NoError(t, err)
	require.Equal(t, 7, total)
	place := first[2].Place()
	second, _, err := b.api.Payments(t.Context(), b.owner, payment.Query{Limit: 3, After: &place})
	require.NoError(t, err)
	byPage, _, err := b.api.Payments(t.Context(), b.owner, payment.Query{Limit: 3, Offset: 3})
	require.NoError(t, err)
	require.Equal(t, byPage, second)
	for _, text := range []string{"", ".", "x", "zz.1", "-1.01a20053-6aff-725a-bdba-fda65e5a9451", "1.01a20053", "!!.01a20053-6aff-725a-bdba-fda65e5a9451"} {
		_, ok := payment.ParseCursor(text)
		require.False(t, ok, text)
	}
}
