package contact

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// SendReplyArgs are the arguments of the job that sends one reply; its text is never an argument.
type SendReplyArgs struct {
	EntryID string `json:"entry_id"`
}

// Kind returns the job's kind.
func (SendReplyArgs) Kind() string { return "send_contact_reply" }

// RowID implements message.RowArgs.
func (a SendReplyArgs) RowID() string { return a.EntryID }

// ReplySender sends the replies of staff; it runs in the worker, the only process that has the mail server.
type ReplySender struct {
	db      *sqlx.DB
	jobs    *queue.Inserter
	outbox  *message.Outbox
	clock   clock.Clock
	keys    secret.Keyring
	targets Targets
	by      Channels
	// inbound says that answers by e-mail reach the product.
	inbound bool
}

// ReplySenderOptions are the parts of a ReplySender. NewReplySender panics if a part is nil.
type ReplySenderOptions struct {
	DB      *sqlx.DB
	Jobs    *queue.Inserter
	Outbox  *message.Outbox
	Clock   clock.Clock
	Keys    secret.Keyring
	Targets config.Contact
	By      Channels
	// Inbound says that answers by e-mail reach the product, and so that the address for them is tagged.
	Inbound bool
}

// NewReplySender returns a sender.
func NewReplySender(o ReplySenderOptions) *ReplySender {
	return wiring.Complete(&ReplySender{
		db: o.DB, jobs: o.Jobs, outbox: o.Outbox, clock: o.Clock, keys: o.Keys, targets: Targets{o.Targets}, by: o.By, inbound: o.Inbound,
	})
}

// waitingReply is a reply that was not sent, with whom it is for.
type waitingReply struct {
	ID        string    `db:"id"`
	Text      string    `db:"text"`
	ExpiresAt time.Time `db:"expires_at"`
	Channel   Channel   `db:"channel"`
	Email     string    `db:"email"`
	Mobile    string    `db:"mobile"`
	Reference string    `db:"reference"`
	Customer  *string   `db:"franchiser_ref"`
	WrittenAt time.Time `db:"written_at"`
}

// replyEmailSQL is the address for replies to the request c: its own, or the one that its customer proved.
const replyEmailSQL = `coalesce(nullif(c.email, ''), proved_email(c.franchiser_ref), '')`

const waitingReplySQL = `
SELECT e.id, e.text, e.expires_at, e.channel, ` + replyEmailSQL + ` AS email, c.mobile, c.franchiser_ref, c.id AS reference, c.created_at AS written_at
FROM contact_entries e JOIN contact_requests c ON c.id = e.contact_id
WHERE e.id = $1 AND e.kind = 'reply' AND e.sent_at IS NULL AND e.failed_at IS NULL
  AND (e.channel = 'email' AND ` + replyEmailSQL + ` <> '' OR e.channel = 'whatsapp' AND c.mobile <> '')`

func waitingReplyOf(ctx context.Context, q sqlx.QueryerContext, entryID string) (r waitingReply, ok bool, err error) {
	err = sqlx.GetContext(ctx, q, &r, waitingReplySQL, entryID)
	if errors.Is(err, sql.ErrNoRows) {
		return r, false, nil
	}
	if err != nil {
		return r, false, postgres.Error(fmt.Errorf("read reply to a contact request: %w", err))
	}
	return r, true, nil
}

