package subscription

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

func TestEndingBy_UnitsOfOneKind_EachGetsTheCreditOfItsOwnLine(t *testing.T) {
	t.Parallel()
	unit := func(id string, from, to Day, renews bool) AddOn {
		return AddOn{ID: id, AddOnID: "seats", Key: "seats", StartsOn: from, PaidUntil: to, Renews: renews}
	}
	line := func(from, to Day, quantity int, value money.Paise) PaidLine {
		return PaidLine{AddOnID: "seats", Quantity: quantity, From: from, To: to, Value: value}
	}
	planLine := PaidLine{Quantity: 1, From: 0, To: 100, Value: 100_000}
	one := []plan.AddOn{{Key: "seats"}}
	tests := []struct {
		name      string
		owned     []AddOn
		following []plan.AddOn
		paid      []PaidLine
		want      map[string]money.Paise
	}{
		{"one cancelled unit", []AddOn{unit("a", 0, 100, false)}, nil, []PaidLine{planLine, line(0, 100, 1, 1_000)}, map[string]money.Paise{"a": 500}},
		{
			"the cancelled of two units ends",
			[]AddOn{unit("a", 0, 100, false), unit("b", 20, 100, true)},
			one,
			[]PaidLine{line(20, 100, 1, 800), line(0, 100, 1, 1_200)},
			map[string]money.Paise{"a": 600},
		},
		{
			"two units of one line share it to the paisa",
			[]AddOn{unit("a", 0, 100, true), unit("b", 0, 100, true)},
			nil,
			[]PaidLine{line(0, 100, 2, 1_002)},
			map[string]money.Paise{"a": 251, "b": 250},
		},
		{
			"a unit renewed early has both terms",
			[]AddOn{unit("a", 0, 100, false), unit("b", 0, 200, true)},
			nil,
			[]PaidLine{line(0, 100, 2, 2_000), line(100, 200, 1, 1_000)},
			map[string]money.Paise{"a": 500, "b": 1_500},
		},
		{"a refunded unit ends without a credit", []AddOn{unit("a", 0, 100, false)}, nil, []PaidLine{line(0, 100, 1, 0)}, map[string]money.Paise{"a": 0}},
		{
			"a one-time add-on stays",
			[]AddOn{{ID: "a", AddOnID: "setup", Key: "setup", PaidUntil: 100, Renews: true, Once: true}},
			nil,
			[]PaidLine{planLine},
			map[string]money.Paise{},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := map[string]money.Paise{}
			for _, a := range endingBy(tt.owned, tt.following, tt.paid, 50) {
				got[a.ID] = a.Credit
			}
			require.Equal(t, tt.want, got)
		})
	}
}
