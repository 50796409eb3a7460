package contact

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Channel is the way by which a message came or goes.
type Channel string

// The channels of messages.
const (
	ChannelForm     Channel = "form"
	ChannelAccount  Channel = "account"
	ChannelEmail    Channel = "email"
	ChannelWhatsApp Channel = "whatsapp"
	// ChannelStaff means that staff wrote it by hand: a note, or the person's words on the phone.
	ChannelStaff Channel = "staff"
)

// Channels says by which channels the product can send replies.
type Channels struct{ Email, WhatsApp bool }

// whatsAppWindow is how long Meta lets a business answer freely after a person's message
// (https://developers.facebook.com/documentation/business-messaging/whatsapp/messages/send-messages#customer-service-windows).
const whatsAppWindow = 24 * time.Hour

// Way is how a reply reaches the person. Why says why it is not the channel of the last message, or why no reply can be sent.
type Way struct {
	// Channel is empty if no reply can be sent.
	Channel Channel
	Why     string
	code    string
	// Until is when the channel stops taking replies, nil if it does not.
	Until *time.Time
}

// wayTx is way, with the address that a customer proved after writing.
func (d *Desk) wayTx(ctx context.Context, tx *sqlx.Tx, r Request) (Way, error) {
	if r.Email == "" && r.FranchiserID != nil && d.by.Email {
		if err := tx.GetContext(ctx, &r.Email, `SELECT coalesce(customer_address($1), '')`, *r.FranchiserID); err != nil {
			return Way{}, fmt.Errorf("read the proved address: %w", err)
		}
	}
	return d.way(r), nil
}

// way returns how a reply reaches the person now: by WhatsApp within its window after a WhatsApp message, else by e-mail, else in the account.
func (d *Desk) way(r Request) Way {
	var w Way
	if r.Channel == ChannelWhatsApp && r.WhatsAppAt != nil && r.Mobile != "" {
		until := r.WhatsAppAt.Add(whatsAppWindow)
		switch {
		case !d.by.WhatsApp:
			w.Why = "WhatsApp is not set up."
		case !d.clock.Now().Before(until):
			w.Why = "WhatsApp takes answers only within 24 hours of the person's last message."
		default:
			return Way{Channel: ChannelWhatsApp, Until: &until}
		}
	}
	switch {
	case r.Email == "" && r.Mobile == "" && r.FranchiserID == nil:
		w.code, w.Why = "contact_erased", "No address is known: the person was erased, or the e-mail named no sender."
	case d.by.Email && r.Email != "":
		w.Channel = ChannelEmail
	case r.FranchiserID != nil:
		w.Channel = ChannelAccount
		switch {
		case r.Email == "":
			w.Why += " No e-mail address is known."
		case w.Why == "":
			w.Why = "E-mail is not set up."
		}
		w.Why = strings.TrimSpace(w.Why) + " The customer finds the reply under My requests, but gets no message about it. Call them if it is urgent."
	case r.Email != "":
		w.code, w.Why = "email_off", "E-mail is not set up. Answer by phone, and note what you said."
	default:
		w.Why += " No e-mail address is known. Answer by phone, and note what you said."
	}
	return w
}

// err returns why no reply can be sent.
func (w Way) err() error {
	switch w.code {
	case "contact_erased":
		return errs.New(errs.KindConflict, "contact_erased", w.Why)
	case "email_off":
		return errs.New(errs.KindConflict, "email_off", w.Why)
	default:
		return errs.New(errs.KindConflict, "no_email", w.Why)
	}
}

// addressTx chooses the reply's channel, and refuses a reply by an author who has not seen the whole thread.
func (d *Desk) addressTx(ctx context.Context, tx *sqlx.Tx, e *Entry, r Request, seen int) error {
	if seen != r.Version {
		return errs.New(errs.KindConflict, "thread_changed", "A new message arrived while you wrote. Read it, then send your reply again.")
	}
	w, err := d.wayTx(ctx, tx, r)
	if err != nil {
		return err
	}
	now := d.clock.Now()
	switch w.Channel {
	case "":
		return w.err()
	case ChannelAccount:
		e.SentAt = &now
	default:
		until := now.Add(replyLife)
		if w.Until != nil && w.Until.Before(until) {
			until = *w.Until
		}
		e.ExpiresAt = &until
	}
	e.Channel = w.Channel
	return nil
}

// hearTx adds the person's message to the locked request and opens the request. It changes nothing if the message is stored already.
// A held message only opens the request.
func (t Targets) hearTx(ctx context.Context, tx *sqlx.Tx, r *Request, e Entry, now time.Time) error {
	fresh, err := insertEntryTx(ctx, tx, e)
	if err != nil || !fresh || e.Kind != EntryAnswer && (e.Kind != EntryHeld || r.State == StateOpen) {
		return err
	}
	if err := t.move(r, StateOpen, now); err != nil {
		return err
	}
	if r.FranchiserID != nil {
		if r.Priority, err = priorityTx(ctx, tx, *r.FranchiserID); err != nil {
			return err
		}
	}
	r.Version++
	if !e.CreatedAt.Before(r.WroteAt) { // not a late delivery of an earlier message
		r.Channel, r.WroteAt = e.Channel, e.CreatedAt
	}
	if e.Channel == ChannelWhatsApp && (r.WhatsAppAt == nil || e.CreatedAt.After(*r.WhatsAppAt)) {
		r.WhatsAppAt = &e.CreatedAt
	}
	return saveContactTx(ctx, tx, *r, nil)
}

// openTx inserts a new request with its first message, and fails if the message is stored already.
func (t Targets) openTx(ctx context.Context, tx *sqlx.Tx, r Request, e Entry, now time.Time) error {
	if err := states().Move(&r.State, StateOpen); err != nil {
		return err
	}
	r.CreatedAt, r.UpdatedAt, r.Channel, r.WroteAt = now, now, e.Channel, e.CreatedAt
	r.AnswerBy, r.SettleBy = t.After(now, t.AnswerWithin), t.After(now, t.SettleWithin)
	if e.Channel == ChannelWhatsApp {
		r.WhatsAppAt = &e.CreatedAt
	}
	if r.FranchiserID != nil {
		var err error
		if r.Priority, err = priorityTx(ctx, tx, *r.FranchiserID); err != nil {
			return err
		}
	}
	if err := insertContact(ctx, tx, r); err != nil {
		return err
	}
	fresh, err := insertEntryTx(ctx, tx, e)
	if err == nil && !fresh {
		err = errs.Internal(errors.New("the first message of a request is stored already"))
	}
	return err
}
