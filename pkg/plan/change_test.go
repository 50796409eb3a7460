package plan_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

// office is a catalogue with two admins, each with a session.
type office struct {
	*testing.T

	db       *testkit.Database
	clock    *clock.Fake
	changes  *plan.Changes
	plans    *plan.Service
	applier  *plan.Applier
	asha     staff.Principal
	ravi     staff.Principal
	byAsha   context.Context //nolint:containedctx // a signed session
	byRavi   context.Context //nolint:containedctx // a signed session
	midnight time.Time
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{T: t, db: testkit.NewDatabase(t), clock: testkit.NewClock()}
	_, err := plan.Load(t.Context(), o.db.Worker, o.clock, plan.DefaultCatalogue())
	require.NoError(t, err)
	for _, one := range []struct {
		name string
		who  *staff.Principal
		ctx  *context.Context
	}{{"asha", &o.asha, &o.byAsha}, {"ravi", &o.ravi, &o.byRavi}} {
		*one.who, err = member.Add(t.Context(), o.db.Owner, one.name, staff.RoleAdmin, o.clock.Now())
		require.NoError(t, err)
		*one.ctx = one.who.Sign(t.Context())
	}
	jobs, err := queue.NewInserter(o.db.API, testkit.NewSilentLogger())
	require.NoError(t, err)
	o.plans = plan.NewService(o.db.API, testkit.NewLogger(t))
	o.changes = plan.NewChanges(o.db.API, jobs, o.clock, staff.NewRecorder(o.clock), o.plans)
	o.applier = plan.NewApplier(o.db.Worker, o.clock)
	now := o.clock.Now().In(clock.IST)
	o.midnight = time.Date(now.Year(), now.Month(), now.Day()+2, 0, 0, 0, 0, clock.IST)
	return o
}

// dearer drafts a catalogue in which the month of the first tier costs ₹13,000.
func (o *office) dearer() plan.Review {
	o.Helper()
	r, err := o.changes.Draft(o.byAsha, o.asha, "")
	require.NoError(o, err)
	d := r.Content.Document
	d.Version = "dearer"
	d.Plans[0].Services[0].MonthlyPaise = money.FromRupees(13_000)
	r, err = o.changes.Save(o.byAsha, o.asha, r.ID, r.Edit, d)
	require.NoError(o, err)
	return r
}

func (o *office) propose(r plan.Review) (plan.Review, error) {
	o.Helper()
	return o.changes.Propose(o.byAsha, o.asha, r.ID, plan.Proposal{Edit: r.Edit, EffectiveFrom: o.midnight, Reason: "Costs rose"})
}

func (o *office) approved() plan.Review {
	o.Helper()
	r, err := o.propose(o.dearer())
	require.NoError(o, err)
	r, err = o.changes.Decide(o.byRavi, o.ravi, r.ID, plan.Approve, "Agreed")
	require.NoError(o, err)
	require.Equal(o, plan.ChangeApproved, r.State)
	return r
}

func (o *office) at(at time.Time) { o.clock.Advance(at.Sub(o.clock.Now())) }

func (o *office) month() money.Paise {
	o.Helper()
	c, err := o.plans.Fresh(o.Context())
	require.NoError(o, err)
	return c.Plans[0].Tiers[0].Monthly
}