// Waiting returns the reply, nil if it was sent or given up.
func (s *ReplySender) Waiting(ctx context.Context, entryID string) (*message.Message, error) {
	r, ok, err := waitingReplyOf(ctx, s.db, entryID)
	if err != nil || !ok {
		return nil, err
	}
	files, err := s.files(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	if r.Channel == ChannelWhatsApp {
		if len(files) > 0 {
			language, err := s.language(ctx, r)
			if err != nil {
				return nil, err
			}
			r.Text += "\n\n" + language.Say("This answer has files. Read them in your account under Help, My requests.")
		}
		return &message.Message{ID: r.ID, Mobile: r.Mobile, ExpiresAt: r.ExpiresAt, Template: message.TemplateContactWhatsApp, Body: r.Text}, nil
	}
	language, err := s.language(ctx, r)
	if err != nil {
		return nil, err
	}
	m := &message.Message{
		ID: r.ID, Email: r.Email, ExpiresAt: r.ExpiresAt, Template: message.TemplateContactReply, Body: r.Text, Language: language,
		Values: []string{language.Day(r.WrittenAt), r.Reference}, Attachments: files,
	}
	if r.Customer != nil {
		m.Link = "{url}/requests/" + r.Reference
	}
	if m.References, err = s.references(ctx, r.Reference); err != nil || !s.inbound {
		return m, err
	}
	m.ReplyTag, err = s.keys.LinkTo(purposeReply, r.Reference)
	return m, err
}

// language returns the customer's language, English for anybody else.
func (s *ReplySender) language(ctx context.Context, r waitingReply) (language i18n.Language, err error) {
	if r.Customer == nil {
		return i18n.English, nil
	}
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		language, err = account.LanguageTx(ctx, tx, *r.Customer)
		return err
	})
	return language, err
}

// files returns the files of a reply with their content.
func (s *ReplySender) files(ctx context.Context, entryID string) ([]message.Attachment, error) {
	var found []FileBody
	err := s.db.SelectContext(ctx, &found, `SELECT id, entry_id, name, content_type, size, body FROM contact_files WHERE entry_id = $1 ORDER BY created_at, id`, entryID)
	if err != nil {
		return nil, postgres.Error(fmt.Errorf("read files of a reply: %w", err))
	}
	files := make([]message.Attachment, 0, len(found))
	for _, f := range found {
		files = append(files, message.Attachment{Name: f.Name, ContentType: f.ContentType, Body: f.Body})
	}
	return files, nil
}

var safeID = regexp.MustCompile(`^[!-;=?-~]{1,200}@[!-;=?-~]{1,200}$`)

// references returns the ids of the person's last e-mails, the oldest first.
func (s *ReplySender) references(ctx context.Context, contactID string) ([]string, error) {
	var external []string
	err := s.db.SelectContext(ctx, &external, `SELECT external_id FROM contact_entries WHERE contact_id = $1 AND channel = 'email' AND kind = 'answer' AND sender = ''
		AND external_id IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 5`, contactID)
	if err != nil {
		return nil, postgres.Error(fmt.Errorf("read what a reply answers: %w", err))
	}
	var ids []string
	for _, one := range slices.Backward(external) {
		if messageID := messageIDOf(one); safeID.MatchString(messageID) {
			ids = append(ids, messageID)
		}
	}
	return ids, nil
}

func (s *ReplySender) mark(ctx context.Context, statement string, args ...any) error {
	if _, err := s.db.ExecContext(ctx, statement, args...); err != nil {
		return postgres.Error(fmt.Errorf("note what became of a reply to a contact request: %w", err))
	}
	return nil
}

// JobPreviews returns the previews of this tool's jobs; they reveal neither a reply's text nor an address of the newsletter.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, previewLetter)
	queue.AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, _ ReceiveArgs, _ time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would put the arrived message into its contact request, unless it is there.", Again: "A message that is stored is never stored again.",
		}, nil
	})
	queue.AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, args SendReplyArgs, now time.Time) (queue.JobPreview, error) {
		p := queue.JobPreview{Nothing: true, Again: "A message that was sent is never sent again."}
		r, ok, err := waitingReplyOf(ctx, tx, args.EntryID)
		switch {
		case err != nil:
		case !ok:
			p.Summary = "Would look at the reply: it was sent or given up, or its request is gone → nothing."
		case !now.Before(r.ExpiresAt):
			p.Summary = "Would look at the reply: it is too late for it → nothing is sent."
		default:
			p.Nothing, p.Summary = false, "Would ask the mail server to send the reply to a contact request to "+r.Email+"."
			if r.Channel == ChannelWhatsApp {
				p.Summary = "Would ask WhatsApp to send the reply to a contact request to +91 " + r.Mobile + "."
			}
		}
		return p, err
	})
	return l
}
