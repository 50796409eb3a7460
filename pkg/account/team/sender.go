package team

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// SendArgs are the arguments of the job that sends one invitation to an account; its link is never an argument.
type SendArgs struct {
	InvitationID string `json:"invitation_id"`
}

// Kind returns the job's kind.
func (SendArgs) Kind() string { return "send_team_invitation" }

// RowID implements message.RowArgs.
func (a SendArgs) RowID() string { return a.InvitationID }

// Sender sends the invitations to accounts; it runs in the worker, the only process that has the SMS provider.
type Sender struct {
	db     *sqlx.DB
	outbox *message.Outbox
	clock  clock.Clock
	keys   secret.Keyring
}

// NewSender returns a sender whose pool sees every franchiser.
func NewSender(db *sqlx.DB, outbox *message.Outbox, clk clock.Clock, keys secret.Keyring) *Sender {
	return wiring.Complete(&Sender{db: db, outbox: outbox, clock: clk, keys: keys})
}

// Send sends the invitation unless it was sent, replaced or is no longer needed; it fails as message.Outbox.Send does.
func (t *Sender) Send(ctx context.Context, invitationID string) error {
	return t.outbox.Send(ctx, t, invitationID)
}

// Waiting implements message.Source.
func (t *Sender) Waiting(ctx context.Context, invitationID string) (m *message.Message, err error) {
	err = postgres.InTx(ctx, t.db, func(tx *sqlx.Tx) error {
		row, ok, err := waitingInvitationTx(ctx, tx, invitationID)
		if err != nil || !ok {
			return err
		}
		link, err := t.keys.LinkTo(purposeTeamInvite, row.ID)
		in := t.outbox.LanguageOf(message.TemplateTeamInvitation, row.Language)
		m = &message.Message{
			ID: row.ID, Mobile: row.Mobile, ExpiresAt: row.ExpiresAt, Template: message.TemplateTeamInvitation,
			Values: []string{message.LastFour(row.OwnerMobile), roleIn(in, row.Role), link}, Language: in,
		}
		return err
	})
	return m, err
}

// roleIn is the role's name within a sentence.
func roleIn(l i18n.Language, r account.Role) string {
	if r == account.RoleAccountant {
		return l.Say("accountant")
	}
	return l.Say("manager")
}

// MarkSent implements message.Source.
func (t *Sender) MarkSent(ctx context.Context, invitationID string) error {
	_, err := store.Changed(ctx, t.db, "note a sent invitation", invitationSentSQL, invitationID, t.clock.Now())
	return err
}

// MarkFailed implements message.Source.
func (t *Sender) MarkFailed(ctx context.Context, invitationID, code string) error {
	_, err := store.Changed(ctx, t.db, "note a failed invitation", invitationFailedSQL, invitationID, code)
	return err
}

// JobPreviews returns the previews of this package's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, previewTeamInvitation)
	return l
}

func previewTeamInvitation(ctx context.Context, tx *sqlx.Tx, args SendArgs, now time.Time) (queue.JobPreview, error) {
	p := queue.JobPreview{Nothing: true, Again: "A message that was sent is never sent again, and the provider knows it by its number."}
	row, ok, err := waitingInvitationTx(ctx, tx, args.InvitationID)
	switch {
	case err != nil:
	case !ok:
		p.Summary = "Would look at the invitation: it was sent, accepted, withdrawn or replaced meanwhile → nothing."
	case !now.Before(row.ExpiresAt):
		p.Summary = "Would look at the invitation: it has expired → nothing is sent."
	default:
		p.Nothing, p.Summary = false, "Would ask the SMS provider to send the invitation as "+string(row.Role)+" to "+row.Mobile+"."
	}
	return p, err
}
