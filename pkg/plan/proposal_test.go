package plan_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// saved begins a draft with another name and one more change.
func (o *office) saved(change func(d *plan.Document)) (plan.Review, error) {
	o.Helper()
	r, err := o.changes.Draft(o.byAsha, o.asha, "")
	require.NoError(o, err)
	d := r.Content.Document
	d.Version = "next"
	change(&d)
	return o.changes.Save(o.byAsha, o.asha, r.ID, r.Edit, d)
}

// A draft may have values at a limit. A value beyond a limit is refused by its field, even if it could be sold.
func TestSaveDraft_ValueBeyondItsLimit_IsRefusedByField(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	tier := func(d *plan.Document) *plan.DocumentTier { return &d.Plans[0].Services[0] }
	for name, tc := range map[string]struct {
		change func(d *plan.Document)
		field  string
	}{
		"a name of 80":            {func(d *plan.Document) { d.Version = strings.Repeat("म", 80) }, ""},
		"a name of 81":            {func(d *plan.Document) { d.Version = strings.Repeat("म", 81) }, "name"},
		"a plan's name of 81":     {func(d *plan.Document) { d.Plans[0].Plan = strings.Repeat("x", 81) }, "name"},
		"a feature's name of 81":  {func(d *plan.Document) { d.Plans[0].Features = []string{strings.Repeat("x", 81)} }, "name"},
		"an add-on's name of 81":  {func(d *plan.Document) { tier(d).AddOns[0].Name = strings.Repeat("x", 81) }, "name"},
		"a name with a nought":    {func(d *plan.Document) { tier(d).Tier = "a\x00b" }, "name"},
		"a text of 200":           {func(d *plan.Document) { d.FeatureTexts = map[string]string{"x": strings.Repeat("म", 200)} }, ""},
		"a text of 201":           {func(d *plan.Document) { d.FeatureTexts = map[string]string{"x": strings.Repeat("म", 201)} }, "feature_texts"},
		"12 plans":                {func(d *plan.Document) { d.Plans = append(append(d.Plans, d.Plans...), d.Plans...) }, ""},
		"13 plans":                {func(d *plan.Document) { d.Plans = append(append(append(d.Plans, d.Plans...), d.Plans...), d.Plans[0]) }, "plans"},
		"40 rates":                {func(d *plan.Document) { d.GSTRates = make(invoice.Rates, 40) }, ""},
		"41 rates":                {func(d *plan.Document) { d.GSTRates = make(invoice.Rates, 41) }, "plans"},
		"8 tiers":                 {func(d *plan.Document) { d.Plans[0].Services = make([]plan.DocumentTier, 8) }, ""},
		"9 tiers":                 {func(d *plan.Document) { d.Plans[0].Services = make([]plan.DocumentTier, 9) }, "plans"},
		"40 features":             {func(d *plan.Document) { d.Plans[0].Features = make([]string, 40) }, ""},
		"41 features":             {func(d *plan.Document) { d.Plans[0].Features = make([]string, 41) }, "plans"},
		"20 add-ons":              {func(d *plan.Document) { tier(d).AddOns = make([]plan.DocumentAddOn, 20) }, ""},
		"21 add-ons":              {func(d *plan.Document) { tier(d).AddOns = make([]plan.DocumentAddOn, 21) }, "add_ons"},
		"a crore of franchises":   {func(d *plan.Document) { tier(d).FranchiseLimit = 1_00_00_000 }, ""},
		"one more":                {func(d *plan.Document) { tier(d).FranchiseLimit = 1_00_00_001 }, "franchise_limit"},
		"less than zero":          {func(d *plan.Document) { tier(d).FranchiseLimit = -1 }, "franchise_limit"},
		"an add-on of a crore":    {func(d *plan.Document) { tier(d).AddOns[0].Limit = 1_00_00_000 }, ""},
		"an add-on of one more":   {func(d *plan.Document) { tier(d).AddOns[0].Limit = 1_00_00_001 }, "limit"},
		"an add-on below nothing": {func(d *plan.Document) { tier(d).AddOns[0].Limit = -1 }, "limit"},
		"a price of nothing":      {func(d *plan.Document) { tier(d).MonthlyPaise = 0 }, ""},
		"a price below nothing":   {func(d *plan.Document) { tier(d).MonthlyPaise = -1 }, "price"},
		"a discount beyond all":   {func(d *plan.Document) { tier(d).YearlyDiscountPaise = money.Max }, "price"},
		"an add-on's year":        {func(d *plan.Document) { tier(d).AddOns[0].YearlyPaise = -1 }, "price"},
		"an all-in year":          {func(d *plan.Document) { tier(d).AllInYearlyPaise = money.Max }, "price"},
		"a note of 1,000":         {func(d *plan.Document) { d.Note = strings.Repeat("x", 1000) }, ""},
		"a note of 1,001":         {func(d *plan.Document) { d.Note = strings.Repeat("x", 1001) }, "note"},
		"a note with a nought":    {func(d *plan.Document) { d.Note = "a\x00b" }, "note"},
	} {
		r, err := o.saved(tc.change)
		if tc.field == "" {
			require.NoError(t, err, name)
			require.Equal(t, 2, r.Edit, name)
			continue
		}
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), name)
		require.Contains(t, errs.As(err).Fields, tc.field, name)
	}
}

