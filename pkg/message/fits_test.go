package message_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
)

// Messages that an operator, Meta or a mail server would refuse are refused beforehand, with an error that contains no value.
func TestFits_ValuesAtTheirLimits_AreAccepted(t *testing.T) {
	t.Parallel()
	sms := func(values ...string) message.Message {
		return message.Message{Mobile: "9876543210", Template: message.TemplatePaymentReceived, Values: values}
	}
	app := func(values ...string) message.Message {
		return message.Message{Mobile: "9876543210", Template: message.TemplatePaymentReceived + "_whatsapp", Values: values}
	}
	mail := func(values ...string) message.Message {
		return message.Message{Email: "asha@example.in", Template: message.TemplatePaymentEmail, Values: values}
	}
	reply := func(body string) message.Message {
		return message.Message{Email: "asha@example.in", Template: message.TemplateContactReply, Values: []string{"2 November 2026", "1"}, Body: body}
	}
	link := func(to string) message.Message {
		return message.Message{Email: "asha@example.in", Template: message.TemplateEmailProof, Values: []string{"2 November 2026"}, Link: to}
	}
	long := strings.Repeat("क", 40)
	for name, c := range map[string]struct {
		m    message.Message
		fits bool
	}{
		"an SMS":                             {sms("Rs 1,180", "Growth"), true},
		"40 letters":                         {sms(long, long), true},
		"41 letters":                         {sms(long+"क", "Growth"), false},
		"an empty value":                     {sms("Rs 1,180", ""), false},
		"a value too few":                    {sms("Rs 1,180"), false},
		"a value too many":                   {sms("Rs 1,180", "Growth", "x"), false},
		"an address in a value":              {sms("Rs 1,180", "http://evil"), false},
		"a line in a value":                  {sms("Rs 1,180", "a\nb"), false},
		"an unseen line end":                 {sms("Rs 1,180", "a\u0085b"), false},
		"digits of another script":           {message.Message{Mobile: "9876543210", Template: message.TemplateCode, Values: []string{"४८२९१३", "४८२९१३"}}, false},
		"no template":                        {message.Message{Mobile: "9876543210", Template: "offer"}, false},
		"an e-mail's template as an SMS":     {message.Message{Mobile: "9876543210", Template: message.TemplateTrialEmail, Values: []string{"x"}}, false},
		"by WhatsApp":                        {app(long, long), true},
		"41 letters by WhatsApp":             {app(long+"क", "Growth"), false},
		"nothing by WhatsApp":                {app("", "Growth"), false},
		"a value too few by WhatsApp":        {app("Rs 1,180"), false},
		"a tab by WhatsApp":                  {app("Rs 1,180", "a\tb"), false},
		"four spaces by WhatsApp":            {app("Rs 1,180", "a    b"), false},
		"three spaces by WhatsApp":           {app("Rs 1,180", "a   b"), true},
		"an SMS without a WhatsApp template": {message.Message{Mobile: "9876543210", Template: message.TemplateCode + "_whatsapp", Values: []string{"1", "1"}}, false},
		"an e-mail":                          {mail("Growth", "₹1,180", "2 Nov", "FP1", "₹10", "26-27/1"), true},
		"an optional value is empty":         {mail("Growth", "₹1,180", "2 Nov", "FP1", "", ""), true},
		"a required value is empty":          {mail("Growth", "₹1,180", "2 Nov", "", "₹10", "x"), false},
		"300 letters":                        {mail(strings.Repeat("क", 300), "₹1,180", "2 Nov", "FP1", "", ""), true},
		"301 letters":                        {mail(strings.Repeat("क", 301), "₹1,180", "2 Nov", "FP1", "", ""), false},
		"a header in a value":                {mail("Growth\r\nBcc: all@example.in", "₹1,180", "2 Nov", "FP1", "", ""), false},
		"five of six values":                 {mail("Growth", "₹1,180", "2 Nov", "FP1", ""), false},
		"an SMS's template as an e-mail":     {message.Message{Email: "asha@example.in", Template: message.TemplateCode, Values: []string{"1", "1"}}, false},
		"a reply":                            {reply("In March.\n\tYours"), true},
		"a reply of 4000 letters":            {reply(strings.Repeat("क", 4000)), true},
		"a reply of 4001 letters":            {reply(strings.Repeat("क", 4001)), false},
		"a reply of nothing":                 {reply(""), false},
		"a reply with a bell":                {reply("a\x07"), false},
		"a reply with a return":              {reply("a\rb"), false},
		"a body in a template without one": {
			message.Message{Email: "asha@example.in", Template: message.TemplateTrialEmail, Values: []string{"2 Nov"}, Body: "Buy now"}, false,
		},
		"a link":                {link("https://franchise360.example/x"), true},
		"a link in development": {link("http://localhost/x"), true},
		"no link":               {link(""), false},
		"a script":              {link("javascript:alert(1)"), false},
		"a page":                {link("/x"), false},
	} {
		err := c.m.Fits()
		if c.fits {
			require.NoError(t, err, name)
			continue
		}
		require.Error(t, err, name)
		for _, value := range append(c.m.Values, c.m.Body) {
			if len(value) > 2 {
				require.NotContains(t, err.Error(), value, name)
			}
		}
	}
}

// A token stops the reminders of one customer. It ends the address of the page shown in the e-mail, and the one to which mailboxes post.
func TestReminder_HasBothUnsubscribeAddresses(t *testing.T) {
	t.Parallel()
	m := message.Message{Email: "asha@example.in", Template: message.TemplateTrialEmail, Values: []string{"30 September 2026"}, Unsubscribe: "tok3n"}
	english := site.Compose(m)
	require.Equal(t, "https://franchise360.example/api/franchise/reminders/stop/tok3n", english.StopURL)
	require.Contains(t, english.Text, "No more reminders by e-mail:\nhttps://franchise360.example/stop-reminders/tok3n\n")
	require.Contains(t, english.HTML, `href="https://franchise360.example/stop-reminders/tok3n"`)
	m.Language = "hi"
	hindi := site.Compose(m)
	require.Equal(t, english.StopURL, hindi.StopURL, "a mailbox reads no language")
	require.Contains(t, hindi.Text, "https://franchise360.example/hi/stop-reminders/tok3n\n")
	require.Contains(t, hindi.Text, "https://franchise360.example/hi/pricing\n", "its button leads to the page in the reader's language")
	require.Contains(t, hindi.HTML, `lang="hi`)
	m.Unsubscribe, m.StopURL = "", "https://evil.example/stop"
	plain := site.Compose(m)
	require.Empty(t, plain.StopURL)
	require.NotContains(t, plain.HTML, "stop")
}