// Given a proposal, then the proposer cannot approve it, a colleague can, and the worker uses it from its time, not a second before.
func TestChange_NeedsASecondPersonAndAppliesAtItsTime(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	r := o.dearer()
	require.Equal(t, []plan.Difference{
		{Place: "Catalogue", Field: "Name of the catalogue", Before: "2026-11", After: "dearer"},
		{Place: "Start up · Expansion", Field: "Month", Before: "₹12,500", After: "₹13,000"},
	}, r.Differences)
	require.Empty(t, r.Problems)
	require.Contains(t, r.Warnings, "Start up Expansion: a year is not twelve months")
	_, err := o.changes.Decide(o.byRavi, o.ravi, r.ID, plan.Approve, "Agreed")
	require.ErrorIs(t, err, plan.ErrDecided, "a draft is not approved")
	r, err = o.propose(r)
	require.NoError(t, err)
	for _, decision := range []plan.Decision{plan.Approve, plan.Reject} {
		_, err = o.changes.Decide(o.byAsha, o.asha, r.ID, decision, "My own")
		require.ErrorIs(t, err, plan.ErrOwnChange)
	}
	_, err = o.changes.Decide(o.byRavi, o.ravi, r.ID, plan.Approve, "Agreed")
	require.NoError(t, err)

	o.at(o.midnight.Add(-time.Second))
	done, err := o.applier.Apply(t.Context())
	require.NoError(t, err)
	require.Zero(t, done)
	require.Equal(t, money.FromRupees(12_500), o.month())
	o.at(o.midnight)
	done, err = o.applier.Apply(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, done)
	require.Equal(t, money.FromRupees(13_000), o.month())
	r, err = o.changes.Review(o.byRavi, r.ID)
	require.NoError(t, err)
	require.Equal(t, plan.ChangeApplied, r.State)
	sold, err := o.changes.Sold(o.byRavi)
	require.NoError(t, err)
	require.Equal(t, []string{"dearer", "asha", "ravi", "Costs rose"}, []string{
		sold.History[0].Version, sold.History[0].ProposedByName, sold.History[0].ApprovedByName, sold.History[0].Reason,
	})
	var kinds []string
	require.NoError(t, o.db.Owner.Select(&kinds, `SELECT action FROM staff_actions ORDER BY at, id`))
	require.Equal(t, []string{"draft_catalogue", "edit_catalogue", "propose_catalogue", "approve_catalogue"}, kinds)

	revision, err := plan.LoadBuiltIn(t.Context(), o.db.Owner, o.clock)
	require.NoError(t, err)
	require.Equal(t, 2, revision, "a new release does not bring the built-in prices back")
}

// Given a due change, then concurrent workers make one revision, and a second run makes no other.
func TestApply_ConcurrentWorkers_MakeOneRevision(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.approved()
	o.at(o.midnight)
	var all sync.WaitGroup
	results, failures := make([]int, 4), make([]error, 4)
	for i := range results {
		all.Go(func() { results[i], failures[i] = o.applier.Apply(t.Context()) })
	}
	all.Wait()
	require.NoError(t, errors.Join(failures...))
	require.ElementsMatch(t, []int{0, 0, 0, 1}, results)
	done, err := o.applier.Apply(t.Context())
	require.NoError(t, err)
	require.Zero(t, done)
	c, err := o.plans.Fresh(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, c.Revision)
}

// Given two decisions at once, then one counts.
func TestDecide_ConcurrentDecisions_OneCounts(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	r, err := o.propose(o.dearer())
	require.NoError(t, err)
	var all sync.WaitGroup
	failures := make([]error, 4)
	for i := range failures {
		decision := []plan.Decision{plan.Approve, plan.Reject}[i%2]
		all.Go(func() { _, failures[i] = o.changes.Decide(o.byRavi, o.ravi, r.ID, decision, "Looked at it") })
	}
	all.Wait()
	counted := 0
	for _, err := range failures {
		if err == nil {
			counted++
			continue
		}
		require.ErrorIs(t, err, plan.ErrDecided)
	}
	require.Equal(t, 1, counted)
}

// Given a pending change, then another proposal is refused; an approved change can be withdrawn before its time and is then not applied.
func TestPropose_WhileAnotherIsPending_IsRefusedUntilWithdrawn(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, second := o.approved(), o.dearer()
	_, err := o.propose(second)
	require.ErrorIs(t, err, plan.ErrPending)
	_, err = o.changes.Decide(o.byAsha, o.asha, first.ID, plan.Withdraw, "Not now")
	require.NoError(t, err)
	_, err = o.changes.Decide(o.byAsha, o.asha, first.ID, plan.Withdraw, "Not now")
	require.ErrorIs(t, err, plan.ErrDecided)
	second, err = o.propose(second)
	require.NoError(t, err)
	_, err = o.changes.Decide(o.byRavi, o.ravi, second.ID, plan.Reject, "Too much")
	require.NoError(t, err)
	o.at(o.midnight.Add(time.Hour))
	done, err := o.applier.Apply(t.Context())
	require.NoError(t, err)
	require.Zero(t, done)
	again, err := o.changes.Draft(o.byRavi, o.ravi, second.ID)
	require.NoError(t, err)
	require.Equal(t, money.FromRupees(13_000), again.Content.Plans[0].Services[0].MonthlyPaise, "what was rejected can be begun from again")
}

