package outlet_test

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// phone stores the sent messages, newest last.
type phone struct{ messages []message.Message }

func (p *phone) Send(_ context.Context, m message.Message) error {
	p.messages = append(p.messages, m)
	return nil
}

func (p *phone) last(t *testing.T) message.Message {
	t.Helper()
	require.NotEmpty(t, p.messages)
	return p.messages[len(p.messages)-1]
}

// sends counts SMS by mobile, and refuses all once the ceiling is reached.
type sends struct {
	counted []string
	reached bool
}

func (s *sends) CountSMSTx(_ context.Context, _ *sqlx.Tx, _, mobile string) error {
	s.counted = append(s.counted, mobile)
	if s.reached {
		return errs.RateLimited(time.Hour)
	}
	return nil
}

type people struct {
	bundle
	sends    *sends
	partners *outlet.Partners
	sender   *message.RowSender
	phone    *phone
}

func meet(t *testing.T) people {
	t.Helper()
	b := setup(t)
	keys, p, sent := testkit.NewKeyring(t), &phone{}, &sends{}
	site := message.Site{Host: "franchise360.example", URL: "https://franchise360.example"}
	return people{
		bundle: b, phone: p, sends: sent, partners: outlet.NewPartners(b.db.API, testkit.NewInserter(t, b.db.API), b.clock, keys, sent),
		sender: outlet.NewPartnerSender(b.db.Worker, message.NewOutbox(message.OutboxOptions{
			SMS: p, Site: site, Clock: b.clock, Logger: testkit.NewLogger(t),
		}), b.clock, keys),
	}
}

// deliver sends all messages that wait, as the worker does, and returns how many.
func (b people) deliver(t *testing.T) int {
	t.Helper()
	var waiting []string
	require.NoError(t, b.db.Owner.Select(&waiting, `SELECT id FROM partner_messages WHERE sent_at IS NULL ORDER BY created_at, id`))
	before := len(b.phone.messages)
	for _, one := range waiting {
		require.NoError(t, b.sender.Send(t.Context(), one))
	}
	return len(b.phone.messages) - before
}

func (b people) invite(t *testing.T, ref tenant.Ref, mobile string, role outlet.Role) (outlet.Partner, string) {
	t.Helper()
	p, err := b.partners.Invite(t.Context(), ref, outlet.PartnerInput{Name: "Ravi Kumar", Mobile: mobile, Role: role})
	require.NoError(t, err)
	require.Equal(t, 1, b.deliver(t))
	m := b.phone.last(t)
	require.Equal(t, message.TemplatePartnerInvitation, m.Template)
	require.Equal(t, mobile, m.Mobile)
	link, err := url.Parse("https://" + strings.SplitN(m.Text, "https://", 2)[1])
	require.NoError(t, err)
	return p, strings.TrimPrefix(link.Path, "/i/")
}

func (b people) code(t *testing.T) string {
	t.Helper()
	require.Equal(t, 1, b.deliver(t))
	require.Equal(t, message.TemplateCode, b.phone.last(t).Template)
	return b.phone.last(t).Values[0]
}

// join invites a partner and lets them accept.
func (b people) join(t *testing.T, ref tenant.Ref, mobile string, role outlet.Role) (outlet.Partner, string) {
	t.Helper()
	p, invitation := b.invite(t, ref, mobile, role)
	require.NoError(t, b.partners.SendInviteCode(t.Context(), ref, invitation))
	token, err := b.partners.Accept(t.Context(), ref, invitation, b.code(t))
	require.NoError(t, err)
	return p, token
}

// Given a store whose owner reads Hindi, then its partners get the SMS that are registered in Hindi in Hindi, and the others in English.
func TestPartnerMessage_HindiStore_IsInHindiWhereRegistered(t *testing.T) {
	t.Parallel()
	b := meet(t)
	mine, theirs := b.store(t, "9876543210"), b.store(t, "9876543211")
	b.db.Owner.MustExec(`UPDATE franchisers SET language = 'hi' WHERE id = $1`, mine.FranchiserID)
	_, _ = b.invite(t, mine, "9123456788", outlet.RoleViewer)
	require.Contains(t, b.phone.last(t).Text, "invites you to run outlets", "no text is registered in Hindi")

	site := message.Site{Host: "franchise360.example", URL: "https://franchise360.example"}
	outbox := message.NewOutbox(message.OutboxOptions{
		SMS: b.phone, Site: site, Clock: b.clock, SMSIn: func(string, i18n.Language) bool { return true },
		Logger: testkit.NewLogger(t),
	})
	b.sender = outlet.NewPartnerSender(b.db.Worker, outbox, b.clock, testkit.NewKeyring(t))
	_, invitation := b.invite(t, mine, "9123456789", outlet.RoleManager)
	require.Contains(t, b.phone.last(t).Text, "पार्टनर")
	require.NoError(t, b.partners.SendInviteCode(t.Context(), mine, invitation))
	require.Len(t, b.code(t), 6)
	require.Contains(t, b.phone.last(t).Text, "कोड है")
	_, _ = b.invite(t, theirs, "9123456789", outlet.RoleManager)
	require.Contains(t, b.phone.last(t).Text, "invites you to run outlets")
}

