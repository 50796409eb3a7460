package message_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
)

func TestTitle_EachTemplate_NamesMessageAndChannel(t *testing.T) {
	t.Parallel()
	for _, m := range message.Templates() {
		require.Regexp(t, `^[A-Z][^_']+ by SMS$`, message.Title(m.Name), m.Name)
	}
	for _, m := range message.EmailTemplates() {
		require.Regexp(t, `^[A-Z][^_']+ by e-mail$`, message.Title(m.Name), m.Name)
	}
	require.Equal(t, "Renewal reminder by e-mail", message.Title(message.TemplateRenewalEmail))
	require.Equal(t, "Receipt by WhatsApp", message.Title(message.TemplatePaymentReceived+"_whatsapp"))
	require.Equal(t, "Told of another plan by e-mail", message.Title(message.TemplatePlanSwitchedEmail))
	require.Equal(t, "of another release by SMS", message.Title("of_another_release"))
}
