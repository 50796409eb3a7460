package plan

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Recorder records what staff do, in the same transaction; implemented by staff.Service.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Changes lets admins change the catalogue: one drafts and proposes, another approves. It runs with the API's role, which changes no
// price itself; Applier does, in the worker.
type Changes struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	recorder Recorder
	plans    *Service
	store    changeStore
}

// NewChanges returns changes over their parts.
func NewChanges(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, recorder Recorder, plans *Service) *Changes {
	return wiring.Complete(&Changes{db: db, jobs: jobs, clock: clk, recorder: recorder, plans: plans})
}

// Review is a change with everything that an approver must see. Problems must be fixed before it can be proposed.
type Review struct {
	Change

	Differences []Difference
	Problems    []string
	Warnings    []string
	// Outdated is set while the change waits or is a draft, and the catalogue on sale is no longer its base.
	Outdated bool
}

// Sold is the catalogue that is sold now, with its history.
type Sold struct {
	Document  Document
	Revision  int
	History   []Loaded
	LawfulNow []int64
}

// Sold returns the catalogue on sale.
func (s *Changes) Sold(ctx context.Context) (Sold, error) {
	var out Sold
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		c, err := s.plans.FreshTx(ctx, tx)
		if err != nil {
			return err
		}
		out = Sold{Document: documentOf(c), Revision: c.Revision, LawfulNow: invoice.LawfulRates(s.today())}
		out.History, err = s.store.history(ctx, tx)
		return err
	})
	return out, err
}

// today is the calendar day in India.
func (s *Changes) today() invoice.Date { return dateOf(s.clock.Now()) }

func dateOf(at time.Time) invoice.Date { return invoice.Date(at.In(clock.IST).Format(time.DateOnly)) }

// List returns changes, the one last saved first.
func (s *Changes) List(ctx context.Context, limit, offset int) (list []Change, total int, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		list, total, err = s.store.list(ctx, tx, limit, offset)
		return err
	})
	return list, total, err
}

// Review returns a change as its approver sees it, or errs.NotFound.
func (s *Changes) Review(ctx context.Context, changeID string) (r Review, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		c, err := s.store.change(ctx, tx, changeID)
		if err != nil {
			return err
		}
		r, err = s.reviewTx(ctx, tx, c)
		return err
	})
	return r, err
}

func (s *Changes) reviewTx(ctx context.Context, tx *sqlx.Tx, c Change) (Review, error) {
	base, err := s.plans.RevisionTx(ctx, tx, c.BaseRevision)
	if err != nil {
		return Review{}, err
	}
	newest, err := store{}.newest(ctx, tx)
	if err != nil {
		return Review{}, err
	}
	written := documentOf(base)
	r := Review{
		Change: c, Differences: c.Content.differences(written), Problems: []string{}, Warnings: []string{},
		Outdated: (c.State == ChangeDraft || c.State.Pending()) && newest != c.BaseRevision,
	}
	if c.State == ChangeDraft || c.State.Pending() {
		r.Problems = c.Content.problems(written, s.today())
	}
	if len(r.Problems) == 0 {
		r.Warnings = c.Content.warnings()
	}
	return r, nil
}

// Compared returns the catalogue on sale and the one after the change, to price both.
func (s *Changes) Compared(ctx context.Context, changeID string) (now, then *Catalogue, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		c, err := s.store.change(ctx, tx, changeID)
		if err != nil {
			return err
		}
		if now, err = s.plans.FreshTx(ctx, tx); err != nil {
			return err
		}
		if problems := c.Content.problems(documentOf(now), s.today()); len(problems) > 0 && c.State == ChangeDraft {
			return problemsError(problems)
		}
		then, err = s.store.catalogueOf(ctx, tx, c.Content.Document)
		return err
	})
	return now, then, err
}

func problemsError(problems []string) error {
	e := errs.New(errs.KindInvalid, "catalogue_problems", "This draft cannot be sold as it is. Fix what is listed first.")
	for _, p := range problems[:min(len(problems), 20)] {
		e = e.Field("catalogue", p)
	}
	return e
}

// Draft begins a draft from the catalogue on sale or, unless from is empty, from another change's content rebased on it.
func (s *Changes) Draft(ctx context.Context, p staff.Principal, from string) (r Review, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		now, err := s.plans.FreshTx(ctx, tx)
		if err != nil {
			return err
		}
		at, content := s.clock.Now(), documentOf(now)
		if from != "" {
			of, err := s.store.change(ctx, tx, from)
			if err != nil {
				return err
			}
			base, err := s.plans.RevisionTx(ctx, tx, of.BaseRevision)
			if err != nil {
				return err
			}
			content = of.Content.rebased(documentOf(base), content)
		}
		c := Change{
			ID: id.New(), BaseRevision: now.Revision, Content: changeText{content}, Edit: 1, DraftedBy: p.StaffID, DraftedByName: p.Name,
			DraftedAt: at, EditedBy: p.StaffID, EditedByName: p.Name, EditedAt: at,
		}
		if err := changeStates().Move(&c.State, ChangeDraft); err != nil {
			return err
		}
		if err := s.store.insert(ctx, tx, c); err != nil {
			return err
		}
		if err := s.recordTx(ctx, tx, p, c, "draft_catalogue", "Began a draft", ""); err != nil {
			return err
		}
		r, err = s.reviewTx(ctx, tx, c)
		return err
	})
	return r, err
}

