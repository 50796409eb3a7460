package message_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Providers quote messages in their errors, which are logged: codes must be masked, in every language of the message.
func TestMask_CodeQuotedByAProvider_IsMaskedInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, template := range []string{message.TemplateCode, message.TemplateViewConsent} {
		for _, l := range i18n.Languages() {
			values := []string{"482913", "482913"}
			if template == message.TemplateViewConsent {
				values = values[:1]
			}
			text := site.Compose(message.Message{Template: template, Values: values, Language: l}).Text
			require.Contains(t, text, "482913", "%s in %s", template, l)
			for _, quoted := range []string{text, `answered 400: {"message":"` + text + `"}`} {
				require.NotContains(t, log.Mask(quoted), "482913", "%s in %s", template, l)
			}
		}
	}
}

// An SMS in English has no ₹, which would make it cost twice as much; every other text shows amounts as pages do.
func TestRupees_EnglishSMS_UsesRs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		template string
		language i18n.Language
		want     string
	}{
		{message.TemplatePaymentReceived, "", "Rs 1,593.50"},
		{message.TemplatePaymentReceived, i18n.English, "Rs 1,593.50"},
		{message.TemplatePaymentReceived, "hi", "₹1,593.50"},
		{message.TemplatePaymentEmail, "", "₹1,593.50"},
		{message.TemplatePaymentEmail, "hi", "₹1,593.50"},
	} {
		require.Equal(t, c.want, message.CustomerMessage{Template: c.template, Language: c.language}.Rupees(money.Paise(159_350)), "%s %s", c.template, c.language)
	}
	require.Equal(t, "Rs 5", message.Rupees("₹5"))
}

// Every verdict has a text for staff, including that a provider refuses the message itself.
func TestFailureText_EachChannelAndFailure_IsDistinct(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, channel := range []string{"sms", "email", "whatsapp"} {
		for _, failure := range []string{"refused", "rejected", "account_fault", "provider_limit", "unavailable", "no_answer", "unconfirmed", "template"} {
			code := channel + "_" + failure
			words := message.FailureText(code)
			require.NotEqual(t, code, words, "nobody is told what %s means", code)
			require.Empty(t, seen[words], "%s is told as another one", code)
			seen[words] = code
		}
	}
	for _, code := range []string{"no_address", "not_needed", "not_wanted", "email_off", "whatsapp_off", "sms_undelivered", "night", "too_late"} {
		require.NotEqual(t, code, message.FailureText(code))
	}
}
