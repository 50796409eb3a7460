package support_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// board is a cache in memory that may be away.
type board struct {
	kept map[string]map[string]string
	away error
}

func (b *board) SetField(_ context.Context, key, field, value string, _ time.Duration) error {
	if b.away == nil {
		if b.kept[key] == nil {
			b.kept[key] = map[string]string{}
		}
		b.kept[key][field] = value
	}
	return b.away
}

func (b *board) Fields(_ context.Context, keys ...string) ([]map[string]string, error) {
	all := make([]map[string]string, len(keys))
	for i, key := range keys {
		all[i] = b.kept[key]
	}
	return all, b.away
}

// Given colleagues with one page open, then each sees the others' names while their pages send heartbeats. Without the presence store, the
// page says that it does not know.
func TestPresence_ColleaguesOnTheSamePage_SeeEachOther(t *testing.T) {
	t.Parallel()
	clk, cache := testkit.NewClock(), &board{kept: map[string]map[string]string{}}
	presence := support.NewPresence(cache, clk)
	sunita, priya := staff.Principal{StaffID: id.New(), Name: "Sunita"}, staff.Principal{StaffID: id.New(), Name: "Priya"}
	asha, ravi := "customer:"+id.New(), "contact:"+id.New()
	stay := func(p staff.Principal, page string) support.Lookers {
		found, err := presence.Stay(t.Context(), p, page)
		require.NoError(t, err)
		return found
	}
	require.Equal(t, support.Lookers{Known: true, Names: map[string][]string{}}, stay(sunita, asha))
	require.Equal(t, support.Lookers{Known: true, Names: map[string][]string{asha: {"Sunita"}}}, stay(priya, asha))
	clk.Advance(30 * time.Second)
	require.Equal(t, []string{"Priya"}, stay(sunita, asha).Names[asha])
	clk.Advance(15 * time.Second)
	require.Empty(t, stay(sunita, asha).Names, "Priya's page has not said so for 45 seconds")
	found, err := presence.Look(t.Context(), priya, []string{ravi, asha})
	require.NoError(t, err)
	require.Equal(t, map[string][]string{asha: {"Sunita"}}, found.Names)

	cache.away = errors.New("away")
	require.Equal(t, support.Lookers{Names: map[string][]string{}}, stay(priya, asha), "nobody can tell, and nothing fails")
	for _, pages := range [][]string{nil, {"customer:1"}, {"jobs"}, make([]string, 201)} {
		_, err := presence.Look(t.Context(), priya, pages)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	}
}