func TestPartnerInvitations_BeforeFirstPayment_AreFiveADay(t *testing.T) {
	t.Parallel()
	b := meet(t)
	ref := b.store(t, "9876543210")
	for n := range 5 {
		_, _ = b.invite(t, ref, "970000000"+strconv.Itoa(n), outlet.RoleManager)
		require.Contains(t, b.phone.last(t).Text, "A franchiser with the mobile number ending in 3210 invites you")
	}
	_, err := b.partners.Invite(t.Context(), ref, outlet.PartnerInput{Name: "Ravi", Mobile: "9700000009", Role: outlet.RoleManager})
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err))
}

func TestPartnerSMS_EachKind_CountsTowardsTheDailyCeiling(t *testing.T) {
	t.Parallel()
	b := meet(t)
	ref := b.store(t, "9876543210")
	const mobile = "9700000001"
	p, token := b.join(t, ref, mobile, outlet.RoleManager)
	require.NotEmpty(t, token)
	require.Equal(t, []string{mobile, mobile}, b.sends.counted, "an invitation and a code")
	open, _ := b.invite(t, ref, "9700000002", outlet.RoleManager)
	b.sends.reached = true
	b.clock.Advance(2 * time.Minute)
	_, err := b.partners.Invite(t.Context(), ref, outlet.PartnerInput{Name: "Ravi", Mobile: "9700000009", Role: outlet.RoleManager})
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err))
	require.Equal(t, errs.KindRateLimited, errs.KindOf(b.partners.Resend(t.Context(), ref, open.ID)))
	require.NoError(t, b.partners.SendCode(t.Context(), ref, p.Mobile), "the answer does not tell a partner's mobile from another")
	require.Zero(t, b.deliver(t))
}

func TestAccept_OnlyTheInvitedMobileCanAcceptOnce(t *testing.T) {
	t.Parallel()
	b := meet(t)
	mine, theirs := b.store(t, "9876543210"), b.store(t, "9876543211")
	p, invitation := b.invite(t, mine, "9123456789", outlet.RoleManager)
	franchiser, err := b.partners.Invited(t.Context(), invitation)
	require.NoError(t, err)
	require.Equal(t, mine.FranchiserID, franchiser)

	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := strings.IndexByte(alphabet, invitation[37])
	for name, forged := range map[string]string{
		"another character":                 invitation[:36] + alphabet[(strings.IndexByte(alphabet, invitation[36])+1)%64:][:1] + invitation[37:],
		"another spelling of the last byte": invitation[:37] + alphabet[last+1:][:1],
		"another row":                       "AAAAAAAAAAAAAAAAAAAAAA" + invitation[22:], "cut": invitation[:37], "nothing": "", "no base64": strings.Repeat("!", 38),
	} {
		_, err := b.partners.Invited(t.Context(), forged)
		require.ErrorIs(t, err, outlet.ErrInvitation, name)
		_, err = b.partners.Invitation(t.Context(), mine, forged)
		require.ErrorIs(t, err, outlet.ErrInvitation, name)
	}
	_, err = b.partners.Invitation(t.Context(), theirs, invitation)
	require.ErrorIs(t, err, outlet.ErrInvitation, "at another store's host")

	require.NoError(t, b.partners.SendInviteCode(t.Context(), mine, invitation))
	right := b.code(t)
	wrong := "000000"
	if right == wrong {
		wrong = "000001"
	}
	_, err = b.partners.Accept(t.Context(), mine, invitation, wrong)
	require.ErrorIs(t, err, outlet.ErrPartnerCode)
	_, err = b.partners.Accept(t.Context(), theirs, invitation, right)
	require.ErrorIs(t, err, outlet.ErrInvitation)

	var wg sync.WaitGroup
	tokens := make(chan string, 3)
	for range 3 { // of several at once one is let in
		wg.Go(func() {
			if token, err := b.partners.Accept(t.Context(), mine, invitation, right); err == nil {
				tokens <- token
			}
		})
	}
	wg.Wait()
	close(tokens)
	require.Len(t, tokens, 1)
	token := <-tokens
	who, err := b.partners.SignedIn(t.Context(), mine, token)
	require.NoError(t, err)
	require.Equal(t, p.ID, who.ID)
	elsewhere, err := b.partners.SignedIn(t.Context(), theirs, token)
	require.NoError(t, err)
	require.Nil(t, elsewhere, "a session of one store means nothing at another")

	_, err = b.partners.Accept(t.Context(), mine, invitation, right)
	require.ErrorIs(t, err, outlet.ErrInvitation, "the link is spent")
	_, err = b.partners.SignIn(t.Context(), mine, "9123456789", right)
	require.ErrorIs(t, err, outlet.ErrPartnerCode, "and so is the code")
}

