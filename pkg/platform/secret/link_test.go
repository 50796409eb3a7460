package secret_test

import (
	"crypto/hmac"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/secret"
)

const (
	linkedRow   = "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"
	purposeLink = secret.Purpose("invitations")
)

func TestLinkTo_LinkedRow_ReturnsTheRow(t *testing.T) {
	t.Parallel()
	k := ring(t, 1)
	link, err := k.LinkTo(purposeLink, linkedRow)
	require.NoError(t, err)
	require.Len(t, link, secret.LinkLength)
	require.Regexp(t, `^[A-Za-z0-9_-]+$`, link, "an SMS and an address take it as it is")
	row, ok := k.LinkedRow(purposeLink, link)
	require.True(t, ok)
	require.Equal(t, linkedRow, row)

	// The signature computed apart: HMAC-SHA256 of the id after its length, the first twelve bytes.
	raw, err := base64.RawURLEncoding.DecodeString(link)
	require.NoError(t, err)
	named := uuid.MustParse(linkedRow)
	require.Equal(t, named[:], raw[:16])
	require.True(t, hmac.Equal(k.MAC(purposeLink, linkedRow)[:12], raw[16:]))
	require.Len(t, raw, 16+12)

	capitals, err := k.LinkTo(purposeLink, strings.ToUpper(linkedRow))
	require.NoError(t, err)
	require.Equal(t, link, capitals, "one row has one link")
	for _, wrong := range []string{"", "x", linkedRow[:35], linkedRow + "0"} {
		_, err = k.LinkTo(purposeLink, wrong)
		require.Error(t, err, wrong)
	}
}

func TestLinkedRow_ForgedLink_IsRefused(t *testing.T) {
	t.Parallel()
	k := ring(t, 1)
	link, err := k.LinkTo(purposeLink, linkedRow)
	require.NoError(t, err)
	refuse := func(of secret.Keyring, p secret.Purpose, text, why string) {
		t.Helper()
		_, ok := of.LinkedRow(p, text)
		require.False(t, ok, why)
	}
	refuse(k, "another purpose", link, "a link for one thing opens no other")
	refuse(ring(t, 2), purposeLink, link, "another key")
	for _, text := range []string{"", link[:37], link + "A", strings.Repeat("A", secret.LinkLength), link[:37] + "=", " " + link[1:], link[:37] + "\x00"} {
		refuse(k, purposeLink, text, text)
	}
	for i := range link {
		other := byte('A')
		if link[i] == other {
			other = 'B'
		}
		refuse(k, purposeLink, link[:i]+string(other)+link[i+1:], "each character counts")
	}
	// The last character has bits that belong to no byte: only one spelling of it is taken.
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	taken := 0
	for _, last := range alphabet {
		if _, ok := k.LinkedRow(purposeLink, link[:37]+string(last)); ok {
			taken++
		}
	}
	require.Equal(t, 1, taken)
}

func TestLinkedRow_AfterAKeyRotation_StillWorksWhileTheOldKeyIsKnown(t *testing.T) {
	t.Parallel()
	before, between, after := ring(t, 1), ring(t, 2, 1), ring(t, 2)
	old, err := before.LinkTo(purposeLink, linkedRow)
	require.NoError(t, err)
	fresh, err := between.LinkTo(purposeLink, linkedRow)
	require.NoError(t, err)
	require.NotEqual(t, old, fresh, "new ones are signed with the current key")
	for name, c := range map[string]struct {
		keys secret.Keyring
		link string
		ok   bool
	}{
		"an old one, while the old key is named": {between, old, true}, "a new one": {between, fresh, true},
		"a new one afterwards": {after, fresh, true}, "an old one afterwards": {after, old, false}, "a new one before": {before, fresh, false},
	} {
		_, ok := c.keys.LinkedRow(purposeLink, c.link)
		require.Equal(t, c.ok, ok, name)
	}
}
