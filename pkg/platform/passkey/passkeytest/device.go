// Package passkeytest plays a device with one passkey in tests, honest unless told otherwise.
package passkeytest

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/descope/virtualwebauthn"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/passkey"
)

// Device has one passkey, which Create gives its owner and every Use counts.
type Device struct {
	// Origin and RPID are the browser's data about the page.
	Origin, RPID string
	// Locked means that the user did not unlock the device, Absent that the user did not touch it.
	Locked, Absent bool
	// Owner is the handle of the user that the passkey was made for.
	Owner      []byte
	Credential virtualwebauthn.Credential
}

// New returns a device whose browser shows a page of the origin.
func New(origin string) *Device {
	at, err := url.Parse(origin)
	if err != nil {
		panic(err)
	}
	return &Device{Origin: origin, RPID: at.Hostname(), Credential: newCredential()}
}

// wholeKey is the length of a key on P-256 whose two coordinates are written in full, as COSE (RFC 9053, 7.1.1) requires.
const wholeKey = 77

// newCredential draws again where virtualwebauthn leaves leading zeros of a coordinate out, which no site may take.
func newCredential() virtualwebauthn.Credential {
	for {
		c := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2)
		if len(c.Key.AttestationData()) == wholeKey {
			return c
		}
	}
}

func (d *Device) device() (virtualwebauthn.RelyingParty, virtualwebauthn.Authenticator) {
	return virtualwebauthn.RelyingParty{ID: d.RPID, Name: d.RPID, Origin: d.Origin},
		virtualwebauthn.NewAuthenticatorWithOptions(virtualwebauthn.AuthenticatorOptions{
			UserHandle: d.Owner, UserNotPresent: d.Absent, UserNotVerified: d.Locked,
		})
}

// Create answers the options of a new passkey.
func (d *Device) Create(tb testing.TB, options json.RawMessage) passkey.Made {
	tb.Helper()
	asked, err := virtualwebauthn.ParseAttestationOptions(string(options))
	require.NoError(tb, err)
	d.Owner = []byte(asked.UserID)
	site, device := d.device()
	var answer struct {
		ID       string
		Response struct{ ClientDataJSON, AttestationObject string }
	}
	require.NoError(tb, json.Unmarshal([]byte(virtualwebauthn.CreateAttestationResponse(site, device, d.Credential, *asked)), &answer))
	return passkey.Made{
		ID: answer.ID, ClientData: answer.Response.ClientDataJSON, Attestation: answer.Response.AttestationObject,
		Transports: []string{"internal"},
	}
}

// Use answers the options of a sign-in and counts.
func (d *Device) Use(tb testing.TB, options json.RawMessage) passkey.Used {
	tb.Helper()
	d.Credential.Counter++
	return d.Repeat(tb, options)
}

// Repeat answers the options of a sign-in without counting, as a copy of the passkey would.
func (d *Device) Repeat(tb testing.TB, options json.RawMessage) passkey.Used {
	tb.Helper()
	asked, err := virtualwebauthn.ParseAssertionOptions(string(options))
	require.NoError(tb, err)
	site, device := d.device()
	var answer struct {
		ID       string
		Response struct{ ClientDataJSON, AuthenticatorData, Signature, UserHandle string }
	}
	require.NoError(tb, json.Unmarshal([]byte(virtualwebauthn.CreateAssertionResponse(site, device, d.Credential, *asked)), &answer))
	return passkey.Used{
		ID: answer.ID, ClientData: answer.Response.ClientDataJSON, AuthenticatorData: answer.Response.AuthenticatorData,
		Signature: answer.Response.Signature, UserHandle: answer.Response.UserHandle,
	}
}