func TestInvitation_ExpiresAndHasALimitedNumberOfResends(t *testing.T) {
	t.Parallel()
	b := meet(t)
	ref := b.store(t, "9876543210")
	p, invitation := b.invite(t, ref, "9123456789", outlet.RoleViewer)
	_, err := b.partners.Invite(t.Context(), ref, outlet.PartnerInput{Name: "Ravi", Mobile: "+91 91234-56789", Role: outlet.RoleViewer})
	require.ErrorIs(t, err, outlet.ErrPartnerExists)
	require.Equal(t, errs.KindRateLimited, errs.KindOf(b.partners.Resend(t.Context(), ref, p.ID)), "not within a minute")
	for range 4 {
		b.clock.Advance(time.Minute)
		require.NoError(t, b.partners.Resend(t.Context(), ref, p.ID))
	}
	b.clock.Advance(time.Minute)
	often := errs.As(b.partners.Resend(t.Context(), ref, p.ID))
	require.Equal(t, errs.KindRateLimited, often.Kind, "five a day")
	require.Equal(t, 24*time.Hour-5*time.Minute, often.RetryAfter, "when the first of them is a day old")
	b.clock.Advance(outlet.InviteLife)
	_, err = b.partners.Invitation(t.Context(), ref, invitation)
	require.ErrorIs(t, err, outlet.ErrInvitation)
	require.ErrorIs(t, b.partners.SendInviteCode(t.Context(), ref, invitation), outlet.ErrInvitation)

	require.NoError(t, b.partners.Resend(t.Context(), ref, p.ID))
	require.NoError(t, b.partners.Remove(t.Context(), ref, p.ID))
	sent := len(b.phone.messages)
	var waiting []string
	require.NoError(t, b.db.Owner.Select(&waiting, `SELECT id FROM partner_messages WHERE sent_at IS NULL`))
	for _, one := range waiting {
		require.NoError(t, b.sender.Send(t.Context(), one))
	}
	require.Len(t, b.phone.messages, sent, "a withdrawn invitation is not sent any more")
	require.ErrorIs(t, b.partners.Resend(t.Context(), ref, p.ID), errs.NotFound())
	again, _ := b.invite(t, ref, "9123456789", outlet.RoleViewer)
	require.NotEqual(t, p.ID, again.ID)
}

// Given a link sent to the wrong person, when the owner sends another link, then the first is invalid.
func TestInvite_SecondLink_RevokesTheFirst(t *testing.T) {
	t.Parallel()
	b := meet(t)
	ref := b.store(t, "9876543210")
	p, first := b.invite(t, ref, "9123456789", outlet.RoleViewer)
	b.clock.Advance(time.Minute)
	require.NoError(t, b.partners.Resend(t.Context(), ref, p.ID))
	unsent := b.messages(t)
	b.clock.Advance(time.Minute)
	require.NoError(t, b.partners.Resend(t.Context(), ref, p.ID))
	require.Equal(t, 1, b.deliver(t), "of two that wait the newer goes out")
	require.NoError(t, b.sender.Send(t.Context(), unsent[len(unsent)-1]))
	link, err := url.Parse("https://" + strings.SplitN(b.phone.last(t).Text, "https://", 2)[1])
	require.NoError(t, err)
	second := strings.TrimPrefix(link.Path, "/i/")
	_, err = b.partners.Invitation(t.Context(), ref, first)
	require.ErrorIs(t, err, outlet.ErrInvitation)
	require.ErrorIs(t, b.partners.SendInviteCode(t.Context(), ref, first), outlet.ErrInvitation)
	require.NoError(t, b.partners.SendInviteCode(t.Context(), ref, second))
	code := b.code(t)
	_, err = b.partners.Accept(t.Context(), ref, first, code)
	require.ErrorIs(t, err, outlet.ErrInvitation)
	_, err = b.partners.Accept(t.Context(), ref, second, code)
	require.NoError(t, err)
}

