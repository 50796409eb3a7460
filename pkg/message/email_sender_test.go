package message_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestEmailSender_SendsOnceAndNamesItsFailure(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	sender := message.NewEmailSender(message.SenderOptions{
		DB: h.db.Worker, Providers: []message.Provider{h.first}, Site: site, Clock: h.clock, Counts: message.Uncounted{},
		Logger: testkit.NewLogger(t),
	})
	letter := func() message.Message {
		return site.Compose(message.Message{ID: id.New(), Email: "asha@example.in", Template: message.TemplateEmailChanged, Values: []string{"2 Nov 2026"}})
	}
	m := letter()
	require.NoError(t, sender.Send(t.Context(), m))
	require.NoError(t, sender.Send(t.Context(), m))
	require.Len(t, h.first.sent, 1)
	require.Equal(t, "accepted", h.state(t, m, "first").State)

	content := fails(message.ClassRefused, "554")
	content.Message = true
	for _, c := range []struct {
		answer *message.SendError
		kind   errs.Kind
		code   string
	}{
		{fails(message.ClassRefused, "550"), errs.KindInvalid, "email_refused"},
		{content, errs.KindInvalid, "email_rejected"},
		{fails(message.ClassAccount, "535"), errs.KindUnavailable, "email_account_fault"},
		{fails(message.ClassUnconfirmed, ""), errs.KindUnavailable, "email_no_answer"},
	} {
		h.first.answers = []*message.SendError{c.answer}
		requireCode(t, c.kind, c.code, sender.Send(t.Context(), letter()))
	}
	byHand := letter()
	byHand.HTML += "x"
	requireCode(t, errs.KindInvalid, "email_template", sender.Send(t.Context(), byHand))
}

// An e-mail is sent without its optional last values, but not without a required one.
func TestEmail_OptionalValuesEmpty_IsSentWithoutThem(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	sender := message.NewEmailSender(message.SenderOptions{
		DB: h.db.Worker, Providers: []message.Provider{h.first}, Site: site, Clock: h.clock, Counts: message.Uncounted{},
		Logger: testkit.NewLogger(t),
	})
	receipt := func(values ...string) message.Message {
		return site.Compose(message.Message{ID: id.New(), Email: "asha@example.in", Template: message.TemplatePaymentEmail, Values: values})
	}
	m := receipt("Start up", "₹1,59,300", "2 Nov 2026", "F1", "", "")
	require.NoError(t, sender.Send(t.Context(), m))
	require.NotContains(t, m.Text, "TDS")
	require.NoError(t, sender.Send(t.Context(), receipt("Start up", "₹1,45,800", "2 Nov 2026", "F1", "₹13,500", "₹1,59,300")))
	requireCode(t, errs.KindInvalid, "email_template", sender.Send(t.Context(), receipt("Start up", "", "2 Nov 2026", "F1", "", "")))
	for _, e := range message.EmailTemplates() {
		for n := e.Values - e.Optional + 1; n <= e.Values; n++ {
			require.NotContains(t, e.Subject+e.Text+e.Note, "{"+strconv.Itoa(n)+"}", e.Name)
		}
	}
}
