package webhook_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/webhook"
)

// An admin may keep twenty endpoints, including disabled ones. Each event is written once per endpoint.
func TestAdd_MoreThanTwentyEndpoints_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin := as(t, b.people.Ravi)
	var list []webhook.Endpoint
	for range 20 {
		list = append(list, b.add(t))
	}
	in := webhook.EndpointInput{URL: "https://erp.example.in/hooks", Description: "One more"}
	add := func() error {
		_, _, err := b.service.Add(admin, b.people.Ravi, in, staff.Proof{}, why)
		return err
	}
	require.ErrorIs(t, add(), webhook.ErrTooMany)
	_, err := b.service.Disable(admin, b.people.Ravi, list[3].ID, why)
	require.NoError(t, err)
	require.ErrorIs(t, add(), webhook.ErrTooMany)
	require.NoError(t, b.service.Remove(admin, b.people.Ravi, list[3].ID, why))
	require.NoError(t, add())
	for name, act := range map[string]func(endpointID string) error{
		"change": func(one string) error {
			_, err := b.service.Change(admin, b.people.Ravi, one, in, staff.Proof{}, why)
			return err
		},
		"rotate": func(one string) error {
			_, _, err := b.service.Rotate(admin, b.people.Ravi, one, staff.Proof{}, why)
			return err
		},
		"enable": func(one string) error {
			_, err := b.service.Enable(admin, b.people.Ravi, one, staff.Proof{}, why)
			return err
		},
		"disable": func(one string) error { _, err := b.service.Disable(admin, b.people.Ravi, one, why); return err },
		"remove":  func(one string) error { return b.service.Remove(admin, b.people.Ravi, one, why) },
		"test":    func(one string) error { _, err := b.service.Test(admin, b.people.Ravi, one, why); return err },
		"resend": func(one string) error {
			_, err := b.service.ResendSince(admin, b.people.Ravi, one, time.Time{}, why)
			return err
		},
	} {
		for _, none := range []string{list[3].ID, id.New(), "x", ""} {
			require.ErrorIs(t, act(none), errs.NotFound(), "%s %q", name, none)
		}
	}
	_, err = b.service.Disable(admin, b.people.Ravi, list[0].ID, "no")
	require.Contains(t, errs.As(err).Fields, "reason")
	_, err = b.service.Disable(admin, b.people.Ravi, list[0].ID, why)
	require.NoError(t, err)
	_, err = b.service.Disable(admin, b.people.Ravi, list[0].ID, why)
	require.ErrorIs(t, err, webhook.ErrState)
}

// Given more deliveries than fit on a page, then the pages hold each delivery once, newest first, and filters apply.
func TestDeliveries_Pages_HoldEachOnceAndFilter(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.add(t), b.add(t)
	for range 51 {
		b.test(t, first.ID)
	}
	other := b.test(t, second.ID)
	looks := as(t, b.people.Sunita)
	all := webhook.DeliveryQuery{}
	page, more, err := b.service.Deliveries(looks, all)
	require.NoError(t, err)
	require.Len(t, page, 50)
	require.True(t, more)
	require.Equal(t, other, page[0].ID)
	all.Before = page[49].ID
	rest, more, err := b.service.Deliveries(looks, all)
	require.NoError(t, err)
	require.False(t, more)
	require.Len(t, rest, 2)
	seen := map[string]bool{}
	for _, d := range append(page, rest...) {
		seen[d.ID] = true
	}
	require.Len(t, seen, 52)
	page, more, err = b.service.Deliveries(looks, webhook.DeliveryQuery{EndpointID: second.ID, State: webhook.DeliveryWaiting})
	require.NoError(t, err)
	require.False(t, more)
	require.Len(t, page, 1)
	for field, q := range map[string]webhook.DeliveryQuery{
		"endpoint_id": {EndpointID: "x"}, "state": {State: "lost"}, "before": {Before: "' OR true --"},
	} {
		_, _, err := b.service.Deliveries(looks, q)
		require.Len(t, errs.As(err).Fields, 1)
		require.Contains(t, errs.As(err).Fields, field)
	}
	for _, none := range []string{"", "x", id.New()} {
		_, err = b.service.Delivery(looks, none)
		require.ErrorIs(t, err, errs.NotFound(), none)
		_, err = b.service.Resend(as(t, b.people.Ravi), b.people.Ravi, none, why)
		require.ErrorIs(t, err, errs.NotFound(), none)
	}
}

