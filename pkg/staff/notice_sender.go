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
)

// noticeLife is how long it is worth telling a member what happened to their sign-in.
const noticeLife = 7 * 24 * time.Hour

// SendNoticeArgs notifies a member of staff of a change to their own sign-in, or an admin of another admin.
type SendNoticeArgs struct {
	NoticeID string `json:"notice_id"`
}

// Kind returns the job's kind.
func (SendNoticeArgs) Kind() string { return "send_staff_notice" }

// RowID implements message.RowArgs.
func (a SendNoticeArgs) RowID() string { return a.NoticeID }

// NewNoticeSender returns the sender of notices to staff, unless they were sent.
func NewNoticeSender(db *sqlx.DB, outbox *message.Outbox, clk clock.Clock) *message.RowSender {
	return message.NewRowSender(db, outbox, clk, message.Rows{
		What:   "a notice to staff",
		Sent:   `UPDATE staff_notices SET sent_at = $2, send_error = '' WHERE id = $1`,
		Failed: `UPDATE staff_notices SET send_error = $2 WHERE id = $1`,
		Waiting: func(ctx context.Context, tx *sqlx.Tx, noticeID string) (*message.Message, error) {
			n, ok, err := waitingNotice(ctx, tx, waitingNoticeSQL, noticeID)
			if err != nil || !ok {
				return nil, err
			}
			values := []string{n.About, n.CreatedAt.In(clock.IST).Format("2 Jan 2006, 15:04"), n.Address}
			if n.Kind == "admin_made" {
				values = values[:2] // the trail has the address
			}
			return &message.Message{ID: n.ID, Email: n.Email, ExpiresAt: n.CreatedAt.Add(noticeLife), Template: noticeTemplate(n.Kind), Values: values}, nil
		},
	})
}

type notice struct {
	ID        string    `db:"id"`
	Email     string    `db:"email"`
	Kind      string    `db:"kind"`
	About     string    `db:"about"`
	Address   string    `db:"address"`
	CreatedAt time.Time `db:"created_at"`
}

// The address from where it was done is the worker's alone.
const (
	waitingNoticeSQL = `SELECT id, email, kind, about, address, created_at FROM staff_notices WHERE id = $1 AND sent_at IS NULL`
	shownNoticeSQL   = `SELECT id, email, kind, about, created_at FROM staff_notices WHERE id = $1 AND sent_at IS NULL`
)

func waitingNotice(ctx context.Context, q sqlx.QueryerContext, statement, noticeID string) (n notice, ok bool, err error) {
	err = sqlx.GetContext(ctx, q, &n, statement, noticeID)
	if errors.Is(err, sql.ErrNoRows) {
		return n, false, nil
	}
	if err != nil {
		return n, false, postgres.Error(fmt.Errorf("read notice to staff: %w", err))
	}
	return n, true, nil
}

func noticeTemplate(kind string) string {
	switch kind {
	case "passkey_added":
		return message.TemplateStaffPasskeyAdded
	case "passkey_removed":
		return message.TemplateStaffPasskeyRemoved
	case "admin_made":
		return message.TemplateStaffAdminMade
	default:
		return message.TemplateStaffPasskeyCopied
	}
}

func previewNotice(ctx context.Context, tx *sqlx.Tx, args SendNoticeArgs, now time.Time) (queue.JobPreview, error) {
	p := queue.JobPreview{Nothing: true, Again: "A message that was sent is never sent again."}
	n, ok, err := waitingNotice(ctx, tx, shownNoticeSQL, args.NoticeID)
	switch {
	case err != nil:
	case !ok:
		p.Summary = "Would look at the notice: it was sent, or is too old to be kept → nothing."
	case !now.Before(n.CreatedAt.Add(noticeLife)):
		p.Summary = "Would look at the notice: it is older than a week → nothing is sent."
	case n.Kind == "admin_made":
		p.Nothing, p.Summary = false, "Would ask the mail server to tell "+n.Email+" of another admin: "+n.About+"."
	default:
		p.Nothing, p.Summary = false, "Would ask the mail server to tell "+n.Email+" what happened to the passkey "+n.About+"."
	}
	return p, err
}
