package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEmail_InvalidSettings_AreRefused(t *testing.T) {
	t.Parallel()
	c, err := development(nil)
	require.NoError(t, err)
	require.False(t, c.Email.On())
	c, err = development(map[string]string{"EMAIL_FROM": "Franchise 360 <billing@example.com>"})
	require.NoError(t, err, "the api knows no server")
	require.True(t, c.Email.On())
	for name, settings := range map[string]map[string]string{
		"no sender":         {"SMTP_URL": "smtps://mail.example.com"},
		"no address":        {"EMAIL_FROM": "billing"},
		"another scheme":    {"EMAIL_FROM": "a@example.com", "SMTP_URL": "https://mail.example.com"},
		"no host":           {"EMAIL_FROM": "a@example.com", "SMTP_URL": "smtps://"},
		"a port beyond all": {"EMAIL_FROM": "a@example.com", "SMTP_URL": "smtps://mail.example.com:99999"},
		"a user alone":      {"EMAIL_FROM": "a@example.com", "SMTP_URL": "smtps://user@mail.example.com"},
		"a path":            {"EMAIL_FROM": "a@example.com", "SMTP_URL": "smtps://mail.example.com/x"},
		"an invalid URL":    {"EMAIL_FROM": "a@example.com", "SMTP_URL": "smtps://%zz"},
	} {
		_, err := development(settings)
		require.Error(t, err, name)
		require.Regexp(t, `SMTP_URL|EMAIL_FROM`, err.Error(), name)
	}
	_, err = development(map[string]string{"EMAIL_FROM": "a@example.com", "SMTP_URL": "smtp://user:secret@mail.example.com:587"})
	require.NoError(t, err)
}