// during is a receiver that calls a function before it answers.
type during struct {
	meanwhile func()
	answer    webhook.Answer
	failure   error
}

func (d during) Post(context.Context, webhook.Message) (webhook.Answer, error) {
	d.meanwhile()
	return d.answer, d.failure
}

// Given an endpoint that staff disable, or a delivery that another attempt completes, during a request, then that state is kept.
func TestDeliver_StateChangesDuringTheRequest_IsKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin := as(t, b.people.Ravi)
	e := b.add(t)
	state := func() webhook.Endpoint {
		t.Helper()
		list, err := b.service.Endpoints(admin)
		require.NoError(t, err)
		return list[0]
	}
	deliver := func(deliveryID string, last bool, meanwhile func(), answer webhook.Answer, failure error) error {
		return webhook.NewDeliverer(b.db.Worker, during{meanwhile, answer, failure}, b.clock, b.keys, testkit.NewSilentLogger()).Deliver(t.Context(), deliveryID, last)
	}
	nothing := func() {}

	// The last attempt that is answered 410 disables the endpoint, and the delivery is held, not failed: it can be sent again.
	one := b.test(t, e.ID)
	require.Equal(t, errs.KindInvalid, errs.KindOf(deliver(one, true, nothing, webhook.Answer{Status: 410}, nil)))
	require.Equal(t, webhook.DisabledForGone, state().DisabledFor)
	require.Equal(t, []string{"held"}, b.states(t))

	// Staff disable the endpoint during the request: it is not disabled a second time, and no start of failures is stored.
	_, err := b.service.Enable(admin, b.people.Ravi, e.ID, staff.Proof{}, why)
	require.NoError(t, err)
	two := b.test(t, e.ID)
	disable := func() {
		_, err := b.service.Disable(admin, b.people.Ravi, e.ID, why)
		require.NoError(t, err)
	}
	require.Equal(t, errs.KindUnavailable, errs.KindOf(deliver(two, false, disable, webhook.Answer{Status: 410}, nil)))
	require.Equal(t, webhook.DisabledForStaff, state().DisabledFor)
	require.Nil(t, state().FailingSince)
	require.NoError(t, deliver(two, false, nothing, webhook.Answer{Status: 200}, nil))
	require.Equal(t, []string{"held", "held"}, b.states(t), "to one that is disabled nothing is sent")

	// Delivered by another process on the way, a failure does not take that back.
	_, err = b.service.Enable(admin, b.people.Ravi, e.ID, staff.Proof{}, why)
	require.NoError(t, err)
	three := b.test(t, e.ID)
	taken := func() { require.NoError(t, deliver(three, false, nothing, webhook.Answer{Status: 200}, nil)) }
	require.Equal(t, errs.KindUnavailable, errs.KindOf(deliver(three, true, taken, webhook.Answer{}, errors.New("connection reset"))))
	require.Equal(t, []string{"held", "held", "delivered"}, b.states(t))

	// Pruned on the way, there is nothing to note.
	four := b.test(t, e.ID)
	prune := func() {
		b.db.Owner.MustExec(`DELETE FROM webhook_events WHERE id IN (SELECT event_id FROM webhook_deliveries WHERE id = $1)`, four)
	}
	require.NoError(t, deliver(four, false, prune, webhook.Answer{Status: 200}, nil))

	d, err := b.service.Delivery(admin, three)
	require.NoError(t, err)
	require.Len(t, d.Tries, 2, "both attempts stand in its history")
	require.Nil(t, d.Tries[0].Status)
	require.Equal(t, "connection reset", d.Tries[0].Failure)

	// A connection error is kept up to 200 bytes of text, an answer up to a kilobyte.
	five := b.test(t, e.ID)
	require.Error(t, deliver(five, false, nothing, webhook.Answer{}, errors.New(strings.Repeat("x", 300))))
	require.Error(t, deliver(five, false, nothing, webhook.Answer{Status: 500, Body: []byte(strings.Repeat("y", 2000))}, nil))
	d, err = b.service.Delivery(admin, five)
	require.NoError(t, err)
	require.Len(t, d.Tries[1].Failure, 200)
	require.Len(t, d.Tries[0].Answer, 1024)
}

