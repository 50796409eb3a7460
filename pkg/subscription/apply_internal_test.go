package subscription

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

func on(tb testing.TB, date string) Day {
	tb.Helper()
	at, err := time.ParseInLocation(time.DateOnly, date, clock.IST)
	require.NoError(tb, err)
	return DayOf(at)
}

// runs returns a subscription in a state, with a single paid monthly term between two days.
func runs(tb testing.TB, state State, from, to string) Subscription {
	tb.Helper()
	s := Subscription{
		ID: "s", State: state, Revision: 3, CatalogueRevision: 1, PlanID: "p", ServiceID: "small", Type: plan.TypeMonthly,
		StartsOn: on(tb, from), RenewOn: on(tb, to), PaidUntil: on(tb, to), AnchorDay: on(tb, from).DayOfMonth(),
		Trial: state == StateTrialing,
	}
	switch state {
	case StateExpired, StateLapsed:
		s.ExpiredOn = s.RenewOn + GraceDays
	default:
	}
	return s
}

func paidFor(kind Kind, typ plan.Type, service string, revision int) Order {
	return Order{
		ID: "o", Kind: kind, State: OrderOpen, Type: typ, ServiceID: service, PlanID: "p2", BaseRevision: revision, CatalogueRevision: 7,
	}
}

func TestTerm_EachKindOfOrder_HasItsDays(t *testing.T) {
	t.Parallel()
	early := runs(t, StateActive, "2027-01-31", "2027-02-28")
	early.AnchorDay = 31
	leap := runs(t, StateActive, "2028-02-29", "2029-02-28")
	leap.AnchorDay = 29
	ahead := runs(t, StateActive, "2026-11-02", "2026-12-02")
	ahead.PaidUntil = on(t, "2027-01-02")
	trial, grace := runs(t, StateTrialing, "2026-11-02", "2026-11-16"), runs(t, StateGrace, "2026-10-31", "2026-11-30")
	expired, lapsed := runs(t, StateExpired, "2026-10-31", "2026-11-30"), runs(t, StateLapsed, "2026-01-31", "2026-02-28")
	for name, tc := range map[string]struct {
		kind  Kind
		typ   plan.Type
		sub   *Subscription
		today string
		want  string
	}{
		"the first plan begins today":        {KindNew, plan.TypeMonthly, nil, "2026-11-02", "2026-11-02 2026-12-02 current  2"},
		"on the last day of a long month":    {KindNew, plan.TypeMonthly, nil, "2026-12-31", "2026-12-31 2027-01-31 current  31"},
		"on 31 January":                      {KindNew, plan.TypeMonthly, nil, "2027-01-31", "2027-01-31 2027-02-28 current  31"},
		"on 31 January of a leap year":       {KindNew, plan.TypeMonthly, nil, "2028-01-31", "2028-01-31 2028-02-29 current  31"},
		"a year from 29 February":            {KindNew, plan.TypeYearly, nil, "2028-02-29", "2028-02-29 2029-02-28 current  29"},
		"a year into a leap year":            {KindNew, plan.TypeYearly, nil, "2027-03-01", "2027-03-01 2028-03-01 current  1"},
		"a trial that is paid for is cut":    {KindNew, plan.TypeYearly, &trial, "2026-11-05", "2026-11-05 2027-11-05 current replaced 5"},
		"a renewal follows what is paid":     {KindRenewal, plan.TypeMonthly, &early, "2027-02-25", "2027-02-28 2027-03-31 scheduled  31"},
		"a renewal of a leap day's year":     {KindRenewal, plan.TypeYearly, &leap, "2029-02-01", "2029-02-28 2030-02-28 scheduled  29"},
		"another type follows the paid time": {KindRenewal, plan.TypeYearly, &early, "2027-02-25", "2027-02-28 2028-02-29 scheduled  31"},
		"after all that is paid, not today":  {KindRenewal, plan.TypeMonthly, &ahead, "2026-12-01", "2027-01-02 2027-02-02 scheduled  2"},
		"an upgrade begins today":            {KindUpgrade, plan.TypeMonthly, &early, "2027-02-25", "2027-02-25 2027-03-25 current replaced 25"},
		"an upgrade while the next is paid":  {KindUpgrade, plan.TypeYearly, &ahead, "2026-11-30", "2026-11-30 2027-11-30 current replaced 30"},
		"grace continues from the old end":   {KindRenewal, plan.TypeMonthly, &grace, "2026-12-05", "2026-11-30 2026-12-31 current ended 31"},
		"another plan in grace does so too":  {KindNew, plan.TypeYearly, &grace, "2026-12-05", "2026-11-30 2027-11-30 current ended 31"},
		"after expiry it starts that day":    {KindRenewal, plan.TypeMonthly, &expired, "2026-12-09", "2026-12-09 2027-01-09 current ended 9"},
		"after a lapse as well":              {KindNew, plan.TypeMonthly, &lapsed, "2026-12-31", "2026-12-31 2027-01-31 current ended 31"},
	} {
		got, anchor := paidFor(tc.kind, tc.typ, "small", 3).termFor(tc.sub, on(t, tc.today))
		require.Equal(t, tc.want, fmt.Sprintf("%s %s %s %s %d", got.From, got.To, got.Status, got.Before, anchor), name)
	}
}

