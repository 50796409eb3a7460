package outlet_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// People type and edit the addresses of lists: an invalid filter is dropped and selects everything.
func TestQueryNormalise_InvalidFilters_AreDropped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		given, want outlet.Query
		filtered    bool
	}{
		"nothing":                 {outlet.Query{}, outlet.Query{Sort: outlet.SortNewest, Limit: 25}, false},
		"blanks":                  {outlet.Query{Search: " \t ", City: " "}, outlet.Query{Sort: outlet.SortNewest, Limit: 25}, false},
		"one line":                {outlet.Query{Search: " MG  Road\n", Sort: "name", Limit: 7}, outlet.Query{Search: "MG Road", Sort: outlet.SortName, Limit: 7}, true},
		"60 letters":              {outlet.Query{Search: strings.Repeat("क", 60)}, outlet.Query{Search: strings.Repeat("क", 60), Sort: outlet.SortNewest, Limit: 25}, true},
		"61 letters":              {outlet.Query{Search: strings.Repeat("क", 61)}, outlet.Query{Sort: outlet.SortNewest, Limit: 25}, false},
		"a city of 25":            {outlet.Query{City: strings.Repeat("क", 25)}, outlet.Query{City: strings.Repeat("क", 25), Sort: outlet.SortNewest, Limit: 25}, true},
		"a city of 26":            {outlet.Query{City: strings.Repeat("क", 26)}, outlet.Query{Sort: outlet.SortNewest, Limit: 25}, false},
		"NUL":                     {outlet.Query{Search: "a\x00", City: "a\x00"}, outlet.Query{Sort: outlet.SortNewest, Limit: 25}, false},
		"another state and order": {outlet.Query{State: "lost", Sort: "Name", Limit: -1}, outlet.Query{Sort: outlet.SortNewest, Limit: 25}, false},
		"a state and an order":    {outlet.Query{State: outlet.StatePaused, Sort: "city"}, outlet.Query{State: outlet.StatePaused, Sort: outlet.SortCity, Limit: 25}, true},
		"both spellings of é":     {outlet.Query{Search: "Cafe\u0301"}, outlet.Query{Search: "Café", Sort: outlet.SortNewest, Limit: 25}, true},
	} {
		got := c.given.Normalise()
		require.Equal(t, c.want, got, name)
		require.Equal(t, c.filtered, got.Filtered(), name)
		require.Equal(t, got, got.Normalise(), "%s: once is enough", name)
	}
}