// Save replaces the draft's catalogue. It returns ErrNoDraft, or ErrDraftMoved unless edit is the draft's last.
func (s *Changes) Save(ctx context.Context, p staff.Principal, changeID string, edit int, content Document) (Review, error) {
	content.Currency = "INR"
	if err := content.fits(); err != nil {
		return Review{}, err
	}
	return s.step(ctx, changeID, func(tx *sqlx.Tx, c *Change) error {
		if err := c.editable(edit); err != nil {
			return err
		}
		before := c.Content
		c.Content = changeText{content}
		return s.saveTx(ctx, tx, p, c, before.Document)
	})
}

// saveTx stores the draft's new content, unless it is unchanged.
func (s *Changes) saveTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, c *Change, before Document) error {
	changed := c.Content.differences(before)
	if len(changed) == 0 && equalText(c.Content.Document, before) {
		return nil
	}
	c.Edit++
	c.EditedBy, c.EditedByName, c.EditedAt = p.StaffID, p.Name, s.clock.Now()
	if err := s.store.save(ctx, tx, *c); err != nil {
		return err
	}
	return s.recordTx(ctx, tx, p, *c, "edit_catalogue", "Saved the draft", staff.JSON(recorded(changed)))
}

func equalText(a, b Document) bool {
	one, _ := json.Marshal(a) // strings, numbers and maps always marshal
	two, _ := json.Marshal(b)
	return string(one) == string(two)
}

// recorded are the differences as the audit trail keeps them.
func recorded(changed []Difference) []string {
	lines := make([]string, 0, len(changed))
	for _, d := range changed[:min(len(changed), 100)] {
		lines = append(lines, d.Place+" "+d.Field+": "+d.Before+" → "+d.After)
	}
	return lines
}

func (c Change) editable(edit int) error {
	switch {
	case c.State != ChangeDraft:
		return ErrNoDraft
	case c.Edit != edit:
		return ErrDraftMoved
	default:
		return nil
	}
}

// Rebase brings an outdated draft onto the catalogue that is sold now; a draft that is up to date stays as it is.
func (s *Changes) Rebase(ctx context.Context, p staff.Principal, changeID string, edit int) (Review, error) {
	return s.step(ctx, changeID, func(tx *sqlx.Tx, c *Change) error {
		if err := c.editable(edit); err != nil {
			return err
		}
		base, err := s.plans.RevisionTx(ctx, tx, c.BaseRevision)
		if err != nil {
			return err
		}
		now, err := s.plans.FreshTx(ctx, tx)
		if err != nil || now.Revision == c.BaseRevision {
			return err
		}
		c.Content = changeText{c.Content.rebased(documentOf(base), documentOf(now))}
		c.BaseRevision = now.Revision
		c.Edit++
		c.EditedBy, c.EditedByName, c.EditedAt = p.StaffID, p.Name, s.clock.Now()
		if err := s.store.save(ctx, tx, *c); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, p, *c, "edit_catalogue", "Brought the draft up to date", "")
	})
}

// Propose requests that the draft be sold from a moment on. It returns ErrNoDraft, ErrDraftMoved, ErrOutdated, ErrPending or
// ErrChangesNothing, and invalid input if the draft could not be sold or its time is past.
func (s *Changes) Propose(ctx context.Context, p staff.Principal, changeID string, in Proposal) (Review, error) {
	reason, err := staff.CleanReason(in.Reason)
	if err != nil {
		return Review{}, err
	}
	return s.step(ctx, changeID, func(tx *sqlx.Tx, c *Change) error {
		if err := c.editable(in.Edit); err != nil {
			return err
		}
		now := s.clock.Now()
		if !in.EffectiveFrom.After(now) || in.EffectiveFrom.After(now.AddDate(2, 0, 0)) {
			return errs.Invalid("Please check the marked fields.").Field("effective_from", "Choose a time after now and within two years.")
		}
		if err := s.proposableTx(ctx, tx, *c, dateOf(in.EffectiveFrom)); err != nil {
			return err
		}
		if err := changeStates().Move(&c.State, ChangeProposed); err != nil {
			return err
		}
		from := in.EffectiveFrom.UTC().Truncate(time.Second)
		c.EffectiveFrom, c.Reason, c.ProposedBy, c.ProposedByName, c.ProposedAt = &from, reason, p.StaffID, p.Name, &now
		if err := s.store.propose(ctx, tx, *c); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, p, *c, "propose_catalogue", reason, staff.JSON(map[string]any{"change": c.ID, "effective_from": from}))
	})
}