func TestOrderApplies_OnlyOnceAndToItsRevision(t *testing.T) {
	t.Parallel()
	active := runs(t, StateActive, "2026-11-02", "2026-12-02")
	for _, state := range orderStates().States() {
		o := paidFor(KindRenewal, plan.TypeMonthly, "small", 3)
		o.State = state
		want := state == OrderOpen || state == OrderSuperseded || state == OrderScheduled
		require.Equal(t, want, o.applies(&active), "an order that is %s", state)
	}
	for revision, want := range map[int]bool{0: false, 2: false, 3: true, 4: false} {
		require.Equal(t, want, paidFor(KindRenewal, plan.TypeMonthly, "small", revision).applies(&active), "priced for revision %d", revision)
	}
	require.True(t, paidFor(KindNew, plan.TypeMonthly, "small", 0).applies(nil))
	require.False(t, paidFor(KindNew, plan.TypeMonthly, "small", 1).applies(nil), "the subscription that it was priced for is gone")
	require.False(t, paidFor(KindAddOn, plan.TypeMonthly, "small", 0).applies(nil))
	for _, state := range states().States() {
		sub := runs(t, state, "2026-11-02", "2026-12-02")
		require.Equal(t, state == StateActive, paidFor(KindAddOn, plan.TypeMonthly, "small", 3).applies(&sub), "add-ons in %s", state)
		require.True(t, paidFor(KindNew, plan.TypeMonthly, "small", 3).applies(&sub), "a plan in %s", state)
	}
}

func TestWithTerm_EachState_BecomesActive(t *testing.T) {
	t.Parallel()
	for _, state := range states().States() {
		before := runs(t, state, "2026-11-02", "2026-12-02")
		before.GraceExtra, before.Revoked = 5, true
		o := paidFor(KindNew, plan.TypeYearly, "large", 3)
		now := term{From: on(t, "2026-11-20"), To: on(t, "2027-11-20"), Status: TermCurrent}
		after, err := before.with(o, now, 20)
		require.NoError(t, err, state)
		require.Equal(t, Subscription{
			ID: "s", State: StateActive, Revision: 4, CatalogueRevision: 7, PlanID: "p2", ServiceID: "large", Type: plan.TypeYearly,
			AnchorDay: 20, StartsOn: now.From, RenewOn: now.To, PaidUntil: now.To,
		}, after, "from %s", state)
	}

	before := runs(t, StateActive, "2026-11-02", "2026-12-02")
	later := term{From: on(t, "2026-12-02"), To: on(t, "2027-01-02"), Status: TermScheduled}
	after, err := before.with(paidFor(KindRenewal, plan.TypeMonthly, "large", 3), later, 2)
	require.NoError(t, err)
	want := before
	want.Revision, want.PaidUntil = 4, later.To
	require.Equal(t, want, after, "a term that waits changes what is paid and nothing of what runs")

	trial := term{From: on(t, "2026-11-02"), To: on(t, "2026-11-16"), Status: TermCurrent}
	begun, err := Subscription{ID: "s"}.with(paidFor(KindTrial, plan.TypeMonthly, "small", 0), trial, 2)
	require.NoError(t, err)
	require.Equal(t, StateTrialing, begun.State)
	require.True(t, begun.Trial)
	for _, state := range []State{StateActive, StateGrace, StateExpired, StateLapsed} {
		_, err := runs(t, state, "2026-11-02", "2026-12-02").with(paidFor(KindTrial, plan.TypeMonthly, "small", 3), trial, 2)
		require.Equal(t, errs.KindInternal, errs.KindOf(err), "nobody goes back to a trial from %s", state)
	}
}

