package plan

import (
	"encoding/json"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/lifecycle"
)

// ChangeState is the state of a change of the catalogue.
type ChangeState string

// The states of a change. Failed is an approved change that could not be applied, because another catalogue was loaded in between.
const (
	ChangeDraft     ChangeState = "draft"
	ChangeProposed  ChangeState = "proposed"
	ChangeApproved  ChangeState = "approved"
	ChangeApplied   ChangeState = "applied"
	ChangeRejected  ChangeState = "rejected"
	ChangeWithdrawn ChangeState = "withdrawn"
	ChangeFailed    ChangeState = "failed"
)

// changeStates returns the only allowed transitions of a change.
func changeStates() lifecycle.Table[ChangeState] {
	return lifecycle.Table[ChangeState]{
		"":             {ChangeDraft},
		ChangeDraft:    {ChangeProposed, ChangeWithdrawn},
		ChangeProposed: {ChangeApproved, ChangeRejected, ChangeWithdrawn},
		ChangeApproved: {ChangeApplied, ChangeWithdrawn, ChangeFailed},
	}
}

// Pending reports whether the change is proposed or approved and not applied yet.
func (s ChangeState) Pending() bool { return s == ChangeProposed || s == ChangeApproved }

// Change is one change of the catalogue, from its draft to its end. Names of staff are empty before the step that sets them.
type Change struct {
	ID             string      `db:"id"`
	State          ChangeState `db:"state"`
	BaseRevision   int         `db:"base_revision"`
	Content        changeText  `db:"content"`
	Edit           int         `db:"edit"`
	DraftedBy      string      `db:"drafted_by"`
	DraftedByName  string      `db:"drafted_by_name"`
	DraftedAt      time.Time   `db:"drafted_at"`
	EditedBy       string      `db:"edited_by"`
	EditedByName   string      `db:"edited_by_name"`
	EditedAt       time.Time   `db:"edited_at"`
	EffectiveFrom  *time.Time  `db:"effective_from"`
	Reason         string      `db:"reason"`
	ProposedBy     string      `db:"proposed_by"`
	ProposedByName string      `db:"proposed_by_name"`
	ProposedAt     *time.Time  `db:"proposed_at"`
	ApprovedBy     string      `db:"approved_by"`
	ApprovedByName string      `db:"approved_by_name"`
	ApprovedAt     *time.Time  `db:"approved_at"`
	ApprovalReason string      `db:"approval_reason"`
	EndedBy        string      `db:"ended_by"`
	EndedByName    string      `db:"ended_by_name"`
	EndedAt        *time.Time  `db:"ended_at"`
	EndReason      string      `db:"end_reason"`
	Revision       *int        `db:"revision"`
	Outcome        string      `db:"outcome"`
	FinishedAt     *time.Time  `db:"finished_at"`
}

// changeText is the catalogue of a change as the database keeps it.
type changeText struct{ Document }

// Scan implements sql.Scanner.
func (t *changeText) Scan(value any) error {
	text, _ := value.([]byte)
	return json.Unmarshal(text, &t.Document)
}

// Proposal is what turns a draft into a proposal.
type Proposal struct {
	// Edit is the edit of the draft that the proposer saw.
	Edit          int
	EffectiveFrom time.Time
	Reason        string
}

// Decision is a staff decision on a waiting change.
type Decision string

// The decisions: Approve and Reject are a second admin's; Withdraw takes a change back before its time, or gives a draft up.
const (
	Approve  Decision = "approve"
	Reject   Decision = "reject"
	Withdraw Decision = "withdraw"
)

// Valid reports whether there is such a decision.
func (d Decision) Valid() bool { return d == Approve || d == Reject || d == Withdraw }

// Errors of changes.
var (
	ErrNoDraft = errs.New(errs.KindConflict, "catalogue_no_draft",
		"This change is no longer a draft, so it cannot be edited. Start a new draft from it to change something.")
	ErrDraftMoved = errs.New(errs.KindConflict, "catalogue_draft_moved",
		"Somebody saved this draft meanwhile. Load it again, so that nothing of theirs is lost.")
	ErrOutdated = errs.New(errs.KindConflict, "catalogue_outdated",
		"The catalogue has changed since this draft was begun. Bring the draft up to date, check it again, and then propose it.")
	ErrPending = errs.New(errs.KindConflict, "catalogue_pending",
		"Another change waits already. It has to be applied, rejected or withdrawn first.")
	ErrDecided = errs.New(errs.KindConflict, "catalogue_decided",
		"This change has already been decided or has ended. Reload it to see the result.")
	ErrOwnChange = errs.New(errs.KindConflict, "catalogue_own_change",
		"You proposed this change yourself. Another admin has to decide; you can withdraw it.")
	ErrTooLate = errs.New(errs.KindConflict, "catalogue_too_late",
		"The time at which this change should take effect has passed. Withdraw it and propose it for a later time.")
	ErrChangesNothing = errs.New(errs.KindConflict, "catalogue_unchanged", "This draft changes nothing yet.")
)