// Given outlets with the same moment, the same city and names that differ in case, then each order pages through all of them once. The
// search takes special characters literally.
func TestList_EachOrder_PagesThroughEachOutletOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.plans.set(func(e *tenant.Entitlement) { e.FranchiseLimit = 20 })
	ref, other := b.store(t, "9876543210"), b.store(t, "9876543211")
	b.add(t, other, "Camp")
	for _, in := range []outlet.Input{
		{Name: "banjara", City: "Pune"},
		{Name: "Ajmer", City: "pune"},
		{Name: "Camp", City: "Agra", Code: "A-1"},
		{Name: "camp 2", City: "Pune", Address: "Opp. 100 Feet Road"},
		{Name: "Dadar", City: "Mumbai"},
		{Name: "Elco", City: "Mumbai"},
		{Name: "A/B 100", City: "Mumbai"},
	} {
		_, err := b.service.Add(t.Context(), ref, in, outlet.StateOpen, "")
		require.NoError(t, err)
	}
	read := func(q outlet.Query) (names []string, total int) {
		for range 20 {
			p, err := b.service.List(t.Context(), ref, q)
			require.NoError(t, err)
			for _, o := range p.Outlets {
				names = append(names, o.Name)
			}
			total = p.Total
			if q.After = p.Next; p.Next == "" {
				break
			}
		}
		return names, total
	}
	for order, want := range map[outlet.Sort][]string{
		outlet.SortNewest: {"A/B 100", "Elco", "Dadar", "camp 2", "Camp", "Ajmer", "banjara"},
		outlet.SortName:   {"A/B 100", "Ajmer", "banjara", "Camp", "camp 2", "Dadar", "Elco"},
		outlet.SortCity:   {"Camp", "A/B 100", "Dadar", "Elco", "Ajmer", "banjara", "camp 2"},
	} {
		for _, size := range []int{1, 2, 3, 7, 25} {
			names, total := read(outlet.Query{Sort: order, Limit: size})
			require.Equal(t, want, names, "%s, %d a page", order, size)
			require.Equal(t, 7, total, "a page says how many there are in all")
		}
	}
	for search, want := range map[string]int{"CAMP": 2, "a-1": 1, "100": 1, "1%": 0, "%": 0, "_": 0, "a/b": 1, `\`: 0, "'": 0, "pune": 3} {
		names, total := read(outlet.Query{Search: search})
		require.Len(t, names, want, search)
		require.Equal(t, want, total, search)
	}
	names, _ := read(outlet.Query{City: "Mumbai", Sort: outlet.SortName, Limit: 2})
	require.Equal(t, []string{"A/B 100", "Dadar", "Elco"}, names)
	names, _ = read(outlet.Query{State: outlet.StatePlanned})
	require.Empty(t, names)

	// An invalid cursor, or a cursor of another order, selects the first page.
	page, err := b.service.List(t.Context(), ref, outlet.Query{Sort: outlet.SortName, Limit: 2})
	require.NoError(t, err)
	cursor := func(change map[string]any) string {
		raw, err := base64.RawURLEncoding.DecodeString(page.Next)
		require.NoError(t, err)
		fields := map[string]any{}
		require.NoError(t, json.Unmarshal(raw, &fields))
		maps.Copy(fields, change)
		raw, err = json.Marshal(fields)
		require.NoError(t, err)
		return base64.RawURLEncoding.EncodeToString(raw)
	}
	for name, after := range map[string]string{
		"no base64": "!", "no JSON": base64.RawURLEncoding.EncodeToString([]byte("x")), "another order's": cursor(map[string]any{"s": "city"}),
		"no id": cursor(map[string]any{"i": "x"}), "NUL": cursor(map[string]any{"n": "a\x00"}), "a number for a name": cursor(map[string]any{"n": 1}),
		"before all time": cursor(map[string]any{"t": "0001-01-01T00:00:00Z"}), "far too long": cursor(map[string]any{"n": strings.Repeat("a", 1024)}),
	} {
		again, err := b.service.List(t.Context(), ref, outlet.Query{Sort: outlet.SortName, Limit: 2, After: after})
		require.NoError(t, err, name)
		require.Equal(t, page, again, name)
	}
	next, err := b.service.List(t.Context(), ref, outlet.Query{Sort: outlet.SortName, Limit: 2, After: cursor(nil)})
	require.NoError(t, err)
	require.Equal(t, "banjara", next.Outlets[0].Name)
}

// People type phone numbers as they say them: with +91, with the 0 of a trunk call, with an STD code in brackets.
func TestPhone_AnyNotation_IsStoredAsTenDigits(t *testing.T) {
	t.Parallel()
	for typed, mobile := range map[string]bool{
		"9876543210": true, "+91 98765-43210": true, "09876543210": true, "+91 (98765) 43210": true, " 98765 43210 ": true, "+910 9876543210": true,
		"919876543210": true, "0091 98765 43210": true, "5876543210": false, "98765432100": false, "987654321": false, "": false, "+1 9876543210": false, "९८७६५४३२१०": true, "98765.43210": true,
		"020-2612 3456": false, "9876543210\x00": false,
	} {
		require.Equal(t, mobile, outlet.IsMobile(typed), typed)
	}
}

func TestPartner_MaskedMobileAndRights(t *testing.T) {
	t.Parallel()
	for mobile, want := range map[string]string{"9876543210": "•••••• 3210", "3210": "•••••• 3210", "321": "", "": ""} {
		require.Equal(t, want, outlet.Partner{Mobile: mobile}.MaskedMobile())
	}
	require.True(t, outlet.Partner{Role: outlet.RoleManager}.MayUpdate())
	for _, role := range []outlet.Role{outlet.RoleViewer, "", "owner"} {
		require.False(t, outlet.Partner{Role: role}.MayUpdate(), role)
	}
	require.Equal(t, []string{"Manager", "Viewer"}, []string{outlet.RoleManager.Label(), outlet.RoleViewer.Label()})
}

// People read a store's history: it names the changed fields, never their values.
func TestEventTitle_NamesTheChangeWithoutItsValues(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]outlet.Event{
		"Added as open":       {Kind: "added", Details: json.RawMessage(`{"state":"open"}`)},
		"Open → Closed":       {Kind: "moved", Details: json.RawMessage(`{"from":"open","to":"closed"}`)},
		"Changed: city, name": {Kind: "changed", Details: json.RawMessage(`{"fields":["city","name"]}`)},
		"partner removed":     {Kind: "partner_removed", Details: json.RawMessage(`{"partner_id":"1"}`)},
		"of a later release":  {Kind: "of_a_later_release", Details: json.RawMessage(`not JSON`)},
	} {
		require.Equal(t, want, e.Title())
	}
}

// Each state allows its following states and an unchanged save, and no other state.
func TestMove_EachPairOfStates_FollowsTheTable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.plans.set(func(e *tenant.Entitlement) { e.FranchiseLimit = 20 })
	ref := b.store(t, "9876543210")
	all := []outlet.State{outlet.StatePlanned, outlet.StateOpen, outlet.StatePaused, outlet.StateClosed}
	follows := map[outlet.State][]outlet.State{
		outlet.StatePlanned: {outlet.StateOpen, outlet.StateClosed}, outlet.StateOpen: {outlet.StatePaused, outlet.StateClosed},
		outlet.StatePaused: {outlet.StateOpen, outlet.StateClosed}, outlet.StateClosed: {outlet.StateOpen},
	}
	ways := map[outlet.State][]outlet.State{
		outlet.StatePlanned: nil, outlet.StateOpen: {outlet.StateOpen}, outlet.StatePaused: {outlet.StateOpen, outlet.StatePaused}, outlet.StateClosed: {outlet.StateClosed},
	}
	n := 0
	for _, from := range all {
		for _, to := range append(all, "lost", "") {
			n++
			o := b.add(t, ref, fmt.Sprintf("Outlet %d", n))
			for _, step := range ways[from] {
				var err error
				o, err = b.service.Move(t.Context(), ref, o.ID, o.Revision, step)
				require.NoError(t, err)
			}
			moved, err := b.service.Move(t.Context(), ref, o.ID, o.Revision, to)
			switch {
			case from == to:
				require.NoError(t, err)
				require.Equal(t, o.Revision, moved.Revision, "nothing changed")
			case slices.Contains(follows[from], to):
				require.NoError(t, err, "%s to %s", from, to)
				require.Equal(t, o.Revision+1, moved.Revision)
				_, err = b.service.Move(t.Context(), ref, o.ID, o.Revision, outlet.StateClosed)
				if to != outlet.StateClosed {
					require.ErrorIs(t, err, outlet.ErrChanged, "from the page before")
				}
			default:
				require.ErrorIs(t, err, outlet.ErrState, "%s to %s", from, to)
			}
			last, _, err := b.service.Find(t.Context(), ref, o.ID)
			require.NoError(t, err)
			if last.State != outlet.StateClosed {
				_, err = b.service.Move(t.Context(), ref, o.ID, last.Revision, outlet.StateClosed)
				require.NoError(t, err, "each can be closed")
			}
		}
	}
	_, err := b.service.Move(t.Context(), ref, "x", 1, outlet.StateOpen)
	require.ErrorIs(t, err, errs.NotFound())
	_, err = b.service.Move(t.Context(), ref, id.New(), 1, outlet.StateOpen)
	require.ErrorIs(t, err, errs.NotFound())
}

// Given a code, then a partner has ten a day, each a minute after the one before, and a session for as long as it is used.
func TestSendCode_MoreThanTenADay_AreNotSent(t *testing.T) {
	t.Parallel()
	b := meet(t)
	ref := b.store(t, "9876543210")
	b.join(t, ref, "9123456789", outlet.RoleViewer) // with the first code
	for range 9 {
		b.clock.Advance(time.Minute)
		require.NoError(t, b.partners.SendCode(t.Context(), ref, "9123456789"))
		b.code(t)
	}
	b.clock.Advance(time.Minute)
	require.NoError(t, b.partners.SendCode(t.Context(), ref, "9123456789"))
	require.Zero(t, b.deliver(t), "the eleventh of a day is not sent, and nobody is told")
	b.clock.Advance(24*time.Hour - 10*time.Minute - time.Microsecond)
	require.NoError(t, b.partners.SendCode(t.Context(), ref, "9123456789"))
	require.Zero(t, b.deliver(t))
	b.clock.Advance(time.Microsecond)
	require.NoError(t, b.partners.SendCode(t.Context(), ref, "9123456789"))
	token, err := b.partners.SignIn(t.Context(), ref, "9123456789", b.code(t))
	require.NoError(t, err)
	signedIn := func() bool {
		who, err := b.partners.SignedIn(t.Context(), ref, token)
		require.NoError(t, err)
		return who != nil
	}
	for range 3 { // used before it has been idle for too long
		b.clock.Advance(tenant.IdleLife - time.Minute)
		require.True(t, signedIn())
	}
	require.NoError(t, b.partners.SignOut(t.Context(), ref, token))
	require.False(t, signedIn())
	require.NoError(t, b.partners.SignOut(t.Context(), ref, token), "signing out twice is no failure")
	nobody, err := b.partners.SignedIn(t.Context(), ref, "")
	require.NoError(t, err)
	require.Nil(t, nobody)
}