func TestScheduledChange_OrderPaid_IsKeptOrCancelled(t *testing.T) {
	t.Parallel()
	waiting := Change{ServiceID: "large", Type: plan.TypeYearly, OrderID: "c"}
	for name, tc := range map[string]struct {
		service string
		typ     plan.Type
		status  TermStatus
		kept    bool
	}{
		"the renewal that it waited for":           {"large", plan.TypeYearly, TermScheduled, false},
		"a renewal of another tier":                {"small", plan.TypeYearly, TermScheduled, true},
		"a renewal of its tier by the month":       {"large", plan.TypeMonthly, TermScheduled, true},
		"the renewal that it waited for, late":     {"large", plan.TypeYearly, TermCurrent, false},
		"a term of another tier that begins today": {"huge", plan.TypeYearly, TermCurrent, false},
	} {
		sub := runs(t, StateActive, "2026-11-02", "2026-12-02")
		sub.Next = &waiting
		after, err := sub.with(paidFor(KindRenewal, tc.typ, tc.service, 3), term{From: 1, To: 2, Status: tc.status}, 2)
		require.NoError(t, err)
		require.Equal(t, tc.kept, after.Next != nil, name)
		require.NotNil(t, sub.Next, "the one before is as it was")
	}
}

func TestAddOnsInTerm_EachKindOfOrder_KeepsOrEndsThem(t *testing.T) {
	t.Parallel()
	from, to := on(t, "2026-12-02"), on(t, "2027-01-02")
	app := plan.AddOn{ID: "app", Key: "users_app", Name: "App", Limit: 1, Monthly: 100, Yearly: 1000}
	ten := plan.AddOn{ID: "ten", Key: plan.KeyFranchiseExtension, Name: "Ten more", Limit: 10, Monthly: 200, Yearly: 2000}
	owned := func(id, addOn string, renews bool) AddOn {
		return AddOn{ID: id, AddOnID: addOn, Key: addOn, Name: "as it was", Limit: 1, Term: 1, StartsOn: from - 30, PaidUntil: from, Renews: renews}
	}
	text := func(units []ownedUnit) []string {
		var lines []string
		for _, u := range units {
			id := u.ID
			if len(id) == 36 {
				id = "new"
			}
			lines = append(lines, fmt.Sprintf("%s %s %s %d %d %s-%s %t %s", id, u.AddOnID, u.Name, u.Limit, int64(u.Term), u.StartsOn, u.PaidUntil, u.Renews, u.EndedOn))
		}
		return lines
	}
	had := []AddOn{owned("a", "app", true), owned("b", "ten", true), owned("c", "ten", false), owned("d", "gone", true)}
	o := Order{Type: plan.TypeMonthly}
	next := term{From: from, To: to, Status: TermScheduled}
	require.Equal(t, []string{
		"b ten Ten more 10 200 2026-11-02-2027-01-02 true -",
		"c ten Ten more 10 200 2026-11-02-2027-01-02 true -",
		"new ten Ten more 10 200 2026-12-02-2027-01-02 true -",
		"a app as it was 1 1 2026-11-02-2026-12-02 false -",
		"d gone as it was 1 1 2026-11-02-2026-12-02 false -",
	}, text(settleAddOns(had, []plan.AddOn{ten, ten, ten}, o, next)), "what is not ordered again ends with the present term")

	now := next
	now.Status = TermCurrent
	require.Equal(t, []string{
		"a app App 1 1000 2026-11-02-2027-01-02 true -",
		"b ten as it was 1 1 2026-11-02-2026-12-02 false 2026-12-02",
		"c ten as it was 1 1 2026-11-02-2026-12-02 false 2026-12-02",
		"d gone as it was 1 1 2026-11-02-2026-12-02 false 2026-12-02",
	}, text(settleAddOns(had, []plan.AddOn{app}, Order{Type: plan.TypeYearly}, now)), "or at once where that is cut short")
	require.Empty(t, settleAddOns(nil, nil, o, now))
	require.Len(t, settleAddOns(nil, []plan.AddOn{app}, o, now), 1)
}

