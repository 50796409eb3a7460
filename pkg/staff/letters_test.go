package staff_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// bounced is a mail server that refuses every letter.
type bounced struct{}

func (bounced) Send(context.Context, message.Message) error {
	return errs.New(errs.KindInvalid, "email_rejected", "The mail server refuses the address.")
}

// preview returns a job's preview as the admin reads it.
func (o *office) preview(t *testing.T, kind, args string) queue.JobPreview {
	t.Helper()
	return o.previewFor(t, o.ravi, kind, args)
}

func (o *office) previewFor(t *testing.T, who staff.Principal, kind, args string) (p queue.JobPreview) {
	t.Helper()
	ctx := who.Sign(t.Context())
	require.NoError(t, postgres.InTx(ctx, o.db.API, func(tx *sqlx.Tx) (err error) {
		p, err = staff.JobPreviews()[kind](ctx, tx, []byte(args), o.clock.Now())
		return err
	}))
	return p
}

func (o *office) job(t *testing.T, kind string) (args string) {
	t.Helper()
	require.NoError(t, o.db.Owner.Get(&args, `SELECT args FROM river_job WHERE kind = $1 ORDER BY id DESC LIMIT 1`, kind))
	return args
}

func (o *office) outbox(t *testing.T, by message.SMS) *message.Outbox {
	t.Helper()
	return message.NewOutbox(message.OutboxOptions{
		SMS: by, Site: message.Site{Host: "site.test", URL: "https://site.test"}, Clock: o.clock, Email: by,
		Logger: testkit.NewLogger(t),
	})
}

// Given the job of an invitation, then its preview names its effect until the invitation ends in any way.
func TestInvitationJobPreview_NamesItsEffectUntilItEnds(t *testing.T) {
	t.Parallel()
	o := newOffice(t, true)
	ctx, kind := o.ravi.Sign(t.Context()), staff.SendInvitationArgs{}.Kind()
	invite := func() (args string) {
		t.Helper()
		in := staff.InvitationInput{Email: "priya@example.in", Name: "Priya Rao", Role: staff.RoleFinance}
		_, err := o.accounts.Invite(ctx, o.ravi, in, o.proofOf(o.ravi), "She joins")
		require.NoError(t, err)
		return o.job(t, kind)
	}
	args := invite()
	first := o.directory(t, o.ravi).Invitations[0].ID
	p := o.preview(t, kind, args)
	require.Equal(t, queue.JobPreview{
		Summary: "Would ask the mail server to send the invitation as finance to priya@example.in.", Again: "A message that was sent is never sent again.",
	}, p)

	for role, reads := range map[staff.Role]bool{staff.RoleSupport: false, staff.RoleFinance: false, staff.RoleAuditor: true} {
		seen := o.previewFor(t, o.hired(t, string(role)+"@example.in", role), kind, args)
		require.False(t, seen.Nothing, role)
		require.Equal(t, reads, strings.Contains(seen.Summary, "priya@example.in"), role)
		require.NotContains(t, seen.Summary, "withdrawn", "%s is not told that it is over, as it is not", role)
	}

	replaced := args
	args = invite()
	second := o.directory(t, o.ravi).Invitations[0].ID
	require.NotEqual(t, first, second)
	p = o.preview(t, kind, replaced)
	require.True(t, p.Nothing)
	require.Contains(t, p.Summary, "it was sent, accepted, withdrawn or replaced meanwhile")
	require.False(t, o.preview(t, kind, args).Nothing)

	o.clock.Advance(staff.InvitationLife - time.Microsecond)
	require.False(t, o.preview(t, kind, args).Nothing)
	o.clock.Advance(time.Microsecond)
	p = o.preview(t, kind, args)
	require.True(t, p.Nothing)
	require.Contains(t, p.Summary, "it has expired")
	o.clock.Advance(-staff.InvitationLife)
	require.NoError(t, o.accounts.Withdraw(ctx, o.ravi, second, "She has another job"))
	require.Contains(t, o.preview(t, kind, args).Summary, "withdrawn")
	require.Equal(t, "invitation_over", codeOf(t, o.accounts.Withdraw(ctx, o.ravi, second, "Again")))
	require.Equal(t, "not_found", codeOf(t, o.accounts.Withdraw(ctx, o.ravi, "nonsense", "Again")))
	require.Equal(t, "invitation_over", codeOf(t, o.accounts.Withdraw(ctx, o.ravi, id.New(), "Again")))
}

