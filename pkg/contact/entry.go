package contact

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/staff"
)

// EntryKind is the kind of an entry in a request's thread.
type EntryKind string

// The kinds of entries.
const (
	// EntryReply is what staff sent to the person.
	EntryReply EntryKind = "reply"
	// EntryAnswer is a message of the person, or staff's note of a call.
	EntryAnswer EntryKind = "answer"
	// EntryAuto is an automatic answer of the person's mailbox.
	EntryAuto EntryKind = "auto"
	// EntryHeld is a message of the person beyond maxPerHour or maxNewPerHour. It opens a request that is not open, and changes nothing else.
	EntryHeld EntryKind = "held"
	// EntryNote is for staff alone.
	EntryNote EntryKind = "note"
)

// Entry is one entry of a request's thread.
type Entry struct {
	ID        string    `db:"id"`
	ContactID string    `db:"contact_id"`
	Kind      EntryKind `db:"kind"`
	Channel   Channel   `db:"channel"`
	// ExternalID is the channel's id of the message, nil if the product wrote it.
	ExternalID *string `db:"external_id"`
	// Sender is the address that the message came from if it is not the request's. Nothing proves it.
	Sender string `db:"sender"`
	Text   string `db:"text"`
	// Quoted are the earlier messages that the text repeats.
	Quoted string `db:"quoted"`
	Key    string `db:"key"`
	// WrittenBy is the member of staff, nil for the person and for the product.
	WrittenBy *string    `db:"written_by"`
	Author    string     `db:"author"`
	CreatedAt time.Time  `db:"created_at"`
	ExpiresAt *time.Time `db:"expires_at"`
	SentAt    *time.Time `db:"sent_at"`
	// SendError says why a reply was not sent, or why it went by another channel. FailedAt is when the worker gave it up.
	SendError string     `db:"send_error"`
	FailedAt  *time.Time `db:"failed_at"`
	Files     []File     `db:"-"`
}

const (
	maxEntry = 4000
	// replyLife is how long a reply is tried. Afterwards its request opens again. replyAttempts are more than fit into it.
	replyLife     = 24 * time.Hour
	replyAttempts = 25
	minKey        = 8
	maxKey        = 128
)

// Written is an entry as it was typed. Then is the state that the request goes to; a reply makes it waiting or answered, an answer opens
// it, and a note leaves it as it is.
type Written struct {
	Kind EntryKind
	Text string
	Then State
	// Files are the ids of the author's uploads; only a reply has any.
	Files []string
	// Key is the browser's: requests with the same key count as one.
	Key string
	// Seen is the version of the thread that a reply's author read.
	Seen int
}

func (w *Written) validate() error {
	var v errs.Validation
	var fits bool
	w.Text, fits = cleanText(w.Text, maxEntry)
	v.Check(fits && text.Storable(w.Text) && !strings.ContainsFunc(w.Text, isOddControl), "text", "Write up to 4,000 characters.")
	v.Check(len(w.Key) >= minKey && len(w.Key) <= maxKey, "Idempotency-Key", "Send a key of 8 to 128 characters.")
	checkFiles(&v, &w.Files)
	v.Check(len(w.Files) == 0 || w.Kind == EntryReply, "files", "Only a reply can have files.")
	leads := w.Then == StateWaiting || w.Then == StateAnswered
	v.Check(leads || w.Then == "" && w.Kind != EntryReply, "then", "Choose whether the person is to answer.")
	switch w.Kind {
	case EntryReply: // goes where it says
	case EntryAnswer:
		w.Then = StateOpen
	case EntryNote:
		w.Then = ""
	default:
		v.Add("kind", "Kindly choose one")
	}
	return v.Err()
}

func isOddControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// kinds of the actions in the trail.
func (k EntryKind) action() (action, reason string) {
	switch k {
	case EntryReply: // goes where it says
		return "reply_contact", "Replied to a contact request"
	case EntryAnswer:
		return "note_contact", "Noted what the person answered"
	default:
		return "note_contact", "Wrote a note"
	}
}

// Write adds an entry to the thread, once for each key; another text under the same key is idempotency.ErrReused. A job sends replies. The
// first member of staff to reply to a request without an owner becomes its owner.
func (d *Desk) Write(ctx context.Context, p staff.Principal, contactID string, in Written) error {
	if err := in.validate(); err != nil {
		return err
	}
	return postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		r, err := lockContactTx(ctx, tx, contactID)
		if err != nil {
			return err
		}
		e := Entry{
			ID: id.New(), ContactID: contactID, Kind: in.Kind, Channel: ChannelStaff, Text: in.Text, Key: in.Key, WrittenBy: &p.StaffID,
			CreatedAt: d.clock.Now(),
		}
		done, err := keyUsedTx(ctx, tx, e)
		if err != nil || done {
			return err
		}
		if in.Kind == EntryReply {
			if err := d.addressTx(ctx, tx, &e, r, in.Seen); err != nil {
				return err
			}
		}
		if fresh, err := insertEntryTx(ctx, tx, e); err != nil || !fresh {
			return err // the row's lock and its key leave no other entry
		}
		if err := d.attachTx(ctx, tx, p, r, e, in.Files); err != nil {
			return err
		}
		if err := d.followTx(ctx, tx, p, &r, in); err != nil {
			return err
		}
		if in.Kind == EntryReply && e.Channel != ChannelAccount {
			if _, err := d.jobs.InsertTx(ctx, tx, SendReplyArgs{EntryID: e.ID}, queue.Options{MaxAttempts: replyAttempts}); err != nil {
				return err
			}
		}
		action, reason := in.Kind.action()
		return d.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: action, Target: "contact:" + contactID, Reason: reason, After: staff.JSON(map[string]any{"entry": e.ID, "state": r.State}),
		})
	})
}

// followTx moves the request to where the entry leads.
func (d *Desk) followTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, r *Request, in Written) error {
	to := in.Then
	if in.Kind != EntryNote {
		r.Version++
	}
	if in.Kind == EntryReply {
		if r.OwnerID == nil {
			r.OwnerID = &p.StaffID
		}
		if r.State == StateClosed { // a reply reopens a closed request
			if err := d.moveTx(ctx, tx, p, r, StateOpen); err != nil {
				return err
			}
		}
	}
	if to == "" {
		to = r.State
	}
	return d.moveTx(ctx, tx, p, r, to)
}