// However often units are ordered again, each owned unit is kept or ended exactly once, and as many are in force as
// were ordered.
func TestAddOnsInTerm_AnyUnits_AreKeptOrEndedOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		kinds := []string{"x", "y", "z"}
		var had []AddOn
		for n := range rapid.IntRange(0, 6).Draw(t, "owned") {
			had = append(had, AddOn{ID: fmt.Sprint(n), AddOnID: rapid.SampledFrom(kinds).Draw(t, "kind"), PaidUntil: 100, Renews: rapid.Bool().Draw(t, "renews")})
		}
		var ordered []plan.AddOn
		for range rapid.IntRange(0, 6).Draw(t, "ordered") {
			ordered = append(ordered, plan.AddOn{ID: rapid.SampledFrom(kinds).Draw(t, "wanted"), Monthly: 5})
		}
		status := rapid.SampledFrom([]TermStatus{TermCurrent, TermScheduled}).Draw(t, "status")
		units := settleAddOns(had, ordered, Order{Type: plan.TypeMonthly}, term{From: 100, To: 131, Status: status})
		seen, goesOn := map[string]int{}, map[string]int{}
		for _, u := range units {
			seen[u.ID]++
			require.Equal(t, 1, seen[u.ID], "%s twice", u.ID)
			if u.PaidUntil == 131 {
				goesOn[u.AddOnID]++
				require.True(t, u.Renews)
				require.Zero(t, u.EndedOn)
				continue
			}
			require.False(t, u.Renews)
			require.Equal(t, status == TermCurrent, u.EndedOn == 100)
		}
		wanted := map[string]int{}
		for _, a := range ordered {
			wanted[a.ID]++
		}
		require.Equal(t, wanted, goesOn)
		for _, a := range had {
			require.Equal(t, 1, seen[a.ID])
		}
	})
}

// Given any number of early renewals, then every term begins where the previous one ends, and each end is the anchor
// day that many months later: no day is lost or given away over the years.
func TestRenewals_AnyNumber_FollowWithoutDrift(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		begin := Day(rapid.Int32Range(19_000, 36_000).Draw(t, "begin"))
		types := rapid.SliceOfN(rapid.SampledFrom([]plan.Type{plan.TypeMonthly, plan.TypeYearly}), 1, 15).Draw(t, "types")
		var sub *Subscription
		months := 0
		for i, typ := range types {
			o := paidFor(KindRenewal, typ, "small", i)
			if sub == nil {
				o.Kind = KindNew
			}
			next, anchor := o.termFor(sub, begin)
			require.Equal(t, begin.DayOfMonth(), anchor)
			from := Subscription{ID: "s"}
			if sub != nil {
				require.Equal(t, sub.PaidUntil, next.From)
				from = *sub
			}
			after, err := from.with(o, next, anchor)
			require.NoError(t, err)
			months += typ.Months()
			require.Equal(t, begin.AddMonths(months, begin.DayOfMonth()), after.PaidUntil)
			require.Equal(t, i+1, after.Revision)
			sub = &after
		}
		require.Equal(t, begin, sub.StartsOn)
		require.Equal(t, len(types) > 1, sub.Prepaid())
	})
}

