package staff

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// SendInvitationArgs sends one invitation to staff; its link is never an argument.
type SendInvitationArgs struct {
	InvitationID string `json:"invitation_id"`
}

// Kind returns the job's kind.
func (SendInvitationArgs) Kind() string { return "send_staff_invitation" }

// RowID implements message.RowArgs.
func (a SendInvitationArgs) RowID() string { return a.InvitationID }

// NewInvitationSender returns the sender of the invitations to staff, unless they were sent, accepted, withdrawn or replaced. Site is the
// site's URL without a trailing slash.
func NewInvitationSender(db *sqlx.DB, outbox *message.Outbox, clk clock.Clock, keys secret.Keyring, site string) *message.RowSender {
	return message.NewRowSender(db, outbox, clk, message.Rows{
		What:   "an invitation of staff",
		Sent:   `UPDATE staff_invitations SET sent_at = $2, send_error = '' WHERE id = $1`,
		Failed: `UPDATE staff_invitations SET send_error = $2 WHERE id = $1`,
		Waiting: func(ctx context.Context, tx *sqlx.Tx, invitationID string) (*message.Message, error) {
			i, ok, err := waitingInvitation(ctx, tx, invitationID)
			if err != nil || !ok {
				return nil, err
			}
			token, err := keys.LinkTo(purposeInvite, i.ID)
			if err != nil {
				return nil, err
			}
			template := message.TemplateStaffInvitation
			if i.Enrols {
				template = message.TemplateStaffEnrolment
			}
			return &message.Message{
				ID: i.ID, Email: i.Email, ExpiresAt: i.ExpiresAt, Template: template, Link: joinURL(site, token),
				Values: []string{i.InvitedBy, string(i.Role), i.ExpiresAt.In(clock.IST).Format("2 Jan 2006, 15:04")},
			}, nil
		},
	})
}

const waitingInvitationSQL = `
SELECT i.id, i.staff_id, i.email, i.name, i.role, i.enrols, m.name AS invited_by_name, i.created_at, i.expires_at, i.sent_at, i.send_error
FROM staff_invitations i JOIN staff m ON m.id = i.invited_by
WHERE i.id = $1 AND i.sent_at IS NULL AND i.used_at IS NULL AND i.withdrawn_at IS NULL`

func waitingInvitation(ctx context.Context, q sqlx.QueryerContext, invitationID string) (i Invitation, ok bool, err error) {
	err = sqlx.GetContext(ctx, q, &i, waitingInvitationSQL, invitationID)
	if errors.Is(err, sql.ErrNoRows) {
		return i, false, nil
	}
	if err != nil {
		return i, false, postgres.Error(fmt.Errorf("read invitation of staff: %w", err))
	}
	return i, true, nil
}

func previewInvitation(ctx context.Context, tx *sqlx.Tx, args SendInvitationArgs, now time.Time) (queue.JobPreview, error) {
	p := queue.JobPreview{Nothing: true, Again: "A message that was sent is never sent again."}
	i, ok, err := waitingInvitation(ctx, tx, args.InvitationID)
	switch {
	case err != nil:
	case !ok:
		var seen bool
		if err := tx.GetContext(ctx, &seen, `SELECT EXISTS (SELECT FROM staff_invitations WHERE id = $1)`, args.InvitationID); err != nil {
			return p, fmt.Errorf("look for an invitation of staff: %w", err)
		}
		p.Nothing, p.Summary = seen, "Would look at the invitation: it was sent, accepted, withdrawn or replaced meanwhile → nothing."
		if !seen {
			p.Summary = "Would send the invitation if it still waits, which admins and auditors can see."
		}
	case !now.Before(i.ExpiresAt):
		p.Summary = "Would look at the invitation: it has expired → nothing is sent."
	default:
		p.Nothing, p.Summary = false, "Would ask the mail server to send the invitation as "+string(i.Role)+" to "+i.Email+"."
	}
	return p, err
}
