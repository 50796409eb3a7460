package contact

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// purposeReply is that of the token in the address for answers.
const purposeReply = secret.Purpose("answers by e-mail")

// maxPerHour is how many messages of one request and channel count within an hour, maxNewPerHour how many requests one sender opens by e-mail.
// Further messages are held: a program may answer ours.
const maxPerHour, maxNewPerHour = 30, 5

// Receiver moves arrived messages into their requests; it runs in the worker.
type Receiver struct {
	db      *sqlx.DB
	jobs    *queue.Inserter
	clock   clock.Clock
	keys    secret.Keyring
	targets Targets
	by      Channels
	// own are the product's addresses, host is the domain of its message ids.
	own  []string
	host string `wiring:"optional"`
}

// ReceiverOptions are the parts of a Receiver. NewReceiver panics if a part is nil.
type ReceiverOptions struct {
	DB      *sqlx.DB
	Jobs    *queue.Inserter
	Clock   clock.Clock
	Keys    secret.Keyring
	Targets config.Contact
	By      Channels
	// From is the sender of the product's e-mails, ReplyTo where answers go.
	From, ReplyTo string
}

// NewReceiver returns a receiver.
func NewReceiver(o ReceiverOptions) *Receiver {
	r := &Receiver{db: o.DB, jobs: o.Jobs, clock: o.Clock, keys: o.Keys, targets: Targets{o.Targets}, by: o.By, own: []string{}}
	for _, one := range []string{o.From, o.ReplyTo} {
		if a, err := mail.ParseAddress(one); err == nil {
			r.own = append(r.own, cleanAddress(a.Address))
		}
	}
	if a, err := mail.ParseAddress(o.From); err == nil {
		_, r.host, _ = strings.Cut(strings.ToLower(a.Address), "@")
	}
	return wiring.Complete(r)
}

// Receive moves the message into its request and deletes it from the inbox, once: the same message that arrives again is dropped.
func (r *Receiver) Receive(ctx context.Context, inboundID string) error {
	return postgres.InTx(ctx, r.db, func(tx *sqlx.Tx) error {
		var m inbound
		err := tx.GetContext(ctx, &m, `SELECT id, channel, external_id, sender, verified, raw, received_at FROM contact_inbound WHERE id = $1`, inboundID)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read an arrived message: %w", err)
		}
		known, err := knownTx(ctx, tx, m.Channel, m.ExternalID)
		if err != nil {
			return err
		}
		switch {
		case known:
		case m.Channel == ChannelWhatsApp:
			err = r.whatsAppTx(ctx, tx, m)
		default:
			err = r.emailTx(ctx, tx, m)
		}
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM contact_inbound WHERE id = $1`, m.ID); err != nil {
			return fmt.Errorf("delete an arrived message: %w", err)
		}
		return nil
	})
}

// knownTx reports whether the message is stored. Two arrivals of one message wait for each other.
func knownTx(ctx context.Context, tx *sqlx.Tx, by Channel, external string) (known bool, err error) {
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('contact message ' || $1 || $2, 0))`, by, external); err != nil {
		return false, fmt.Errorf("lock a message: %w", err)
	}
	const knownSQL = `SELECT EXISTS (SELECT FROM contact_entries WHERE channel = $1 AND external_id = $2)`
	if err := tx.GetContext(ctx, &known, knownSQL, by, external); err != nil {
		return false, fmt.Errorf("look for a message: %w", err)
	}
	return known, nil
}

func (m inbound) entry(contactID, text string) Entry {
	external := m.ExternalID
	return Entry{
		ID: id.New(), ContactID: contactID, Kind: EntryAnswer, Channel: m.Channel, ExternalID: &external, Text: text, Key: external, CreatedAt: m.ReceivedAt,
	}
}