func TestPricedOn_UpgradePaidJustAfterMidnight_KeepsItsPrice(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		moment, err := time.ParseInLocation(time.DateTime, text, clock.IST)
		require.NoError(t, err)
		return moment.UTC()
	}
	for name, tc := range map[string]struct {
		kind       Kind
		asked, now string
		want       string
	}{
		"on the same day":                     {KindUpgrade, "2026-11-02 10:00:00", "2026-11-02 23:59:59", "2026-11-02"},
		"a moment after midnight":             {KindUpgrade, "2026-11-02 23:59:59", "2026-11-03 00:00:00", "2026-11-02"},
		"a second less than an hour":          {KindUpgrade, "2026-11-02 23:30:00", "2026-11-03 00:29:59", "2026-11-02"},
		"an hour":                             {KindUpgrade, "2026-11-02 23:30:00", "2026-11-03 00:30:00", "2026-11-03"},
		"over the end of a year":              {KindUpgrade, "2026-12-31 23:59:00", "2027-01-01 00:01:00", "2026-12-31"},
		"a plan costs that day's price":       {KindNew, "2026-11-02 23:59:59", "2026-11-03 00:00:00", "2026-11-03"},
		"a renewal too":                       {KindRenewal, "2026-11-02 23:59:59", "2026-11-03 00:00:00", "2026-11-03"},
		"add-ons become cheaper and are that": {KindAddOn, "2026-11-02 23:59:59", "2026-11-03 00:00:00", "2026-11-03"},
		"in the night by Greenwich, a day on": {KindNew, "2026-11-03 00:00:00", "2026-11-03 05:29:59", "2026-11-03"},
	} {
		o := Order{Kind: tc.kind, CreatedAt: at(tc.asked)}
		require.Equal(t, tc.want, o.pricedOn(at(tc.now)).String(), name)
	}
}

func TestHolding_EachOrder_HasItsTermOrAddOns(t *testing.T) {
	t.Parallel()
	today := on(t, "2026-11-20")
	active := runs(t, StateActive, "2026-11-02", "2026-12-02")
	ahead := active
	ahead.PaidUntil = on(t, "2027-01-02")
	trial, grace := runs(t, StateTrialing, "2026-11-16", "2026-11-30"), runs(t, StateGrace, "2026-10-18", "2026-11-18")
	expired := runs(t, StateExpired, "2026-10-02", "2026-11-02")
	paid := func(kind Kind, until Day) Order { return Order{Kind: kind, State: OrderPaid, RenewOn: until} }
	for name, tc := range map[string]struct {
		place termPlace
		order Order
		sub   *Subscription
		want  Holding
		until string
	}{
		"the running term":                          {termPlace{Term: TermCurrent}, paid(KindNew, active.RenewOn), &active, HoldingPlan, "2026-12-02"},
		"nothing without a plan":                    {termPlace{Term: TermCurrent}, paid(KindNew, active.RenewOn), nil, HoldingNone, "-"},
		"nothing before it is paid":                 {termPlace{Term: TermCurrent}, Order{Kind: KindNew, State: OrderOpen, RenewOn: active.RenewOn}, &active, HoldingNone, "-"},
		"nothing on the day after its term":         {termPlace{Term: TermCurrent}, paid(KindNew, today), &active, HoldingNone, "-"},
		"the last day of its term":                  {termPlace{Term: TermCurrent}, paid(KindNew, today+1), &active, HoldingPlan, "2026-12-02"},
		"nothing after a revocation":                {termPlace{Term: TermCurrent, Over: true}, paid(KindNew, active.RenewOn), &active, HoldingNone, "-"},
		"a term that waits":                         {termPlace{Term: TermScheduled}, paid(KindRenewal, ahead.PaidUntil), &ahead, HoldingNextTerm, "2027-01-02"},
		"not the running one while the next is":     {termPlace{Term: TermCurrent}, paid(KindNew, ahead.RenewOn), &ahead, HoldingNone, "-"},
		"taken over by an upgrade":                  {termPlace{Term: TermReplaced, Upgraded: true}, paid(KindNew, today+9), &active, HoldingPlan, "2026-12-02"},
		"replaced without an upgrade":               {termPlace{Term: TermReplaced}, paid(KindNew, today+9), &active, HoldingNone, "-"},
		"not a term that ended":                     {termPlace{Term: TermEnded}, paid(KindNew, today+9), &active, HoldingNone, "-"},
		"add-ons":                                   {termPlace{}, paid(KindAddOn, active.RenewOn), &active, HoldingAddOns, "2026-12-02"},
		"add-ons with a next term":                  {termPlace{}, paid(KindAddOn, ahead.PaidUntil), &ahead, HoldingAddOns, "2027-01-02"},
		"not add-ons that an upgrade took over":     {termPlace{Over: true}, paid(KindAddOn, active.RenewOn), &active, HoldingNone, "-"},
		"nothing in a trial":                        {termPlace{Term: TermCurrent}, paid(KindTrial, today+9), &trial, HoldingNone, "-"},
		"nothing in grace: the paid days were used": {termPlace{Term: TermCurrent}, paid(KindNew, today+9), &grace, HoldingNone, "-"},
		"nothing once it expired":                   {termPlace{Term: TermCurrent}, paid(KindNew, today+9), &expired, HoldingNone, "-"},
	} {
		got, until := tc.place.holding(tc.order, tc.sub, today)
		require.Equal(t, tc.want, got, name)
		require.Equal(t, tc.until, until.String(), name)
	}
}