// Given a draft and another catalogue since, then the draft is brought up to date: its own changes stay, the others are taken over.
func TestDraft_Outdated_IsRebasedOnTheCurrentCatalogue(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	r := o.dearer()
	d := document(t)
	set(d, "version", "meanwhile")
	set(tierAt(d, 0, 0), "franchise_limit", 20)
	set(tierAt(d, 0, 1), "monthly_paise", 2_300_000)
	plans := d["plans"].([]any)
	set(d, "plans", plans[:3])
	_, err := plan.Load(t.Context(), o.db.Worker, o.clock, text(t, d))
	require.NoError(t, err)
	_, err = o.propose(r)
	require.ErrorIs(t, err, plan.ErrOutdated)
	r, err = o.changes.Rebase(o.byAsha, o.asha, r.ID, r.Edit)
	require.NoError(t, err)
	require.False(t, r.Outdated)
	got := r.Content.Plans[0].Services
	require.Len(t, r.Content.Plans, 3)
	require.Equal(t, []any{20, money.FromRupees(13_000), money.FromRupees(23_000), "dearer"},
		[]any{got[0].FranchiseLimit, got[0].MonthlyPaise, got[1].MonthlyPaise, r.Content.Version})
	r, err = o.propose(r)
	require.NoError(t, err)
	set(d, "version", "once more")
	_, err = plan.Load(t.Context(), o.db.Worker, o.clock, text(t, d))
	require.NoError(t, err)
	_, err = o.changes.Decide(o.byRavi, o.ravi, r.ID, plan.Approve, "Agreed")
	require.ErrorIs(t, err, plan.ErrOutdated)
}

// Given an approved change and another catalogue since, then it fails with the reason, and what was loaded stays.
func TestApply_CatalogueReplacedAfterApproval_FailsWithTheReason(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	r := o.approved()
	d := document(t)
	set(d, "version", "meanwhile")
	_, err := plan.Load(t.Context(), o.db.Worker, o.clock, text(t, d))
	require.NoError(t, err)
	o.at(o.midnight)
	_, err = o.applier.Apply(t.Context())
	require.NoError(t, err)
	r, err = o.changes.Review(o.byAsha, r.ID)
	require.NoError(t, err)
	require.Equal(t, plan.ChangeFailed, r.State)
	require.Contains(t, r.Outcome, "Another catalogue was loaded")
	require.Equal(t, money.FromRupees(12_500), o.month())
}

