package message

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// consentVersion is the version of the texts that customers consent to; raise it with each change of a text.
const consentVersion = 1

// consentTexts are the texts of a customer's consent, by language. Meta requires them to name the business and to say that messages come by
// WhatsApp (https://developers.facebook.com/docs/whatsapp/overview/getting-opt-in).
func consentTexts() map[i18n.Language]string {
	texts := map[i18n.Language]string{}
	for _, l := range i18n.Languages() {
		texts[l] = l.Say("Franchise 360 may send me receipts and reminders of my plan by WhatsApp, to the mobile number of this account. " +
			"I can end this here at any time, or by replying STOP.")
	}
	return texts
}

// maxConsents is how often a customer may opt in within a day: every time is kept.
const maxConsents = 10

// How a consent came about or ended.
const (
	viaAccount = "account" // the box in the account
	viaReply   = "reply"   // a reply such as STOP
	viaNumber  = "number"  // the account has another mobile number, which consented to nothing
)

// WhatsAppConsent is whether a customer gets messages by WhatsApp, and the text of the consent.
type WhatsAppConsent struct {
	Given    bool
	Language i18n.Language
	Version  int
	Texts    map[i18n.Language]string
}

// consent is a row: given, or taken back.
type consent struct {
	ID           string        `db:"id"`
	FranchiserID string        `db:"franchiser_ref"`
	Given        bool          `db:"given"`
	Via          string        `db:"via"`
	Version      int           `db:"version"`
	Text         string        `db:"text"`
	Language     i18n.Language `db:"language"`
	ReplyRef     *string       `db:"reply_ref"`
	At           time.Time     `db:"at"`
}

// WhatsApp returns the customer's consent, nil if the product sends nothing by WhatsApp.
func (s *Settings) WhatsApp(ctx context.Context, franchiserID string) (*WhatsAppConsent, error) {
	if !s.whatsApp {
		return nil, nil //nolint:nilnil // nothing speaks of it
	}
	var last consent
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) (err error) {
		last, err = consentTx(ctx, tx, franchiserID)
		return err
	})
	return &WhatsAppConsent{Given: last.Given, Language: last.Language, Version: consentVersion, Texts: consentTexts()}, err
}

// SetWhatsApp keeps that the customer consents to the text of the version in the language, or takes that back. It fails with
// KindNotFound if the product sends nothing by WhatsApp, and with KindInvalid if the text has changed since it was read.
func (s *Settings) SetWhatsApp(ctx context.Context, franchiserID string, given bool, language i18n.Language, version int) error {
	if !s.whatsApp {
		return errs.NotFound()
	}
	var v errs.Validation
	v.Check(language.Known(), "language", "Messages are not available in this language.")
	v.Check(!given || version == consentVersion, "version", "The text has changed. Load the page again and read it.")
	if err := v.Err(); err != nil {
		return err
	}
	return postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if err := lockConsentsTx(ctx, tx, franchiserID); err != nil {
			return err
		}
		last, err := consentTx(ctx, tx, franchiserID)
		if err != nil || last.Given == given && (!given || last.Language == language) {
			return err
		}
		now := s.clock.Now()
		if given {
			earliest, err := consentBackTx(ctx, tx, franchiserID, maxConsents-1)
			if err != nil {
				return err
			}
			if err := errs.WaitSince(earliest, 24*time.Hour, now); err != nil {
				return err
			}
		}
		row := consent{
			ID: id.New(), FranchiserID: franchiserID, Given: given, Via: viaAccount, Version: version, Text: consentTexts()[language],
			Language: language, At: now,
		}
		if !given {
			row.Version, row.Text, row.Language = last.Version, last.Text, last.Language
		}
		return insertConsentTx(ctx, tx, row)
	})
}

// withdrawTx notes that a consent ended, with the text that it was given to. Without a consent it does nothing.
func withdrawTx(ctx context.Context, tx *sqlx.Tx, franchiserID, via string, replyRef *string, now time.Time) error {
	if err := lockConsentsTx(ctx, tx, franchiserID); err != nil {
		return err
	}
	last, err := consentTx(ctx, tx, franchiserID)
	if err != nil || !last.Given {
		return err
	}
	last.ID, last.FranchiserID, last.Given, last.Via, last.ReplyRef, last.At = id.New(), franchiserID, false, via, replyRef, now
	return insertConsentTx(ctx, tx, last)
}

// WhatsAppReply is a message to the product's WhatsApp number. Ref is Meta's id of it.
type WhatsAppReply struct {
	Mobile, Text, Ref string
	// Name is the sender's own, Media the kind of file that came instead of a text, or "".
	Name, Media string
	// At is when it was sent, zero if Meta did not say.
	At time.Time
}

// EndsOnly reports whether the reply says nothing but that messages are to end: of more words, somebody should read the rest.
func (r WhatsAppReply) EndsOnly() bool { return r.Stops() && len(strings.Fields(r.Text)) <= 2 }