// lockedTx returns the request that the query names, locked; nil if there is none or its person was erased.
func lockedTx(ctx context.Context, tx *sqlx.Tx, where string, args ...any) (*Request, error) {
	found, err := oneContact(ctx, tx, `SELECT `+ownColumns+`, '' AS owner FROM contact_requests c WHERE `+where+` FOR UPDATE OF c`, args...)
	switch {
	case errs.KindOf(err) == errs.KindNotFound:
		return nil, nil //nolint:nilnil // a new request begins
	case err != nil:
		return nil, err
	case found.Email == "" && found.Mobile == "" && found.FranchiserID == nil:
		return nil, nil //nolint:nilnil // erased
	default:
		return &found, nil
	}
}

func (r *Receiver) emailTx(ctx context.Context, tx *sqlx.Tx, m inbound) error {
	mailed, err := readEmail(m.Raw)
	if err != nil { // nothing is lost: staff see that something arrived
		mailed = inboundEmail{From: m.Sender, Text: "An e-mail arrived that could not be read."}
	}
	if slices.Contains(r.own, withoutTag(mailed.From)) || r.ours(mailed.MessageID) {
		return nil // our own e-mail came back
	}
	if r.ours(mailed.Returned) {
		return r.returnedTx(ctx, tx, mailed.Returned)
	}
	into, err := r.threadTx(ctx, tx, m, mailed)
	if err != nil || into == nil && mailed.Automatic {
		return err
	}
	flood := false
	if into == nil {
		if into, err = floodedTx(ctx, tx, mailed.From, r.clock.Now()); err != nil {
			return err
		}
		flood = into != nil
	}
	e := m.entry("", textOf(mailed, into == nil || flood))
	e.Quoted = mailed.Quoted
	owner := ""
	if m.Verified && mailed.From != "" {
		if owner, err = account.ProvedOwnerTx(ctx, tx, mailed.From); err != nil {
			return err
		}
	}
	now := r.clock.Now()
	if into == nil {
		fresh := Request{ID: id.New(), Name: nameOr(mailed.Name, nameOr(strings.Split(mailed.From+"@", "@")[0], unknownSender)), Email: mailed.From, Topic: "other"}
		if owner != "" {
			fresh.FranchiserID, fresh.Topic = &owner, "support"
		}
		e.ContactID = fresh.ID
		if err := r.targets.openTx(ctx, tx, fresh, e, now); err != nil {
			return err
		}
		return r.filesTx(ctx, tx, e.ID, mailed.Files)
	}
	e.ContactID = into.ID
	if mailed.From != into.Email {
		e.Sender = mailed.From
		if e.Sender == "" {
			e.Sender = "unknown"
		}
	} else if into.FranchiserID == nil && owner != "" {
		into.FranchiserID = &owner
	}
	if mailed.Automatic || mailed.Perhaps {
		e.Kind = EntryAuto
	} else if busy, err := busyTx(ctx, tx, into.ID, ChannelEmail, now); err != nil {
		return err
	} else if busy || flood {
		e.Kind = EntryHeld
	}
	if err := r.targets.hearTx(ctx, tx, into, e, now); err != nil {
		return err
	}
	return r.filesTx(ctx, tx, e.ID, mailed.Files)
}

// textOf returns the text of the e-mail, with the number of dropped files; the first of a request, and one without text, with its subject.
func textOf(m inboundEmail, first bool) string {
	text := m.Text
	if m.Subject != "" && (first || text == "") {
		text = m.Subject + "\n\n" + text
	}
	if m.Left > 0 {
		text += fmt.Sprintf("\n\n[%d files not kept: only PDF, PNG, JPEG, WebP and plain text up to 5 MB, at most five]", m.Left)
	}
	if text = strings.TrimSpace(text); text == "" {
		return "[No text]"
	}
	return text
}

func (r *Receiver) filesTx(ctx context.Context, tx *sqlx.Tx, entryID string, files []FileBody) error {
	for _, f := range files {
		f.ID, f.EntryID = id.New(), &entryID
		if err := insertFileTx(ctx, tx, f, uploader{}, r.clock.Now()); err != nil {
			return err
		}
	}
	return nil
}

