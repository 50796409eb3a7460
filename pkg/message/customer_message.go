package message

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// customerMessageLife is the lifetime of messages to customers: a mail server may be down over a weekend.
const customerMessageLife = 3 * 24 * time.Hour

// CustomerMessageAttempts lets a message be tried for as long as it is worth sending, once an hour in the end.
const CustomerMessageAttempts = 80

// SendCustomerMessageArgs are the arguments of the job that sends one message to a customer; its text is never an argument.
type SendCustomerMessageArgs struct {
	MessageID string `json:"message_id"`
}

// Kind returns the job's kind.
func (SendCustomerMessageArgs) Kind() string { return "send_customer_message" }

// RowID implements RowArgs.
func (a SendCustomerMessageArgs) RowID() string { return a.MessageID }

// CustomerMessage is a message to a customer about an event, by SMS, e-mail or WhatsApp, depending on its template.
type CustomerMessage struct {
	ID           string `db:"id"`
	FranchiserID string `db:"franchiser_ref"`
	Template     string `db:"template"`
	// About is the id of the event's row; each row has at most one message per template.
	About     string    `db:"about"`
	CreatedAt time.Time `db:"created_at"`
	ExpiresAt time.Time `db:"expires_at"`
	// Delay is the earliest time to send it, from now.
	Delay time.Duration `db:"-"`
	// Language is that in which a Letter writes it, set when it is sent.
	Language i18n.Language `db:"-"`
}

// Rupees writes an amount as the message shows it: an SMS in English has no ₹, see Rupees.
func (m CustomerMessage) Rupees(amount money.Paise) string {
	if m.Language.Or() == i18n.English && !IsEmail(m.Template) {
		return Rupees(amount.Display())
	}
	return amount.Display()
}

// Enqueuer stores messages to customers with the jobs that send them.
type Enqueuer struct {
	jobs     *queue.Inserter
	email    bool
	whatsApp bool
}

// EnqueuerOptions are the parts and settings of an Enqueuer. NewEnqueuer panics if a part is nil.
type EnqueuerOptions struct {
	Jobs *queue.Inserter
	// Email means that the product sends e-mails; if false, no e-mail is stored.
	Email bool
	// WhatsApp means that messages that also go by WhatsApp are stored for it.
	WhatsApp bool
}

// NewEnqueuer returns an enqueuer.
func NewEnqueuer(o EnqueuerOptions) *Enqueuer {
	return wiring.Complete(&Enqueuer{jobs: o.Jobs, email: o.Email, whatsApp: o.WhatsApp})
}

// SendsEmail reports whether the product sends e-mails.
func (e *Enqueuer) SendsEmail() bool { return e.email }

// OnceTx stores the message under a new id, with the job that sends it, unless it was stored before; it does nothing for an e-mail if the
// product sends none. A message that also exists for WhatsApp is stored a second time if the customer opted in. A zero ExpiresAt means
// three days.
func (e *Enqueuer) OnceTx(ctx context.Context, tx *sqlx.Tx, m CustomerMessage) error {
	if IsEmail(m.Template) && !e.email {
		return nil
	}
	m.ID = id.New()
	if m.ExpiresAt.IsZero() {
		m.ExpiresAt = m.CreatedAt.Add(customerMessageLife)
	}
	fresh, err := insertCustomerMessageTx(ctx, tx, m)
	if err != nil || !fresh {
		return err
	}
	if err := e.enqueueTx(ctx, tx, m); err != nil {
		return err
	}
	return e.onWhatsAppTx(ctx, tx, m)
}

// onWhatsAppTx stores what says the same by WhatsApp, if the customer opted in.
func (e *Enqueuer) onWhatsAppTx(ctx context.Context, tx *sqlx.Tx, m CustomerMessage) error {
	var ok bool
	if m.Template, ok = OnWhatsApp(m.Template); !ok || !e.whatsApp {
		return nil
	}
	consent, err := consentTx(ctx, tx, m.FranchiserID)
	if err != nil || !consent.Given {
		return err
	}
	m.ID = id.New()
	fresh, err := insertCustomerMessageTx(ctx, tx, m)
	if err != nil || !fresh {
		return err
	}
	return e.enqueueTx(ctx, tx, m)
}

// LaterTx is OnceTx for a message that could not be sent because the customer had no proved address: it is sent now.
// Only the worker may do this.
func (e *Enqueuer) LaterTx(ctx context.Context, tx *sqlx.Tx, m CustomerMessage) error {
	waits, err := reviveCustomerMessageTx(ctx, tx, m, m.CreatedAt.Add(customerMessageLife))
	if err != nil {
		return err
	}
	if waits == "" {
		return e.OnceTx(ctx, tx, m)
	}
	m.ID = waits
	return e.enqueueTx(ctx, tx, m)
}

