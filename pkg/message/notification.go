package message

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Note is the text of a notification in the dashboard, and the page to which it leads.
type Note struct{ Title, Text, Link string }

// Notes returns the notes of the rows that messages of one template are about, by row, in the reader's language; rows without a note are
// omitted.
type Notes func(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string, l i18n.Language) (map[string]Note, error)

// Notification is a message to a customer as the dashboard shows it.
type Notification struct {
	Note
	ID       string
	Template string
	At       time.Time
	Read     bool
}

// NotificationCursor is the place of a notification in the list, newest first.
type NotificationCursor struct {
	At time.Time
	ID string
}

// String returns the cursor in the form that clients send back.
func (c NotificationCursor) String() string {
	return strconv.FormatInt(c.At.UnixMicro(), 36) + "." + c.ID
}

// ParseNotificationCursor parses the output of String; ok is false for anything else.
func ParseNotificationCursor(text string) (c NotificationCursor, ok bool) {
	at, name, found := strings.Cut(text, ".")
	micros, err := strconv.ParseInt(at, 36, 64)
	if !found || err != nil || micros < 0 || micros > time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro() || !id.Valid(name) {
		return c, false
	}
	return NotificationCursor{At: time.UnixMicro(micros).UTC(), ID: name}, true
}

// Centre lists the product's messages to customers; it runs in the API. Only templates that have notes are listed: these contain no code
// and no secret link.
type Centre struct {
	db    *sqlx.DB
	clock clock.Clock
	notes map[string]Notes
}

// NewCentre returns a centre with the notes of each template. If an event has both an SMS and an e-mail, one of the two templates has
// notes.
func NewCentre(db *sqlx.DB, clk clock.Clock, notes map[string]Notes) *Centre {
	return wiring.Complete(&Centre{db: db, clock: clk, notes: notes})
}

func (c *Centre) templates() pq.StringArray { return slices.Sorted(maps.Keys(c.notes)) }

// List returns up to limit notifications after the cursor, newest first, in a language, and the cursor of the following ones, nil at the
// end.
func (c *Centre) List(ctx context.Context, franchiserID string, l i18n.Language, after *NotificationCursor, limit int) ([]Notification, *NotificationCursor, error) {
	list := []Notification{}
	var next *NotificationCursor
	err := postgres.InTenantTx(ctx, c.db, franchiserID, func(tx *sqlx.Tx) error {
		rows, err := notificationsTx(ctx, tx, franchiserID, c.templates(), after, limit+1)
		if err != nil {
			return err
		}
		if len(rows) > limit {
			rows = rows[:limit]
			last := rows[limit-1]
			next = &NotificationCursor{At: last.CreatedAt.UTC(), ID: last.ID}
		}
		notes, err := c.notesTx(ctx, tx, franchiserID, rows, l)
		if err != nil {
			return err
		}
		for _, r := range rows {
			note, ok := notes[r.Template][r.About]
			if !ok {
				continue // its row no longer exists
			}
			list = append(list, Notification{Note: note, ID: r.ID, Template: r.Template, At: r.CreatedAt.UTC(), Read: r.Read})
		}
		return nil
	})
	return list, next, err
}

func (c *Centre) notesTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, rows []notificationRow, l i18n.Language) (map[string]map[string]Note, error) {
	about := map[string][]string{}
	for _, r := range rows {
		about[r.Template] = append(about[r.Template], r.About)
	}
	notes := map[string]map[string]Note{}
	for template, ids := range about {
		var err error
		if notes[template], err = c.notes[template](ctx, tx, franchiserID, ids, l); err != nil {
			return nil, err
		}
	}
	return notes, nil
}

// MaxUnread is the number up to which unread notifications are counted.
const MaxUnread = 99

// Unread counts the notifications that were not read, up to MaxUnread.
func (c *Centre) Unread(ctx context.Context, franchiserID string) (n int, err error) {
	return n, postgres.InTenantTx(ctx, c.db, franchiserID, func(tx *sqlx.Tx) error {
		n, err = unreadTx(ctx, tx, franchiserID, c.templates(), MaxUnread)
		return err
	})
}

// Read marks the notifications as read: those with the ids, or all of them up to the cursor. Another person's id changes nothing.
func (c *Centre) Read(ctx context.Context, franchiserID string, ids []string, upTo *NotificationCursor) error {
	return postgres.InTenantTx(ctx, c.db, franchiserID, func(tx *sqlx.Tx) error {
		return markReadTx(ctx, tx, franchiserID, ids, upTo, c.clock.Now())
	})
}