// Given deliveries that failed before and after a moment, then ResendSince sends the later ones again and leaves waiting ones unchanged.
func TestResendSince_FailedDeliveries_AreSentAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e, other := b.add(t), b.add(t)
	admin := as(t, b.people.Ravi)
	b.receiver.status = 503
	fail := func(endpointID string) string {
		deliveryID := b.test(t, endpointID)
		require.Error(t, b.deliverer.Deliver(t.Context(), deliveryID, true))
		return deliveryID
	}
	fail(e.ID)
	b.clock.Advance(time.Hour)
	since := b.clock.Now()
	want := []string{fail(e.ID)}
	fail(other.ID)
	b.clock.Advance(time.Hour)
	want = append(want, fail(e.ID))
	b.test(t, e.ID)
	b.jobs(t)
	_, err := b.service.ResendSince(as(t, b.people.Sunita), b.people.Sunita, e.ID, since, why)
	require.ErrorIs(t, err, errs.Forbidden(), "support only looks")
	require.NotContains(t, b.people.Actions(t), "resend_webhooks", "and nothing says that they did more")
	n, err := b.service.ResendSince(admin, b.people.Ravi, e.ID, since, why)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	var got []string
	for _, j := range b.jobs(t) {
		got = append(got, j.DeliveryID)
	}
	require.ElementsMatch(t, want, got)
	n, err = b.service.ResendSince(admin, b.people.Ravi, e.ID, since, why)
	require.NoError(t, err)
	require.Zero(t, n, "they are on their way")
	n, err = b.service.ResendSince(admin, b.people.Ravi, e.ID, since.Add(-time.Hour), why)
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

func TestEndpoint_WithoutProof_KeepsAddressSecretAndState(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.add(t)
	refused := errors.New("no proof")
	s := webhook.NewService(b.db.API, testkit.NewInserter(t, b.db.API), b.clock, b.keys, b.people.Service, console.Prover{Refused: refused}, false)
	ctx, in := as(t, b.people.Ravi), webhook.EndpointInput{URL: "https://evil.example.in/hooks", Description: "Elsewhere"}
	_, _, err := s.Add(ctx, b.people.Ravi, in, staff.Proof{}, why)
	require.ErrorIs(t, err, refused)
	_, err = s.Change(ctx, b.people.Ravi, e.ID, in, staff.Proof{}, why)
	require.ErrorIs(t, err, refused)
	_, _, err = s.Rotate(ctx, b.people.Ravi, e.ID, staff.Proof{}, why)
	require.ErrorIs(t, err, refused)
	_, err = s.Disable(ctx, b.people.Ravi, e.ID, why)
	require.NoError(t, err, "to disable is no access")
	_, err = s.Enable(ctx, b.people.Ravi, e.ID, staff.Proof{}, why)
	require.ErrorIs(t, err, refused)
	list, err := s.Endpoints(ctx)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, []any{e.URL, webhook.StateDisabled}, []any{list[0].URL, list[0].State})
	require.Nil(t, list[0].OldSecretUntil)
}