func (e *Enqueuer) enqueueTx(ctx context.Context, tx *sqlx.Tx, m CustomerMessage) error {
	_, err := e.jobs.InsertTx(ctx, tx, SendCustomerMessageArgs{MessageID: m.ID}, queue.Options{
		Subject: queue.Subject{FranchiserID: m.FranchiserID}, Delay: m.Delay, MaxAttempts: CustomerMessageAttempts,
	})
	return err
}

// Letter is supplied by the owner of a template of messages to customers.
type Letter struct {
	// Write returns the message without its id, text and language, or nil if it is no longer needed. It may be called twice. Words among
	// the values are in the message's language. Defaults are the customer's mobile or proved e-mail address, and the row's template and
	// expiry.
	Write func(ctx context.Context, tx *sqlx.Tx, m CustomerMessage) (*Message, error)
	// Attach, if any, returns the file that goes with it, and the link to it.
	Attach func(ctx context.Context, m CustomerMessage) (file *Attachment, link string, err error)
	// Wait, if any, returns how long to wait before it may be sent, 0 for not at all.
	Wait func(now time.Time) time.Duration
	// Reminder means that the customer may turn it off, by channel.
	Reminder bool
}

// Contacts tells where a customer is reached; implemented by account.
type Contacts interface {
	// ContactTx returns the customer's mobile and proved e-mail address; each can be empty.
	ContactTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (mobile, email string, err error)
	// LanguageTx returns the customer's language, English if they never chose.
	LanguageTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (i18n.Language, error)
	// RefusedTx marks the e-mail address as refusing messages.
	RefusedTx(ctx context.Context, tx *sqlx.Tx, franchiserID, email string, at time.Time) error
}

// CustomerOutbox sends messages to customers.
type CustomerOutbox struct {
	db       *sqlx.DB
	clock    clock.Clock
	outbox   *Outbox
	contacts Contacts
	letters  map[string]Letter
	keys     secret.Keyring
}

// CustomerOutboxOptions are the parts of a CustomerOutbox. NewCustomerOutbox panics if a part is missing.
type CustomerOutboxOptions struct {
	DB       *sqlx.DB
	Clock    clock.Clock
	Outbox   *Outbox
	Contacts Contacts
	// Letters are the contents, by template.
	Letters map[string]Letter
	// Keys sign the token with which a customer stops reminders by e-mail.
	Keys secret.Keyring
}

// NewCustomerOutbox returns an outbox.
func NewCustomerOutbox(o CustomerOutboxOptions) *CustomerOutbox {
	if o.Keys.Empty() {
		panic("message.CustomerOutbox has no keys")
	}
	return wiring.Complete(&CustomerOutbox{
		db: o.DB, clock: o.Clock, outbox: o.Outbox, contacts: o.Contacts, letters: o.Letters, keys: o.Keys,
	})
}

// Send sends the message unless it was sent or is no longer needed; it fails as Outbox.Send does.
func (c *CustomerOutbox) Send(ctx context.Context, messageID string) error {
	return c.outbox.Send(ctx, c, messageID)
}

// Waiting implements Source. It fails with KindRateLimited, and with how long to wait, at an hour at which it may not be
// sent.
func (c *CustomerOutbox) Waiting(ctx context.Context, messageID string) (*Message, error) {
	var m *CustomerMessage
	var out *Message
	err := postgres.InTx(ctx, c.db, func(tx *sqlx.Tx) error {
		var err error
		if m, err = unsentCustomerMessageTx(ctx, tx, messageID); err != nil || m == nil {
			return err
		}
		if err := c.mayGo(*m); err != nil {
			return err
		}
		var reason string
		if out, reason, err = c.writeTx(ctx, tx, *m); err == nil && out == nil {
			err = customerMessageFailedTx(ctx, tx, messageID, reason)
		}
		return err
	})
	if err != nil || out == nil {
		return nil, err
	}
	out.ID = m.ID
	if out.Template == "" {
		out.Template = m.Template
	}
	if out.ExpiresAt.IsZero() || m.ExpiresAt.Before(out.ExpiresAt) {
		out.ExpiresAt = m.ExpiresAt
	}
	if attach := c.letter(m.Template).Attach; attach != nil {
		var file *Attachment
		if file, out.Link, err = attach(ctx, *m); file != nil {
			out.Attachments = []Attachment{*file}
		}
	}
	return out, err
}

// letter returns the letter of a template; by WhatsApp it is that of the SMS that says the same.
func (c *CustomerOutbox) letter(name string) Letter {
	if t, ok := whatsAppTemplate(name); ok {
		name = t.Name
	}
	return c.letters[name]
}

// mayGo fails while the letter waits for another hour of the day.
func (c *CustomerOutbox) mayGo(m CustomerMessage) error {
	wait := c.letter(m.Template).Wait
	if wait == nil {
		return nil
	}
	pause := wait(c.clock.Now())
	if pause <= 0 {
		return nil
	}
	night := errs.New(errs.KindRateLimited, "night", "This can be sent from 9 am to 9 pm, Indian time.")
	night.RetryAfter = pause
	return night
}