// Given a mail server that refuses an invitation, then admins read the reason until it is sent, and the trail does not contain it.
func TestInvitation_RefusedByTheMailServer_ShowsTheReasonUntilSent(t *testing.T) {
	t.Parallel()
	o := newOffice(t, true)
	ctx := o.ravi.Sign(t.Context())
	_, err := o.accounts.Invite(ctx, o.ravi, staff.InvitationInput{Email: "priya@example.in", Name: "Priya Rao", Role: staff.RoleSupport}, o.proofOf(o.ravi), "She joins")
	require.NoError(t, err)
	invitation := func() staff.Invitation { return o.directory(t, o.ravi).Invitations[0] }
	send := func(by message.SMS) error {
		return staff.NewInvitationSender(o.db.Worker, o.outbox(t, by), o.clock, testkit.NewKeyring(t), "https://site.test").Send(t.Context(), invitation().ID)
	}
	require.Equal(t, "email_rejected", codeOf(t, send(bounced{})))
	require.Nil(t, invitation().SentAt)
	require.Equal(t, "email_rejected", invitation().SendError)
	box := &letters{}
	require.NoError(t, send(box))
	require.NotNil(t, invitation().SentAt)
	require.Empty(t, invitation().SendError)
	require.NoError(t, send(bounced{}), "what was sent is sent no more")
	require.Empty(t, invitation().SendError)

	o.enrol(t, box.sent[0].Link[len(prefix):])
	require.Empty(t, o.directory(t, o.ravi).Invitations)
}

// Given an invitation that expired before it was sent, then it is not sent.
func TestInvitation_ExpiredBeforeSending_IsNotSent(t *testing.T) {
	t.Parallel()
	o := newOffice(t, true)
	in := staff.InvitationInput{Email: "priya@example.in", Name: "Priya Rao", Role: staff.RoleSupport}
	_, err := o.accounts.Invite(o.ravi.Sign(t.Context()), o.ravi, in, o.proofOf(o.ravi), "She joins")
	require.NoError(t, err)
	invitationID := o.directory(t, o.ravi).Invitations[0].ID
	o.clock.Advance(staff.InvitationLife)
	box := &letters{}
	sender := staff.NewInvitationSender(o.db.Worker, o.outbox(t, box), o.clock, testkit.NewKeyring(t), "https://site.test")
	require.Equal(t, "too_late", codeOf(t, sender.Send(t.Context(), invitationID)))
	require.Empty(t, box.sent)
}

// The preview of a notice about a new admin does not mention passkeys.
func TestAdminNoticeJobPreview_NamesTheNewAdmin(t *testing.T) {
	t.Parallel()
	o := newOffice(t, true)
	kind := staff.SendNoticeArgs{}.Kind()
	require.NoError(t, o.accounts.SetRole(o.ravi.Sign(t.Context()), o.ravi, o.hired(t, "mala@example.in", staff.RoleSupport).StaffID, staff.RoleAdmin, o.proofOf(o.ravi), "Second admin"))
	args := o.job(t, kind)
	p := o.preview(t, kind, args)
	require.False(t, p.Nothing)
	require.Equal(t, "Would ask the mail server to tell ravi@example.in of another admin: mala@example.in, mala@example.in.", p.Summary)

	var noticeID string
	require.NoError(t, o.db.Owner.Get(&noticeID, `SELECT id FROM staff_notices`))
	var seen int
	require.NoError(t, o.db.API.Get(&seen, `SELECT count(*) FROM staff_notices`))
	require.Zero(t, seen, "nobody reads them without a proof of being staff")
	sendError := func() (code string) {
		require.NoError(t, o.db.Owner.Get(&code, `SELECT send_error FROM staff_notices`))
		return code
	}
	require.Equal(t, "email_rejected", codeOf(t, staff.NewNoticeSender(o.db.Worker, o.outbox(t, bounced{}), o.clock).Send(t.Context(), noticeID)))
	require.Equal(t, "email_rejected", sendError())
	require.False(t, o.preview(t, kind, args).Nothing, "it may be sent yet")
	o.clock.Advance(7*24*time.Hour - time.Microsecond)
	require.NoError(t, staff.NewNoticeSender(o.db.Worker, o.outbox(t, &letters{}), o.clock).Send(t.Context(), noticeID))
	require.Empty(t, sendError())
	require.True(t, o.preview(t, kind, args).Nothing)
}

func TestAuditCheckJobPreview_OnlyReads(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	p := o.preview(t, staff.VerifyArgs{}.Kind(), `{}`)
	require.True(t, p.Nothing)
	require.Equal(t, "It only reads.", p.Again)
	last, err := o.service.LastCheck(t.Context())
	require.NoError(t, err)
	require.Nil(t, last, "before the first check")
	check, err := o.auditor.Check(t.Context())
	require.NoError(t, err)
	for _, read := range []func(context.Context) (*staff.Check, error){o.service.LastCheck, o.auditor.LastCheck} {
		last, err = read(t.Context())
		require.NoError(t, err)
		require.Equal(t, check.Entries, last.Entries)
		require.Empty(t, last.Problem)
		require.WithinDuration(t, o.clock.Now(), last.At, 0)
	}
}