func TestCancelAddOn_EachState_IsAllowedOrRefused(t *testing.T) {
	t.Parallel()
	today := on(t, "2026-11-20")
	ahead := runs(t, StateActive, "2026-11-02", "2026-12-02")
	ahead.PaidUntil = on(t, "2027-01-02")
	kept := AddOn{ID: "a", StartsOn: today - 9, PaidUntil: ahead.PaidUntil, Renews: true}
	dropped := AddOn{ID: "a", StartsOn: today - 9, PaidUntil: ahead.RenewOn}
	ended := runs(t, StateExpired, "2026-10-02", "2026-11-02")
	for name, tc := range map[string]struct {
		sub    Subscription
		owned  AddOn
		ask    string
		renews bool
		want   error
	}{
		"cancelled":       {ahead, kept, "a", false, nil},
		"cancelled twice": {ahead, dropped, "a", false, nil},
		"kept twice":      {ahead, kept, "a", true, nil},
		"another's":       {ahead, kept, "b", false, errs.NotFound()},
		"begins tomorrow": {ahead, AddOn{ID: "a", StartsOn: today + 1}, "a", false, errs.NotFound()},
		"begins today":    {ahead, AddOn{ID: "a", StartsOn: today, PaidUntil: ahead.PaidUntil}, "a", false, nil},
		"back though the next term is without it": {ahead, dropped, "a", true, ErrAddOnNotRenewed},
		"back before the next term is paid":       {runs(t, StateActive, "2026-11-02", "2026-12-02"), dropped, "a", true, nil},
		"back in grace":                           {runs(t, StateGrace, "2026-10-18", "2026-11-18"), dropped, "a", true, nil},
		"after the end":                           {ended, dropped, "a", true, ErrPlanExpired},
		"after a lapse":                           {runs(t, StateLapsed, "2026-01-02", "2026-02-02"), kept, "a", false, ErrPlanExpired},
	} {
		err := tc.sub.mayChange([]AddOn{{ID: "other"}, tc.owned}, tc.ask, tc.renews, today)
		if tc.want == nil {
			require.NoError(t, err, name)
			continue
		}
		require.Equal(t, errs.As(tc.want).Code, errs.As(err).Code, name)
	}
}