// writeTx returns the message, or nil and the reason.
func (c *CustomerOutbox) writeTx(ctx context.Context, tx *sqlx.Tx, m CustomerMessage) (out *Message, reason string, err error) {
	letter := c.letter(m.Template)
	if letter.Write == nil {
		return nil, "", fmt.Errorf("nobody knows what a message of %q says", m.Template)
	}
	if IsWhatsApp(m.Template) {
		return c.writeWhatsAppTx(ctx, tx, m, letter)
	}
	email := IsEmail(m.Template)
	if letter.Reminder {
		wanted, err := preferencesTx(ctx, tx, m.FranchiserID)
		if err != nil {
			return nil, "", err
		}
		if !wanted.allows(email) {
			return nil, codeNotWanted, nil
		}
	}
	if out, err = c.inLanguageTx(ctx, tx, m, letter); err != nil || out == nil {
		return nil, codeNotNeeded, err
	}
	if letter.Reminder && email {
		out.Unsubscribe = stopToken(c.keys, m.FranchiserID)
	}
	if out.Email != "" {
		return out, "", nil
	}
	mobile, address, err := c.contacts.ContactTx(ctx, tx, m.FranchiserID)
	if email {
		out.Email = address
	} else {
		out.Mobile = mobile
	}
	if err != nil || out.Email == "" && out.Mobile == "" {
		return nil, codeNoAddress, err
	}
	return out, "", nil
}

// inLanguageTx writes the message in the customer's language, or in English if it is an SMS that is not registered in that language.
func (c *CustomerOutbox) inLanguageTx(ctx context.Context, tx *sqlx.Tx, m CustomerMessage, letter Letter) (*Message, error) {
	var err error
	if m.Language, err = c.contacts.LanguageTx(ctx, tx, m.FranchiserID); err != nil {
		return nil, err
	}
	for {
		out, err := letter.Write(ctx, tx, m)
		if err != nil || out == nil {
			return nil, err
		}
		if out.Template == "" {
			out.Template = m.Template
		}
		if out.Language = c.outbox.LanguageOf(out.Template, m.Language); out.Language == m.Language.Or() {
			return out, nil
		}
		m.Language = out.Language
	}
}

// writeWhatsAppTx is writeTx for a message by WhatsApp: it goes to the mobile number of a customer who opted in and has not
// taken that back, in the language that was chosen with it.
func (c *CustomerOutbox) writeWhatsAppTx(ctx context.Context, tx *sqlx.Tx, m CustomerMessage, letter Letter) (out *Message, reason string, err error) {
	consent, err := consentTx(ctx, tx, m.FranchiserID)
	if err != nil || !consent.Given {
		return nil, codeNotWanted, err
	}
	t, _ := whatsAppTemplate(m.Template)
	m.Template, m.Language = t.Name, consent.Language
	out, err = letter.Write(ctx, tx, m)
	if err != nil || out == nil {
		return nil, codeNotNeeded, err
	}
	if out.Template == "" {
		out.Template = t.Name
	}
	var goes bool
	if out.Template, goes = OnWhatsApp(out.Template); !goes {
		return nil, codeNotNeeded, nil
	}
	out.Language = consent.Language
	out.Mobile, _, err = c.contacts.ContactTx(ctx, tx, m.FranchiserID)
	if err != nil || out.Mobile == "" {
		return nil, codeNoAddress, err
	}
	return out, "", nil
}

// MarkSent implements Source.
func (c *CustomerOutbox) MarkSent(ctx context.Context, messageID string) error {
	return postgres.InTx(ctx, c.db, func(tx *sqlx.Tx) error { return customerMessageSentTx(ctx, tx, messageID, c.clock.Now()) })
}

// MarkFailed implements Source. An address that refuses messages for good is marked.
func (c *CustomerOutbox) MarkFailed(ctx context.Context, messageID, code string) error {
	return postgres.InTx(ctx, c.db, func(tx *sqlx.Tx) error {
		if code == codeEmailRefused {
			if err := c.refusedTx(ctx, tx, messageID); err != nil {
				return err
			}
		}
		return customerMessageFailedTx(ctx, tx, messageID, code)
	})
}

func (c *CustomerOutbox) refusedTx(ctx context.Context, tx *sqlx.Tx, messageID string) error {
	m, err := unsentCustomerMessageTx(ctx, tx, messageID)
	if err != nil || m == nil {
		return err
	}
	out, _, err := c.writeTx(ctx, tx, *m)
	if err != nil || out == nil {
		return err
	}
	return c.contacts.RefusedTx(ctx, tx, m.FranchiserID, out.Email, c.clock.Now())
}
