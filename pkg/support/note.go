package support

import (
	"context"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Note is a staff note about a customer. It is never changed, only pinned or deleted.
type Note struct {
	ID        string    `db:"id"`
	Text      string    `db:"text"`
	Pinned    bool      `db:"pinned"`
	Author    string    `db:"author"`
	AuthorID  string    `db:"written_by"`
	CreatedAt time.Time `db:"created_at"`
}

// MayDelete reports whether the member of staff may delete the note: its author, unless made an auditor since, and admins.
func (n Note) MayDelete(p staff.Principal) bool {
	return p.Role == staff.RoleAdmin || n.AuthorID == p.StaffID && p.Role != staff.RoleAuditor
}

// Notes are what staff noted about a customer: the notes, pinned ones first, then newest first; the tags; and the tags in use, to
// choose from.
type Notes struct {
	Notes []Note
	Tags  []string
	Known []string
}

const (
	maxNote = 2000
	maxTag  = 24
	// maxTags is how many tags a customer may have.
	maxTags = 10
	// shownNotes is how many notes of a customer are listed; older ones stay in the timeline.
	shownNotes = 200
)

var tagForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Notes returns what staff noted about a customer.
func (d *Customers) Notes(ctx context.Context, franchiserID string) (n Notes, err error) {
	err = postgres.InTenantTx(ctx, d.db, franchiserID, func(tx *sqlx.Tx) error {
		n, err = notesTx(ctx, tx, franchiserID)
		return err
	})
	return n, err
}

// AddNote notes the text about the customer, once however often the request comes.
func (h *CustomerActions) AddNote(ctx context.Context, p staff.Principal, in Request, note string, pinned bool) (Done, error) {
	note = strings.TrimSpace(strings.ReplaceAll(note, "\r\n", "\n"))
	if n := utf8.RuneCountInString(note); n == 0 || n > maxNote || !text.Storable(note) {
		return Done{}, errs.Invalid("Please check the marked fields.").Field("text", "Write a note of up to 2,000 characters.")
	}
	in.Reason = "Wrote a note"
	a := staff.Action{Action: "add_note", Target: "customer:" + in.FranchiserID}
	return h.onceWith(ctx, p, in, a, staff.JSON([]any{note, pinned}), func(tx *sqlx.Tx) (Done, error) {
		written := Note{ID: id.New(), Text: note, Pinned: pinned, AuthorID: p.StaffID, CreatedAt: h.clock.Now()}
		return Done{Message: "The note is kept."}, insertNoteTx(ctx, tx, in.FranchiserID, written)
	})
}

// PinNote pins a note to the top or takes the pin away; KindNotFound if the customer has no such note.
func (h *CustomerActions) PinNote(ctx context.Context, p staff.Principal, franchiserID, noteID string, pinned bool) error {
	a := staff.Action{Action: "pin_note", Reason: "Pinned a note", Target: "note:" + noteID}
	if !pinned {
		a.Action, a.Reason = "unpin_note", "Took the pin of a note away"
	}
	return h.mark(ctx, p, franchiserID, a, func(tx *sqlx.Tx) (bool, error) { return pinNoteTx(ctx, tx, franchiserID, noteID, pinned) })
}

// DeleteNote deletes a note. Only its author and admins may; KindNotFound for any other note. The trail keeps the member and the
// reason, but not the text.
func (h *CustomerActions) DeleteNote(ctx context.Context, p staff.Principal, franchiserID, noteID, reason string) error {
	if _, err := staff.CleanReason(reason); err != nil {
		return err
	}
	a := staff.Action{Action: "delete_note", Reason: reason, Target: "note:" + noteID}
	return h.mark(ctx, p, franchiserID, a, func(tx *sqlx.Tx) (bool, error) { return true, deleteNoteTx(ctx, tx, franchiserID, noteID) })
}

// Tag adds a tag to the customer or removes it. Setting a tag again changes nothing.
func (h *CustomerActions) Tag(ctx context.Context, p staff.Principal, franchiserID, tag string, set bool) error {
	tag = strings.ReplaceAll(strings.Join(strings.Fields(strings.ToLower(tag)), "-"), "_", "-")
	if !tagForm.MatchString(tag) || len(tag) > maxTag {
		return errs.Invalid("Please check the marked fields.").Field("tag", "Use up to 24 letters, digits and single hyphens.")
	}
	a := staff.Action{Action: "tag_customer", Reason: "Tagged the customer", Target: "customer:" + franchiserID, After: staff.JSON(tag)}
	if !set {
		a.Action, a.Reason, a.Before, a.After = "untag_customer", "Took a tag away", staff.JSON(tag), ""
	}
	return h.mark(ctx, p, franchiserID, a, func(tx *sqlx.Tx) (bool, error) {
		if !set {
			return untagTx(ctx, tx, franchiserID, tag)
		}
		return tagTx(ctx, tx, franchiserID, tag, p.StaffID, h.clock.Now())
	})
}

// mark changes a customer's notes or tags, and records a real change.
func (h *CustomerActions) mark(ctx context.Context, p staff.Principal, franchiserID string, a staff.Action, fn func(tx *sqlx.Tx) (bool, error)) error {
	a.FranchiserRef = &franchiserID
	return postgres.InTenantTx(ctx, h.db, franchiserID, func(tx *sqlx.Tx) error {
		if err := account.RequireLiveTx(ctx, tx, franchiserID); err != nil {
			return err
		}
		changed, err := fn(tx)
		if err != nil || !changed {
			return err
		}
		return h.recorder.RecordTx(ctx, tx, p, a)
	})
}
