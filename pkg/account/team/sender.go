package team

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// SendArgs are the arguments of the job that sends one invitation to an account; its link is never an argument.
type SendArgs struct {
	InvitationID string `json:"invitation_id"`
}

// Kind returns the job's kind.
func (SendArgs) Kind() string { return "send_team_invitation" }

// RowID implements message.RowArgs.
func (a SendArgs) RowID() string { return a.InvitationID }

// NewSender returns the sender of the invitations to accounts, unless they were sent, replaced or are no longer needed.
func NewSender(db *sqlx.DB, outbox *message.Outbox, clk clock.Clock, keys secret.Keyring) *message.RowSender {
	return message.NewRowSender(db, outbox, clk, message.Rows{
		What: "an invitation to an account", Sent: invitationSentSQL, Failed: invitationFailedSQL,
		Waiting: func(ctx context.Context, tx *sqlx.Tx, invitationID string) (*message.Message, error) {
			row, ok, err := waitingInvitationTx(ctx, tx, invitationID)
			if err != nil || !ok {
				return nil, err
			}
			link, err := keys.LinkTo(purposeTeamInvite, row.ID)
			in := outbox.LanguageOf(message.TemplateTeamInvitation, row.Language)
			return &message.Message{
				ID: row.ID, Mobile: row.Mobile, ExpiresAt: row.ExpiresAt, Template: message.TemplateTeamInvitation,
				Values: []string{message.LastFour(row.OwnerMobile), roleIn(in, row.Role), link}, Language: in,
			}, err
		},
	})
}

// roleIn is the role's name within a sentence.
func roleIn(l i18n.Language, r account.Role) string {
	if r == account.RoleAccountant {
		return l.Say("accountant")
	}
	return l.Say("manager")
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