// A sellable change that is unlike the default prices is a warning to the approver; the default prices have no warning.
func TestWarnings_UnusualButValidChange_IsShownToTheApprover(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	r, err := o.saved(func(*plan.Document) {})
	require.NoError(t, err)
	require.Empty(t, r.Warnings)
	require.Empty(t, r.Problems)
	require.Len(t, r.Differences, 1, "its name alone")
	for name, tc := range map[string]struct {
		change func(d *plan.Document)
		says   []string
	}{
		"two are the most popular":    {func(d *plan.Document) { d.Plans[0].MostPopular = true }, []string{"2 plans are marked as most popular"}},
		"no plan is the most popular": {func(d *plan.Document) { d.Plans[1].MostPopular = false }, []string{"0 plans are marked as most popular"}},
		"a year without a discount": {
			func(d *plan.Document) { d.Plans[0].Services[0].YearlyDiscountPaise = 0 }, []string{"Start up Expansion: a year paid at once has no discount"},
		},
		"a year that is cheaper than twelve months": {
			func(d *plan.Document) {
				d.Plans[0].Services[0].YearlyPaise -= 100
				d.Plans[0].Services[0].AllInYearlyPaise -= 100
			}, []string{"Start up Expansion: a year is not twelve months"},
		},
		"an all-in price that is a rupee less": {
			func(d *plan.Document) { d.Plans[3].Services[2].AllInYearlyPaise -= 100 },
			[]string{"Elite Supreme: the all-in price is not the tier with all add-ons but franchise extensions, ₹16,28,784"},
		},
	} {
		r, err := o.saved(tc.change)
		require.NoError(t, err, name)
		require.Empty(t, r.Problems, name)
		require.Equal(t, tc.says, r.Warnings, name)
	}
	// Each of the three has to be above the tier below; a year is no more than twelve months, of an add-on neither.
	for name, tc := range map[string]struct {
		change func(d *plan.Document)
		says   string
	}{
		"as many franchises": {func(d *plan.Document) { d.Plans[0].Services[1].FranchiseLimit = 18 }, "Start up Apex: its limit and prices have to be above those of Expansion"},
		"as much a month": {func(d *plan.Document) {
			d.Plans[0].Services[1].MonthlyPaise = d.Plans[0].Services[0].MonthlyPaise
			d.Plans[0].Services[1].YearlyPaise = 12*d.Plans[0].Services[0].MonthlyPaise - 1
			d.Plans[0].Services[1].AllInYearlyPaise = d.Plans[0].Services[1].YearlyPaise
		}, "Start up Apex: its limit and prices have to be above those of Expansion"},
		"a paisa beyond twelve months": {func(d *plan.Document) {
			d.Plans[0].Services[0].YearlyPaise++
			d.Plans[0].Services[0].AllInYearlyPaise++
		}, "Start up Expansion: a year costs more than twelve months"},
		"an add-on's year": {func(d *plan.Document) { d.Plans[0].Services[0].AddOns[0].YearlyPaise++ }, "costs more than twelve months"},
	} {
		r, err := o.saved(tc.change)
		require.NoError(t, err, name)
		require.Len(t, r.Problems, 1, "%s: %v", name, r.Problems)
		require.Contains(t, r.Problems[0], tc.says, name)
		require.Empty(t, r.Warnings, "what cannot be sold is mended first")
	}
}