// A proposal must be sellable and lawful and start in the future; saving over a colleague's save is refused.
func TestPropose_InvalidCatalogue_IsRefused(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for name, tc := range map[string]struct {
		change func(d *plan.Document)
		says   string
	}{
		"a free month":         {func(d *plan.Document) { d.Plans[0].Services[0].MonthlyPaise = 0 }, "impossible price"},
		"tiers that descend":   {func(d *plan.Document) { d.Plans[0].Services[1].FranchiseLimit = 18 }, "above those of Expansion"},
		"a year beyond months": {func(d *plan.Document) { d.Plans[0].Services[0].YearlyPaise = 16_000_000 }, "more than twelve months"},
		"the same name":        {func(d *plan.Document) { d.Version = "2026-11" }, "a name of its own"},
		"a rate that is no rate": {func(d *plan.Document) {
			d.GSTRates = append(d.GSTRates, invoice.Rate{From: "2027-04-01", RateBps: 1700})
		}, "17% from 2027-04-01"},
		"an old rate": {func(d *plan.Document) {
			d.GSTRates = append(d.GSTRates, invoice.Rate{From: "2027-04-01", RateBps: 1200})
		}, "12% from 2027-04-01"},
		"history": {func(d *plan.Document) { d.GSTRates[0].RateBps = 500 }, "have begun"},
		"a rate of the past": {func(d *plan.Document) {
			d.GSTRates = append(d.GSTRates, invoice.Rate{From: "2026-01-01", RateBps: 500})
		}, "have begun"},
	} {
		r := o.dearer()
		d := r.Content.Document
		tc.change(&d)
		r, err := o.changes.Save(o.byAsha, o.asha, r.ID, r.Edit, d)
		require.NoError(t, err, name)
		_, err = o.propose(r)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), name)
		require.Contains(t, errs.As(err).Fields["catalogue"], r.Problems[0], name)
		require.Contains(t, r.Problems[0]+r.Problems[len(r.Problems)-1], tc.says, name)
	}
	r := o.dearer()
	_, err := o.changes.Save(o.byRavi, o.ravi, r.ID, r.Edit-1, r.Content.Document)
	require.ErrorIs(t, err, plan.ErrDraftMoved)
	for _, at := range []time.Time{o.clock.Now(), o.clock.Now().Add(-time.Hour), o.clock.Now().AddDate(3, 0, 0)} {
		_, err = o.changes.Propose(o.byAsha, o.asha, r.ID, plan.Proposal{Edit: r.Edit, EffectiveFrom: at, Reason: "Costs rose"})
		require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	}
	d := r.Content.Document
	d.GSTRates = append(d.GSTRates, invoice.Rate{From: invoice.Date(o.midnight.AddDate(0, 0, -1).Format(time.DateOnly)), RateBps: 500})
	r, err = o.changes.Save(o.byAsha, o.asha, r.ID, r.Edit, d)
	require.NoError(t, err)
	_, err = o.propose(r)
	require.ErrorContains(t, err, "check the marked fields", "the rate would have begun before the change holds")
	same, err := o.changes.Draft(o.byAsha, o.asha, "")
	require.NoError(t, err)
	d = same.Content.Document
	d.Version = "only another name"
	same, err = o.changes.Save(o.byAsha, o.asha, same.ID, same.Edit, d)
	require.NoError(t, err)
	_, err = o.propose(same)
	require.ErrorIs(t, err, plan.ErrChangesNothing)
}

// Price changes of more than half, and removals, are marked.
func TestDifferences_LargeChangeOrRemoval_IsMarked(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	r := o.dearer()
	d := r.Content.Document
	d.Plans[0].Services[0].MonthlyPaise = money.FromRupees(18_750)
	d.Plans[0].Services[2].MonthlyPaise = money.FromRupees(54_000)*2 + 1
	d.Plans[3].Services = d.Plans[3].Services[:2]
	r, err := o.changes.Save(o.byAsha, o.asha, r.ID, r.Edit, d)
	require.NoError(t, err)
	large := map[string]bool{}
	for _, one := range r.Differences {
		large[one.Place+" "+one.Field] = one.Large
	}
	require.False(t, large["Start up · Expansion Month"], "exactly half is not more than half")
	require.True(t, large["Start up · Supreme Month"])
	require.True(t, large["Elite · Supreme Sold"])
}

// The database itself refuses approval by the proposer and edits of a proposal.
func TestProposedChange_DatabaseRefusesOwnApprovalAndEdits(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	r, err := o.propose(o.dearer())
	require.NoError(t, err)
	for name, statement := range map[string]string{
		"its own approval":  `UPDATE catalogue_changes SET state = 'approved', approved_by = proposed_by, approved_at = now() WHERE id = $1`,
		"another content":   `UPDATE catalogue_changes SET content = '{}' WHERE id = $1`,
		"another time":      `UPDATE catalogue_changes SET effective_from = now() WHERE id = $1`,
		"back to the draft": `UPDATE catalogue_changes SET state = 'draft' WHERE id = $1`,
	} {
		tx, err := o.db.Owner.BeginTxx(t.Context(), nil)
		require.NoError(t, err)
		_, err = tx.Exec(statement, r.ID)
		require.Error(t, err, name)
		require.NoError(t, tx.Rollback())
	}
	var seen int
	require.NoError(t, o.db.API.Get(&seen, `SELECT count(*) FROM catalogue_changes`))
	require.Zero(t, seen, "nobody but staff reads what is planned")
	require.NoError(t, sqlx.Get(o.db.Worker, &seen, `SELECT count(*) FROM catalogue_changes`))
	require.Equal(t, 1, seen)
}