// messages returns the ids of all messages to partners, oldest first.
func (b people) messages(t *testing.T) (ids []string) {
	t.Helper()
	require.NoError(t, b.db.Owner.Select(&ids, `SELECT id FROM partner_messages ORDER BY created_at, id`))
	return ids
}

func TestSignIn_CodeHasFiveTriesAndUnknownMobilesLookTheSame(t *testing.T) {
	t.Parallel()
	b := meet(t)
	ref := b.store(t, "9876543210")
	b.join(t, ref, "9123456789", outlet.RoleViewer)
	b.clock.Advance(time.Minute)
	for _, stranger := range []string{"9000000000", "", "x", "\x00"} {
		require.NoError(t, b.partners.SendCode(t.Context(), ref, stranger))
		_, err := b.partners.SignIn(t.Context(), ref, stranger, "123456")
		require.ErrorIs(t, err, outlet.ErrPartnerCode)
	}
	require.Zero(t, b.deliver(t))
	require.NoError(t, b.partners.SendCode(t.Context(), ref, "9123456789"))
	right := b.code(t)
	require.NoError(t, b.partners.SendCode(t.Context(), ref, "9123456789"))
	require.Zero(t, b.deliver(t), "not within a minute, and nobody is told")
	for range 5 {
		_, err := b.partners.SignIn(t.Context(), ref, "9123456789", "12345")
		require.ErrorIs(t, err, outlet.ErrPartnerCode)
	}
	_, err := b.partners.SignIn(t.Context(), ref, "9123456789", right)
	require.ErrorIs(t, err, outlet.ErrPartnerCode, "five were enough")

	b.clock.Advance(time.Minute)
	require.NoError(t, b.partners.SendCode(t.Context(), ref, "9123456789"))
	right = b.code(t)
	b.clock.Advance(outlet.CodeLife)
	_, err = b.partners.SignIn(t.Context(), ref, "9123456789", right)
	require.ErrorIs(t, err, outlet.ErrPartnerCode, "too late")
	require.NoError(t, b.partners.SendCode(t.Context(), ref, "9123456789"))
	token, err := b.partners.SignIn(t.Context(), ref, "91234 56789", b.code(t))
	require.NoError(t, err)
	b.clock.Advance(tenant.IdleLife)
	who, err := b.partners.SignedIn(t.Context(), ref, token)
	require.NoError(t, err)
	require.Nil(t, who, "nobody used it for a while")
}