// Stops reports whether the reply requests an end of messages: a word such as STOP, alone or followed by a few others.
func (r WhatsAppReply) Stops() bool {
	words := strings.FieldsFunc(strings.ToLower(r.Text), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsMark(c) && !unicode.IsDigit(c)
	})
	if len(words) == 0 || len(words) > 4 {
		return false
	}
	if slices.Contains([]string{"stop", "unsubscribe", "optout", "बंद", "रोकें", "रोको", "बन्द"}, words[0]) {
		return true
	}
	return len(words) > 1 && slices.Contains([]string{"opt out", "band karo", "band kare", "band karen"}, words[0]+" "+words[1])
}

// WhatsAppNotice is what Meta posts: reports on messages, and replies.
type WhatsAppNotice struct {
	Receipts []Receipt
	Replies  []WhatsAppReply
}

// WhatsAppReader authenticates and parses what Meta posts.
type WhatsAppReader interface {
	// Verifies reports whether the token is the one that was entered at Meta.
	Verifies(token string) bool
	// Read fails with KindForbidden if the notice is not authentic, and with KindMalformed if it cannot be parsed.
	Read(p Incoming) (WhatsAppNotice, error)
}

// Numbers finds customers by their mobile number; implemented by account.
type Numbers interface {
	// FranchiserOf returns the id of the franchiser with the mobile number, or "".
	FranchiserOf(ctx context.Context, q sqlx.QueryerContext, mobile string) (string, error)
}

// maxNotices bounds one notice: Meta sends up to 1,000 updates at once.
const maxNotices = 1000

// WhatsAppNotices takes what Meta posts; it runs in the API.
type WhatsAppNotices struct {
	receipts *Receipts
	reader   WhatsAppReader `wiring:"optional"`
	numbers  Numbers
	talks    Conversations `wiring:"optional"`
	clock    clock.Clock
}

// Conversations takes what customers write; implemented by contact.Inbox.
type Conversations interface {
	// TakeWhatsApp stores the message; a repeated one changes nothing.
	TakeWhatsApp(ctx context.Context, reply WhatsAppReply) error
	// Undelivered takes the id of a TemplateContactWhatsApp message that WhatsApp could not deliver; the same id may come again.
	Undelivered(ctx context.Context, messageID string) error
}

// WhatsAppNoticeOptions are the parts of WhatsAppNotices. NewWhatsAppNotices panics if a part is nil that is not optional.
type WhatsAppNoticeOptions struct {
	Receipts *Receipts
	Numbers  Numbers
	Clock    clock.Clock
	// Reader reads the webhooks; without it they are refused.
	Reader WhatsAppReader `wiring:"optional"`
	// Conversations takes what customers write; without it, it is dropped.
	Conversations Conversations `wiring:"optional"`
}

// NewWhatsAppNotices returns notices.
func NewWhatsAppNotices(o WhatsAppNoticeOptions) *WhatsAppNotices {
	return wiring.Complete(&WhatsAppNotices{receipts: o.Receipts, reader: o.Reader, numbers: o.Numbers, talks: o.Conversations, clock: o.Clock})
}

// Verify fails with KindNotFound if the product sends nothing by WhatsApp, and with KindForbidden for another token than ours.
func (w *WhatsAppNotices) Verify(token string) error {
	switch {
	case w.reader == nil:
		return errs.NotFound()
	case !w.reader.Verifies(token):
		return errs.Forbidden()
	default:
		return nil
	}
}

// Take keeps the furthest that each message came, ends the consent of who replied STOP, and passes on what else customers wrote; repeating a
// notice changes nothing.
func (w *WhatsAppNotices) Take(ctx context.Context, p Incoming) error {
	if w.reader == nil {
		return errs.NotFound()
	}
	notice, err := w.reader.Read(p)
	if err != nil {
		return err
	}
	if len(notice.Receipts)+len(notice.Replies) > maxNotices {
		return errs.Malformed("The notice tells of too many messages.")
	}
	for _, reply := range notice.Replies {
		if reply.Stops() {
			if err := w.stop(ctx, reply); err != nil {
				return err
			}
		}
		if w.talks == nil || reply.EndsOnly() {
			continue
		}
		if err := w.talks.TakeWhatsApp(ctx, reply); err != nil {
			return err
		}
	}
	if err := w.receipts.take(ctx, WhatsAppProvider, notice.Receipts); err != nil || w.talks == nil {
		return err
	}
	for _, receipt := range notice.Receipts {
		if receipt.state() != stateUndelivered {
			continue
		}
		messageID, err := undeliveredText(ctx, w.receipts.db, receipt)
		if err != nil {
			return err
		}
		if messageID == "" {
			continue
		}
		if err := w.talks.Undelivered(ctx, messageID); err != nil {
			return err
		}
	}
	return nil
}

func (w *WhatsAppNotices) stop(ctx context.Context, reply WhatsAppReply) error {
	franchiserID, err := w.numbers.FranchiserOf(ctx, w.receipts.db, reply.Mobile)
	if err != nil || franchiserID == "" {
		return err
	}
	return postgres.InTenantTx(ctx, w.receipts.db, franchiserID, func(tx *sqlx.Tx) error {
		seen, err := replySeenTx(ctx, tx, franchiserID, reply.Ref)
		if err != nil || seen {
			return err
		}
		return withdrawTx(ctx, tx, franchiserID, viaReply, &reply.Ref, w.clock.Now())
	})
}