// returnedTx opens the request again whose reply a mail server returned. Only who got the reply's headers knows its id.
func (r *Receiver) returnedTx(ctx context.Context, tx *sqlx.Tx, messageID string) error {
	entryID, _, _ := strings.Cut(messageID, "@")
	to, e, err := unsentReplyTx(ctx, tx, entryID, ChannelEmail)
	if err != nil || to == nil {
		return err
	}
	return r.targets.openAgainTx(ctx, tx, to, entryID, e, codeReturned, r.clock.Now())
}

// ours reports whether the product gave the message its id.
func (r *Receiver) ours(messageID string) bool {
	local, host, _ := strings.Cut(messageID, "@")
	return r.host != "" && strings.EqualFold(host, r.host) && id.Valid(local)
}

// threadTx returns the request to which the e-mail answers, locked, or nil. Only the signed token in the address for answers, the id of a
// message of ours, or that of the authenticated sender's own e-mail decides: a subject or a name proves nothing.
func (r *Receiver) threadTx(ctx context.Context, tx *sqlx.Tx, arrived inbound, m inboundEmail) (*Request, error) {
	for _, to := range m.To {
		local, _, _ := strings.Cut(to, "@")
		_, tag, tagged := strings.Cut(local, "+")
		if contactID, ok := r.keys.LinkedRow(purposeReply, tag); tagged && ok {
			if found, err := lockedTx(ctx, tx, `c.id = $1`, contactID); err != nil || found != nil {
				return found, err
			}
		}
	}
	for _, one := range m.References {
		where, args := `c.id = (SELECT e.contact_id FROM contact_entries e WHERE e.id = $1 AND e.kind = 'reply')`, []any{one}
		switch {
		case r.ours(one):
			args[0], _, _ = strings.Cut(one, "@")
		case arrived.Verified && m.From != "":
			where, args = ownMailSQL, []any{one + ":", m.From}
		default:
			continue
		}
		if found, err := lockedTx(ctx, tx, where, args...); err != nil || found != nil {
			return found, err
		}
	}
	return nil, nil //nolint:nilnil // it answers nothing
}

// withoutTag removes the plus and the tag behind it from the address.
func withoutTag(address string) string {
	local, host, _ := strings.Cut(address, "@")
	local, _, _ = strings.Cut(local, "+")
	return local + "@" + host
}

// ownMailSQL finds the request with the e-mail whose external id begins with $1, if it is of the sender $2.
const ownMailSQL = `c.id = (SELECT e.contact_id FROM contact_requests o JOIN contact_entries e ON e.contact_id = o.id
    WHERE o.email = $2 AND e.channel = 'email' AND e.sender = '' AND starts_with(e.external_id, $1) ORDER BY e.created_at DESC LIMIT 1)`

func busyTx(ctx context.Context, tx *sqlx.Tx, contactID string, by Channel, now time.Time) (busy bool, err error) {
	const busySQL = `SELECT count(*) >= $3 FROM contact_entries WHERE contact_id = $1 AND channel = $4 AND kind = 'answer' AND created_at > $2`
	if err := tx.GetContext(ctx, &busy, busySQL, contactID, now.Add(-time.Hour), maxPerHour, by); err != nil {
		return false, fmt.Errorf("count messages of a contact request: %w", err)
	}
	return busy, nil
}