func TestExtendGrace_EachState_IsAllowedOrRefused(t *testing.T) {
	t.Parallel()
	today := on(t, "2026-12-12") // three days after the expiry of a term that ended on 2 December
	for name, tc := range map[string]struct {
		state State
		had   int
		days  int
		want  string
	}{
		"a plan that runs":                        {StateActive, 0, 20, "active 2026-12-28"},
		"in grace":                                {StateGrace, 0, 1, "grace 2026-12-09"},
		"in grace, extended again":                {StateGrace, 5, 15, "grace 2026-12-28"},
		"more than twenty in all":                 {StateGrace, 5, 16, "invalid"},
		"more than twenty":                        {StateGrace, 0, 21, "invalid"},
		"zero days":                               {StateGrace, 0, 0, "invalid"},
		"fewer than zero days":                    {StateGrace, 0, -1, "invalid"},
		"when all were given":                     {StateGrace, 20, 1, "invalid"},
		"expired, and the last day is today":      {StateExpired, 0, 4, "grace 2026-12-12"},
		"expired, and the last day was yesterday": {StateExpired, 0, 3, "no_grace"},
		"expired within the extended grace":       {StateExpired, 2, 2, "grace 2026-12-12"},
		"a trial":                                 {StateTrialing, 0, 3, "no_grace"},
		"lapsed":                                  {StateLapsed, 0, 3, "no_grace"},
	} {
		sub := runs(t, tc.state, "2026-11-02", "2026-12-02")
		sub.GraceExtra = tc.had
		got, err := sub.withMoreGrace(tc.days, today)
		text := ""
		if err == nil {
			text = fmt.Sprintf("%s %s", got.State, got.PayBy())
			require.Equal(t, tc.had+tc.days, got.GraceExtra, name)
			require.True(t, got.State != StateGrace || got.ExpiredOn == 0, name)
		} else if text = errs.As(err).Code; errs.KindOf(err) == errs.KindInvalid {
			text = "invalid"
			require.Contains(t, errs.As(err).Fields, "days", name)
		}
		require.Equal(t, tc.want, text, name)
	}
	ahead := runs(t, StateActive, "2026-11-02", "2026-12-02")
	ahead.PaidUntil = on(t, "2027-01-02")
	_, err := ahead.withMoreGrace(3, today)
	require.ErrorIs(t, err, ErrNoGrace, "the next term is paid")
	trial := runs(t, StateExpired, "2026-11-02", "2026-12-02")
	trial.Trial = true
	_, err = trial.withMoreGrace(20, today)
	require.ErrorIs(t, err, ErrNoGrace, "a trial that ended")
}

func TestView_CountsTodaysAddOns(t *testing.T) {
	t.Parallel()
	c, err := plan.Parse(plan.DefaultCatalogue())
	require.NoError(t, err)
	tier := c.Plans[1].Tiers[0]
	sub := runs(t, StateActive, "2026-11-02", "2026-12-02")
	sub.PlanID, sub.ServiceID = tier.PlanID, tier.ID
	today := on(t, "2026-11-20")
	ten := func(from Day) AddOn { return AddOn{Key: plan.KeyFranchiseExtension, Limit: 10, StartsOn: from} }
	v := viewOf(sub, c, []AddOn{ten(today), ten(today - 5), ten(today + 1), {Key: "users_extension", Limit: 50_000, StartsOn: today}}, today)
	require.Equal(t, 18+10+10, v.FranchiseLimit)
	require.Len(t, v.AddOns, 3)
	require.NotEmpty(t, v.Features)
	none := viewOf(sub, c, nil, today)
	require.Equal(t, 18, none.FranchiseLimit)
	require.NotNil(t, none.AddOns, "an empty list, not nothing")
}

func TestUnused_LineOnADay_HasItsCredit(t *testing.T) {
	t.Parallel()
	from, to := on(t, "2026-11-02"), on(t, "2026-12-02") // 30 days
	for name, tc := range map[string]struct {
		value money.Paise
		day   string
		want  string
	}{
		"before the start, the whole line": {3_000_00, "2026-11-01", "300000 "},
		"on its first day too":             {3_000_00, "2026-11-02", "300000 "},
		"after a day":                      {3_000_00, "2026-11-03", "290000 3 Nov 2026 to 1 Dec 2026, 29 of 30 days"},
		"on its last day":                  {3_000_00, "2026-12-01", "10000 1 Dec 2026 to 1 Dec 2026, 1 of 30 days"},
		"on the day after nothing":         {3_000_00, "2026-12-02", "0 "},
		"years later":                      {3_000_00, "2030-01-01", "0 "},
		"half a paisa is one":              {15, "2026-12-01", "1 1 Dec 2026 to 1 Dec 2026, 1 of 30 days"},
		"less than half a paisa is zero":   {14, "2026-12-01", "0 1 Dec 2026 to 1 Dec 2026, 1 of 30 days"},
	} {
		part := PaidLine{Value: tc.value, From: from, To: to, Position: 4}.unused(on(t, tc.day))
		require.Equal(t, tc.want, fmt.Sprintf("%d %s", int64(part.Taxable), part.Detail), name)
	}
}