func TestPartner_SeesAndUpdatesOnlyAssignedOutlets(t *testing.T) {
	t.Parallel()
	b := meet(t)
	ref, other := b.store(t, "9876543210"), b.store(t, "9876543211")
	manager, token := b.join(t, ref, "9123456789", outlet.RoleManager)
	viewer, _ := b.join(t, ref, "9123456788", outlet.RoleViewer)
	foreign, _ := b.join(t, other, "9123456789", outlet.RoleManager)
	add := func(ref tenant.Ref, name, partnerID string) outlet.Outlet {
		o, err := b.service.Add(t.Context(), ref, outlet.Input{Name: name, City: "Pune", PartnerID: partnerID}, outlet.StateOpen, "")
		require.NoError(t, err)
		return o
	}
	mine, theirs, elsewhere := add(ref, "Camp", manager.ID), add(ref, "Kothrud", viewer.ID), add(other, "Surat", foreign.ID)
	_, err := b.service.Add(t.Context(), ref, outlet.Input{Name: "Baner", City: "Pune", PartnerID: foreign.ID}, outlet.StateOpen, "")
	require.NotEmpty(t, errs.As(err).Fields["partner_id"], "another store's partner is given nothing")

	p, err := b.service.List(t.Context(), ref, outlet.Query{PartnerID: manager.ID})
	require.NoError(t, err)
	require.Len(t, p.Outlets, 1)
	require.Equal(t, "Camp", p.Outlets[0].Name)
	require.Equal(t, "Ravi Kumar", p.Outlets[0].PartnerName)
	for name, o := range map[string]outlet.Outlet{"a colleague's": theirs, "another store's": elsewhere} {
		_, err = b.service.FindFor(t.Context(), ref, manager.ID, o.ID)
		require.ErrorIs(t, err, errs.NotFound(), name)
		_, err = b.service.UpdateContact(t.Context(), ref, manager.ID, o.ID, o.Revision, "9876500000", "")
		require.ErrorIs(t, err, errs.NotFound(), name)
	}
	_, err = b.service.UpdateContact(t.Context(), ref, viewer.ID, theirs.ID, theirs.Revision, "9876500000", "")
	require.Equal(t, errs.KindForbidden, errs.KindOf(err), "who looks changes nothing")
	_, err = b.service.UpdateContact(t.Context(), ref, "", mine.ID, mine.Revision, "9876500000", "")
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err), "nobody is not the owner")
	kept, err := b.service.UpdateContact(t.Context(), ref, manager.ID, mine.ID, mine.Revision, "98765 00000", "Mon–Sat 9–21")
	require.NoError(t, err)
	require.Equal(t, "9876500000", kept.Phone)
	_, history, err := b.service.Find(t.Context(), ref, mine.ID)
	require.NoError(t, err)
	require.Equal(t, "partner", history[0].Actor)

	// Removed, they are out at once and have nothing left.
	require.NoError(t, b.partners.Remove(t.Context(), ref, manager.ID))
	who, err := b.partners.SignedIn(t.Context(), ref, token)
	require.NoError(t, err)
	require.Nil(t, who)
	_, err = b.service.FindFor(t.Context(), ref, manager.ID, mine.ID)
	require.ErrorIs(t, err, errs.NotFound())
	_, err = b.service.UpdateContact(t.Context(), ref, manager.ID, mine.ID, kept.Revision+1, "", "")
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err))
	_, err = b.service.Add(t.Context(), ref, outlet.Input{Name: "Aundh", City: "Pune", PartnerID: manager.ID}, outlet.StateOpen, "")
	require.NotEmpty(t, errs.As(err).Fields["partner_id"])
	for _, unknown := range []string{foreign.ID, manager.ID, id.New(), "x"} {
		require.ErrorIs(t, b.partners.Remove(t.Context(), ref, unknown), errs.NotFound())
	}
	list, err := b.partners.List(t.Context(), ref)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, 1, list[0].Outlets)
}

func TestRowSecurity_PartnersOfAnotherStore_AreHidden(t *testing.T) {
	t.Parallel()
	b := meet(t)
	mine, theirs := b.store(t, "9876543210"), b.store(t, "9876543211")
	foreign, _ := b.join(t, theirs, "9123456789", outlet.RoleManager)
	err := postgres.InTenantTx(t.Context(), b.db.API, mine.FranchiserID, func(tx *sqlx.Tx) error {
		for _, table := range []string{"outlet_partners", "partner_messages", "partner_sessions"} {
			var n int
			require.NoError(t, tx.Get(&n, `SELECT count(*) FROM `+table))
			require.Zero(t, n, table)
		}
		_, err := tx.Exec(`INSERT INTO partner_sessions (id, franchiser_id, tenant_id, partner_id, token_hash, created_at, seen_at, expires_at)
			VALUES ($1, $2, $3, $4, sha256('x'), now(), now(), now())`, id.New(), mine.FranchiserID, mine.TenantID, foreign.ID)
		return err
	})
	require.True(t, postgres.Violates(err, postgres.ForeignKeyViolation, ""), "%v", err)
}

func TestErasure_RemovesPartners(t *testing.T) {
	t.Parallel()
	b := meet(t)
	ref := b.store(t, "9876543210")
	_, token := b.join(t, ref, "9123456789", outlet.RoleManager)
	require.NoError(t, postgres.InTenantTx(t.Context(), b.db.API, ref.FranchiserID, func(tx *sqlx.Tx) error {
		return outlet.NewPersonalData(b.clock).EraseTx(t.Context(), tx, ref.FranchiserID)
	}))
	var left string
	require.NoError(t, b.db.Owner.Get(&left, `SELECT string_agg(p::text, '') FROM outlet_partners p`))
	require.NotContains(t, left, "Ravi")
	require.NotContains(t, left, "9123456789")
	who, err := b.partners.SignedIn(t.Context(), ref, token)
	require.NoError(t, err)
	require.Nil(t, who)
}