// A GST rate starts after today and at the latest with the change, and must be lawful from that day. Past rates cannot change.
func TestPropose_NewTaxRate_MustBeLawfulAndInTheFuture(t *testing.T) {
	t.Parallel()
	o := newOffice(t) // 2 November 2026
	day := func(at time.Time) invoice.Date { return invoice.Date(at.Format(time.DateOnly)) }
	for name, tc := range map[string]struct {
		rates invoice.Rates
		says  string // a problem
		field string // of the proposal
	}{
		"from today":             {invoice.Rates{{From: "2026-11-02", RateBps: 500}}, "a new one begins after today", ""},
		"from tomorrow, too old": {invoice.Rates{{From: "2026-11-03", RateBps: 500}}, "", "effective_from"},
		"with the change":        {invoice.Rates{{From: day(o.midnight), RateBps: 500}}, "", ""},
		"after the change":       {invoice.Rates{{From: "2027-04-01", RateBps: 4000}}, "", ""},
		"of no law":              {invoice.Rates{{From: "2027-04-01", RateBps: 1801}}, "18.01% from 2027-04-01 is no rate of GST on services", ""},
	} {
		r, err := o.saved(func(d *plan.Document) { d.GSTRates = append(d.GSTRates, tc.rates...) })
		require.NoError(t, err, name)
		if tc.says != "" {
			require.Contains(t, strings.Join(r.Problems, "; "), tc.says, name)
			continue
		}
		require.Empty(t, r.Problems, name)
		r, err = o.propose(r)
		if tc.field != "" {
			require.Contains(t, errs.As(err).Fields, tc.field, name)
			continue
		}
		require.NoError(t, err, name)
		_, err = o.changes.Decide(o.byAsha, o.asha, r.ID, plan.Withdraw, "Another one")
		require.NoError(t, err, name)
	}
	r, err := o.saved(func(d *plan.Document) { d.GSTRates = invoice.Rates{{From: "2017-07-02", RateBps: 1800}} })
	require.NoError(t, err)
	require.Contains(t, strings.Join(r.Problems, "; "), "those that have begun cannot be changed")
}

// A change takes effect within the next two years. A second person approves it before its time, and only while the catalogue it is based on
// is still sold. A decided change stays decided.
func TestDecide_OutsideItsPeriod_IsRefused(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	now := o.clock.Now()
	r := o.dearer()
	for name, at := range map[string]time.Time{"now": now, "two years and a second": now.AddDate(2, 0, 0).Add(time.Second)} {
		_, err := o.changes.Propose(o.byAsha, o.asha, r.ID, plan.Proposal{Edit: r.Edit, EffectiveFrom: at, Reason: "Costs rose"})
		require.Contains(t, errs.As(err).Fields, "effective_from", name)
	}
	_, err := o.changes.Propose(o.byAsha, o.asha, r.ID, plan.Proposal{Edit: r.Edit, EffectiveFrom: o.midnight, Reason: " "})
	require.Equal(t, errs.KindInvalid, errs.KindOf(err), "without a reason")
	_, err = o.changes.Propose(o.byAsha, o.asha, r.ID, plan.Proposal{Edit: r.Edit + 1, EffectiveFrom: o.midnight, Reason: "Costs rose"})
	require.ErrorIs(t, err, plan.ErrDraftMoved)
	_, err = o.changes.Propose(o.byAsha, o.asha, id.New(), plan.Proposal{Edit: 1, EffectiveFrom: o.midnight, Reason: "Costs rose"})
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	last := now.AddDate(2, 0, 0)
	r, err = o.changes.Propose(o.byAsha, o.asha, r.ID, plan.Proposal{Edit: r.Edit, EffectiveFrom: last, Reason: "Costs rose"})
	require.NoError(t, err, "two years ahead")
	for _, refused := range []func() error{
		func() error { _, err := o.changes.Save(o.byAsha, o.asha, r.ID, r.Edit, r.Content.Document); return err },
		func() error { _, err := o.changes.Rebase(o.byAsha, o.asha, r.ID, r.Edit); return err },
		func() error { _, err := o.propose(r); return err },
	} {
		require.ErrorIs(t, refused(), plan.ErrNoDraft, "what is proposed stays as it is")
	}
	_, err = o.changes.Decide(o.byRavi, o.ravi, r.ID, plan.Approve, "")
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	o.at(last)
	_, err = o.changes.Decide(o.byRavi, o.ravi, r.ID, plan.Approve, "Agreed")
	require.ErrorIs(t, err, plan.ErrTooLate, "at its very moment")
	r, err = o.changes.Decide(o.byRavi, o.ravi, r.ID, plan.Reject, "Too late for it")
	require.NoError(t, err, "it is still rejected")
	require.Equal(t, plan.ChangeRejected, r.State)
	for _, decision := range []plan.Decision{plan.Approve, plan.Reject, plan.Withdraw} {
		_, err = o.changes.Decide(o.byRavi, o.ravi, r.ID, decision, "Once more")
		require.ErrorIs(t, err, plan.ErrDecided, decision)
		require.True(t, decision.Valid())
	}
	require.False(t, plan.Decision("postpone").Valid() || plan.Decision("").Valid())
	for state, want := range map[plan.ChangeState]bool{
		plan.ChangeProposed: true, plan.ChangeApproved: true, plan.ChangeDraft: false, plan.ChangeApplied: false, plan.ChangeRejected: false,
		plan.ChangeWithdrawn: false, plan.ChangeFailed: false,
	} {
		require.Equal(t, want, state.Pending(), state)
	}
}