// floodedTx returns the sender's newest request, locked, if they opened as many within the hour as count; else nil. Two e-mails of one sender
// wait for each other.
func floodedTx(ctx context.Context, tx *sqlx.Tx, from string, now time.Time) (*Request, error) {
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('contact sender ' || $1, 0))`, from); err != nil {
		return nil, fmt.Errorf("lock a sender: %w", err)
	}
	var newest []string
	const newestSQL = `SELECT c.id FROM contact_requests c WHERE c.email = $1 AND c.channel = 'email' AND c.created_at > $2
		AND ($1 <> '' OR c.name = '` + unknownSender + `') ORDER BY c.created_at DESC, c.id DESC LIMIT $3`
	err := tx.SelectContext(ctx, &newest, newestSQL, from, now.Add(-time.Hour), maxNewPerHour)
	if err != nil || len(newest) < maxNewPerHour {
		return nil, postgres.Error(err)
	}
	found, err := oneContact(ctx, tx, `SELECT `+ownColumns+`, '' AS owner FROM contact_requests c WHERE c.id = $1 FOR UPDATE OF c`, newest[0])
	return &found, err
}

// unknownSender is the name of whoever wrote an e-mail that names no sender.
const unknownSender = "Unknown sender"

// openByMobileSQL finds the conversation that the person with the mobile $1, the customer $2 if it is an account's, last wrote in.
const openByMobileSQL = `c.id = (SELECT o.id FROM contact_requests o
    WHERE o.state <> 'closed' AND (o.franchiser_ref = $2::uuid OR $2::uuid IS NULL AND o.franchiser_ref IS NULL AND o.mobile = $1 AND o.whatsapp_at IS NOT NULL)
    ORDER BY o.wrote_at DESC, o.id DESC LIMIT 1)`

func (r *Receiver) whatsAppTx(ctx context.Context, tx *sqlx.Tx, m inbound) error {
	var said message.WhatsAppReply
	if err := json.Unmarshal(m.Raw, &said); err != nil {
		return fmt.Errorf("read a message by WhatsApp: %w", err)
	}
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('contact mobile ' || $1, 0))`, said.Mobile); err != nil {
		return fmt.Errorf("lock a mobile: %w", err)
	}
	var owner *string
	found, err := profile.Contacts{}.FranchiserOf(ctx, tx, said.Mobile)
	if err != nil {
		return err
	}
	if found != "" {
		owner = &found
	}
	text := cleanMessage(said.Text)
	if said.Media != "" {
		text = strings.TrimSpace("[" + said.Media + "] " + text)
	}
	if text == "" {
		text = "[No text]"
	}
	e, now := m.entry("", text), r.clock.Now()
	if !said.At.IsZero() && said.At.Before(e.CreatedAt) {
		e.CreatedAt = said.At
	}
	into, err := lockedTx(ctx, tx, openByMobileSQL, said.Mobile, owner)
	if err != nil {
		return err
	}
	if into == nil {
		into = &Request{ID: id.New(), FranchiserID: owner, Name: nameOr(said.Name, "WhatsApp "+said.Mobile[6:]), Mobile: said.Mobile, Topic: "other"}
		if owner != nil {
			into.Topic = "support"
		}
		e.ContactID = into.ID
		if err := r.targets.openTx(ctx, tx, *into, e, now); err != nil {
			return err
		}
	} else {
		e.ContactID, into.Mobile = into.ID, said.Mobile
		if busy, err := busyTx(ctx, tx, into.ID, ChannelWhatsApp, now); err != nil {
			return err
		} else if busy {
			e.Kind = EntryHeld
		}
		if err := r.targets.hearTx(ctx, tx, into, e, now); err != nil {
			return err
		}
	}
	if said.Media == "" {
		return nil
	}
	return r.declineTx(ctx, tx, e, owner)
}

// declineTx tells the person, at most once a day in each request, that files by WhatsApp do not reach us.
func (r *Receiver) declineTx(ctx context.Context, tx *sqlx.Tx, of Entry, owner *string) error {
	language := i18n.English
	if owner != nil {
		var err error
		if language, err = account.LanguageTx(ctx, tx, *owner); err != nil {
			return err
		}
	}
	now := r.clock.Now()
	until := of.CreatedAt.Add(whatsAppWindow)
	if !r.by.WhatsApp || !now.Before(until) {
		return nil
	}
	e := Entry{
		ID: id.New(), ContactID: of.ContactID, Kind: EntryReply, Channel: ChannelWhatsApp, CreatedAt: now, ExpiresAt: &until,
		Text: language.Say("We can not open pictures, recordings or files by WhatsApp. Please write to us, or add the file under Help, My requests, in your account."),
		Key:  "declined " + now.In(clock.IST).Format(time.DateOnly),
	}
	fresh, err := insertEntryTx(ctx, tx, e)
	if err != nil || !fresh {
		return err
	}
	_, err = r.jobs.InsertTx(ctx, tx, SendReplyArgs{EntryID: e.ID}, queue.Options{MaxAttempts: replyAttempts})
	return err
}
