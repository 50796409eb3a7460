package outlet_test

import (
	"context"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// full is a phone whose number the provider refuses.
type full struct{}

func (full) Send(context.Context, message.Message) error {
	return errs.New(errs.KindInvalid, "sms_rejected", "The provider refuses the number.")
}

// newest returns the message that was noted last.
func (b people) newest(t *testing.T) (messageID string) {
	t.Helper()
	require.NoError(t, b.db.Owner.Get(&messageID, `SELECT id FROM partner_messages ORDER BY created_at DESC, id DESC LIMIT 1`))
	return messageID
}

// preview returns the job preview of a partner message, as staff see it for this franchiser.
func (b people) preview(t *testing.T, ref tenant.Ref, messageID string) (p queue.JobPreview) {
	t.Helper()
	kind := outlet.SendPartnerMessageArgs{}.Kind()
	require.NoError(t, postgres.InTenantTx(t.Context(), b.db.API, ref.FranchiserID, func(tx *sqlx.Tx) (err error) {
		p, err = outlet.JobPreviews()[kind](t.Context(), tx, []byte(`{"message_id": "`+messageID+`"}`), b.clock.Now())
		return err
	}))
	require.Contains(t, p.Again, "never sent again")
	return p
}

// Given the job of a message to a partner, then its preview describes the send, but shows neither code nor mobile.
func TestJobPreview_PartnerMessage_HidesCodeAndMobile(t *testing.T) {
	t.Parallel()
	b := meet(t)
	ref, other := b.store(t, "9876543210"), b.store(t, "9876543211")
	p, err := b.partners.Invite(t.Context(), ref, outlet.PartnerInput{Name: "Ravi Kumar", Mobile: "9123456789", Role: outlet.RoleManager})
	require.NoError(t, err)
	first := b.newest(t)
	seen := b.preview(t, ref, first)
	require.False(t, seen.Nothing)
	require.Equal(t, "Would ask the SMS provider to send the partner's invitation of Asha Sweets.", seen.Summary)
	require.True(t, b.preview(t, other, first).Nothing, "another customer's job says nothing of it")
	require.True(t, b.preview(t, ref, id.New()).Nothing)

	var expires time.Time
	require.NoError(t, b.db.Owner.Get(&expires, `SELECT expires_at FROM partner_messages WHERE id = $1`, first))
	b.clock.Set(expires.Add(-time.Microsecond))
	require.False(t, b.preview(t, ref, first).Nothing)
	b.clock.Set(expires)
	seen = b.preview(t, ref, first)
	require.True(t, seen.Nothing)
	require.Contains(t, seen.Summary, "it has expired")

	require.NoError(t, b.partners.Resend(t.Context(), ref, p.ID))
	second := b.newest(t)
	require.NotEqual(t, first, second)
	require.Contains(t, b.preview(t, ref, first).Summary, "it was sent, or the partner accepted or was removed", "a newer one takes its place")
	require.False(t, b.preview(t, ref, second).Nothing)
	require.NoError(t, b.partners.Remove(t.Context(), ref, p.ID))
	require.True(t, b.preview(t, ref, second).Nothing)
	require.Zero(t, b.deliver(t), "nor is it sent")
}

// Given a provider that refuses a number, then the message keeps why, until it is sent once.
func TestPartnerMessage_RefusedByProvider_KeepsTheReasonUntilSent(t *testing.T) {
	t.Parallel()
	b := meet(t)
	ref := b.store(t, "9876543210")
	_, err := b.partners.Invite(t.Context(), ref, outlet.PartnerInput{Name: "Ravi Kumar", Mobile: "9123456789", Role: outlet.RoleManager})
	require.NoError(t, err)
	messageID := b.newest(t)
	site := message.Site{Host: "franchise360.example", URL: "https://franchise360.example"}
	refusing := outlet.NewPartnerSender(b.db.Worker, message.NewOutbox(message.OutboxOptions{
		SMS: full{}, Site: site, Clock: b.clock, Logger: testkit.NewLogger(t),
	}), b.clock, testkit.NewKeyring(t))
	failure := func() (code string) {
		require.NoError(t, b.db.Owner.Get(&code, `SELECT send_error FROM partner_messages WHERE id = $1`, messageID))
		return code
	}
	require.Equal(t, "sms_rejected", errs.As(refusing.Send(t.Context(), messageID)).Code)
	require.Equal(t, "sms_rejected", failure())
	require.False(t, b.preview(t, ref, messageID).Nothing)
	require.Equal(t, 1, b.deliver(t))
	require.Empty(t, failure())
	require.NoError(t, refusing.Send(t.Context(), messageID), "what was sent is sent no more")
	require.Empty(t, failure())
	require.True(t, b.preview(t, ref, messageID).Nothing)
}

// Given a store with as many partners as it may have, then one more is refused until one is removed.
func TestInvite_PartnerLimitReached_IsRefusedUntilOneIsRemoved(t *testing.T) {
	t.Parallel()
	b := meet(t)
	ref, other := b.store(t, "9876543210"), b.store(t, "9876543211")
	in := outlet.PartnerInput{Name: "Ravi Kumar", Mobile: "9123456789", Role: outlet.RoleViewer}
	last, err := b.partners.Invite(t.Context(), ref, in)
	require.NoError(t, err)
	_, err = b.db.Owner.Exec(`INSERT INTO outlet_partners (id, franchiser_id, tenant_id, name, mobile, role, state, invited_at)
		SELECT uuidv7(), franchiser_id, tenant_id, name, (8000000000 + n)::text, role, state, invited_at
		FROM outlet_partners, generate_series(1, 499) n WHERE id = $1`, last.ID)
	require.NoError(t, err)
	in.Mobile = "9123456780"
	_, err = b.partners.Invite(t.Context(), ref, in)
	require.Equal(t, "partners_full", errs.As(err).Code)
	require.Equal(t, errs.KindLimit, errs.KindOf(err))
	_, err = b.partners.Invite(t.Context(), other, in)
	require.NoError(t, err, "each store has its own")
	require.NoError(t, b.partners.Remove(t.Context(), ref, last.ID))
	_, err = b.partners.Invite(t.Context(), ref, in)
	require.NoError(t, err)
}

// Given outlets of several stores, then closed, removed and other franchisers' outlets do not count towards the limit.
func TestCount_ClosedRemovedOrForeignOutlets_AreNotCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ref, other := b.store(t, "9876543210"), b.store(t, "9876543211")
	count := func(franchiserID string) (n int) {
		require.NoError(t, postgres.InTenantTx(t.Context(), b.db.API, franchiserID, func(tx *sqlx.Tx) (err error) {
			n, err = outlet.CountTx(t.Context(), tx, franchiserID)
			return err
		}))
		return n
	}
	require.Zero(t, count(ref.FranchiserID))
	first := b.add(t, ref, "Aundh")
	b.add(t, ref, "Baner")
	b.add(t, other, "Camp")
	require.Equal(t, []int{2, 1}, []int{count(ref.FranchiserID), count(other.FranchiserID)})
	_, err := b.db.Owner.Exec(`UPDATE franchises SET state = 'closed' WHERE id = $1`, first.ID)
	require.NoError(t, err)
	require.Equal(t, 1, count(ref.FranchiserID))
	_, err = b.db.Owner.Exec(`UPDATE franchises SET removed_at = now() WHERE franchiser_id = $1`, ref.FranchiserID)
	require.NoError(t, err)
	require.Equal(t, []int{0, 1}, []int{count(ref.FranchiserID), count(other.FranchiserID)})

	states, err := b.service.States(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, states)
	_, err = b.service.Add(t.Context(), ref, outlet.Input{Name: "Deccan", City: "Pune", StateID: states[0].ID}, outlet.StatePlanned, "")
	require.NoError(t, err)
	_, err = b.service.Add(t.Context(), ref, outlet.Input{Name: "Erandwane", City: "Pune", StateID: "99999"}, outlet.StatePlanned, "")
	require.Contains(t, errs.As(err).Fields, "state_id")
}