// An updated draft keeps its changes, additions and removals, and takes over other people's changes. Saving the current content is no edit.
func TestRebase_KeepsTheDraftsEditsAndTakesOverOthers(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	r, err := o.saved(func(d *plan.Document) {
		d.Plans[0].Services[0].AddOns = d.Plans[0].Services[0].AddOns[1:] // takes one away
		d.Plans[0].Services[1].AddOns = append(d.Plans[0].Services[1].AddOns, plan.DocumentAddOn{Key: "mine", Name: "Mine", Limit: 1, MonthlyPaise: 1, YearlyPaise: 12, SAC: "998314"})
		d.Plans[1].Features, d.Plans[1].MostPopular, d.Plans[2].MostPopular = d.Plans[1].Features[:1], false, true
		d.Plans[2].Services[0].SAC, d.Note = "998315", "mine"
	})
	require.NoError(t, err)
	edit := r.Edit
	r, err = o.changes.Save(o.byAsha, o.asha, r.ID, r.Edit, r.Content.Document)
	require.NoError(t, err)
	require.Equal(t, edit, r.Edit, "nothing changed")
	same, err := o.changes.Rebase(o.byAsha, o.asha, r.ID, r.Edit)
	require.NoError(t, err)
	require.Equal(t, r.Edit, same.Edit, "it is up to date")

	d := document(t)
	set(d, "version", "meanwhile")
	set(d, "note", "theirs")
	set(addOnAt(d, 0, 0, 1), "limit", 60_000)
	set(addOnAt(d, 0, 0, 0), "name", "An app, renamed")
	set(tierAt(d, 2, 0), "franchise_limit", 19)
	set(planAt(d, 2), "features", planAt(d, 2)["features"].([]any)[:2])
	set(d["feature_texts"].(object), "Custom domain", "Your own name on the door.")
	_, err = plan.Load(t.Context(), o.db.Worker, o.clock, text(t, d))
	require.NoError(t, err)
	r, err = o.changes.Rebase(o.byAsha, o.asha, r.ID, r.Edit)
	require.NoError(t, err)
	start, growth, pinnacle := r.Content.Plans[0], r.Content.Plans[1], r.Content.Plans[2]
	require.Equal(t, []any{edit + 1, 2, false, "next", "mine"}, []any{r.Edit, r.BaseRevision, r.Outdated, r.Content.Version, r.Content.Note})
	require.Len(t, start.Services[0].AddOns, 3, "what the draft took away stays away, whatever it is called now")
	require.Equal(t, 60_000, start.Services[0].AddOns[0].Limit, "theirs")
	require.Equal(t, "mine", start.Services[1].AddOns[4].Key, "what the draft added comes last")
	require.Len(t, growth.Features, 1, "mine")
	require.Len(t, pinnacle.Features, 2, "theirs")
	require.Equal(t, []any{"998315", 19, false, true}, []any{pinnacle.Services[0].SAC, pinnacle.Services[0].FranchiseLimit, growth.MostPopular, pinnacle.MostPopular})
	require.Equal(t, "Your own name on the door.", r.Content.FeatureTexts["Custom domain"])
}