// proposableTx refuses what could not be approved as it is. It serialises proposals.
func (s *Changes) proposableTx(ctx context.Context, tx *sqlx.Tx, c Change, from invoice.Date) error {
	if _, err := tx.ExecContext(ctx, lockCatalogueSQL); err != nil {
		return err
	}
	pending, err := s.store.pending(ctx, tx)
	if err != nil {
		return err
	}
	r, err := s.reviewTx(ctx, tx, c)
	if err != nil {
		return err
	}
	base, err := s.plans.RevisionTx(ctx, tx, c.BaseRevision)
	switch {
	case err != nil:
		return err
	case pending:
		return ErrPending
	case r.Outdated:
		return ErrOutdated
	case !slices.ContainsFunc(r.Differences, func(d Difference) bool { return d.Field != fieldVersion }):
		return ErrChangesNothing
	case len(r.Problems) > 0:
		return problemsError(r.Problems)
	}
	for _, rate := range c.Content.GSTRates {
		if rate.From < from && !slices.Contains(base.GSTRates, rate) {
			return errs.Invalid("Please check the marked fields.").Field("effective_from",
				"The new rate of GST begins on "+string(rate.From)+", before the change would hold. Choose that day at the latest.")
		}
	}
	return nil
}

// Decide approves, rejects or withdraws a change. It returns ErrOwnChange if the proposer approves or rejects it, and
// staff.ErrOnePerson for a possible second account of the proposer. It returns ErrDecided for an ended change, and ErrOutdated or
// ErrTooLate if it can no longer be approved.
func (s *Changes) Decide(ctx context.Context, p staff.Principal, changeID string, decision Decision, reason string) (Review, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return Review{}, err
	}
	return s.step(ctx, changeID, func(tx *sqlx.Tx, c *Change) error {
		now, mine := s.clock.Now(), c.ProposedBy == p.StaffID
		switch {
		case decision == Withdraw:
			if c.State != ChangeDraft && !c.State.Pending() {
				return ErrDecided
			}
			return s.endTx(ctx, tx, p, c, ChangeWithdrawn, "withdraw_catalogue", reason)
		case c.State != ChangeProposed:
			return ErrDecided
		case mine:
			return ErrOwnChange
		}
		if err := staff.SecondPersonTx(ctx, tx, c.ProposedBy, now); err != nil {
			return err
		}
		switch {
		case decision == Reject:
			return s.endTx(ctx, tx, p, c, ChangeRejected, "reject_catalogue", reason)
		case !c.EffectiveFrom.After(now):
			return ErrTooLate
		}
		r, err := s.reviewTx(ctx, tx, *c)
		switch {
		case err != nil:
			return err
		case r.Outdated:
			return ErrOutdated
		case len(r.Problems) > 0:
			return problemsError(r.Problems)
		}
		if err := changeStates().Move(&c.State, ChangeApproved); err != nil {
			return err
		}
		c.ApprovedBy, c.ApprovedByName, c.ApprovedAt, c.ApprovalReason = p.StaffID, p.Name, &now, reason
		if err := s.store.approve(ctx, tx, *c); err != nil {
			return err
		}
		if err := s.recordTx(ctx, tx, p, *c, "approve_catalogue", reason, staff.JSON(recorded(r.Differences))); err != nil {
			return err
		}
		_, err = s.jobs.InsertTx(ctx, tx, ApplyArgs{}, queue.Options{Delay: c.EffectiveFrom.Sub(now)})
		return err
	})
}

func (s *Changes) endTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, c *Change, to ChangeState, kind, reason string) error {
	if err := changeStates().Move(&c.State, to); err != nil {
		return err
	}
	now := s.clock.Now()
	c.EndedBy, c.EndedByName, c.EndedAt, c.EndReason = p.StaffID, p.Name, &now, reason
	if err := s.store.end(ctx, tx, *c); err != nil {
		return err
	}
	return s.recordTx(ctx, tx, p, *c, kind, reason, "")
}

// step changes one locked change.
func (s *Changes) step(ctx context.Context, changeID string, fn func(tx *sqlx.Tx, c *Change) error) (r Review, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		c, err := s.store.locked(ctx, tx, changeID)
		if err != nil {
			return err
		}
		if err := fn(tx, &c); err != nil {
			return err
		}
		r, err = s.reviewTx(ctx, tx, c)
		return err
	})
	return r, err
}

func (s *Changes) recordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, c Change, kind, reason, after string) error {
	if after == "" {
		after = staff.JSON(map[string]any{"state": c.State, "version": c.Content.Version, "edit": c.Edit})
	}
	return s.recorder.RecordTx(ctx, tx, p, staff.Action{Action: kind, Target: "catalogue:" + c.ID, Reason: reason, After: after})
}

// fingerprint is that of a catalogue which was not loaded from a file.
func (d Document) fingerprint() []byte {
	text, _ := json.Marshal(d) // strings, numbers and maps always marshal
	sum := sha256.Sum256(text)
	return sum[:]
}
