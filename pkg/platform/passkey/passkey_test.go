package passkey_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/passkey"
	"github.com/franchise360/franchise360/pkg/platform/passkey/passkeytest"
)

const at = "https://franchise360.example"

func site(t *testing.T, address string) *passkey.Site {
	t.Helper()
	parsed, err := url.Parse(address)
	require.NoError(t, err)
	s, err := passkey.NewSite(parsed, "Franchise 360")
	require.NoError(t, err)
	return s
}

func sunita() passkey.Owner {
	return passkey.Owner{ID: []byte("sunita-123456789"), Name: "sunita@example.in", Title: "Sunita"}
}

// registered returns a device with Sunita's passkey, and the key that the site stores.
func registered(t *testing.T, s *passkey.Site) (*passkeytest.Device, passkey.Key) {
	t.Helper()
	d := passkeytest.New(at)
	ask, err := s.Create(sunita(), nil)
	require.NoError(t, err)
	k, err := s.Accept(sunita(), ask.Challenge, d.Create(t, ask.Options))
	require.NoError(t, err)
	return d, k
}

func TestPasskey_Registered_SignsIn(t *testing.T) {
	t.Parallel()
	for _, address := range []string{at, at + ":443"} {
		s := site(t, address)
		d, k := registered(t, s)
		ask, err := s.Request()
		require.NoError(t, err)
		used := d.Use(t, ask.Options)
		named, err := used.IDOf()
		require.NoError(t, err)
		require.Equal(t, k.ID, named)
		count, cloned, err := s.Verify(sunita().ID, k, ask.Challenge, used)
		require.NoError(t, err)
		require.False(t, cloned)
		require.Greater(t, count, k.Count)
	}
}

func TestCreate_RequiresADiscoverableKeyAndUserVerification(t *testing.T) {
	t.Parallel()
	s := site(t, at)
	_, k := registered(t, s)
	ask, err := s.Create(sunita(), []passkey.Key{k})
	require.NoError(t, err)
	var made struct {
		RP                     struct{ ID string }
		User                   struct{ ID, Name, DisplayName string }
		ExcludeCredentials     []struct{ ID, Type string }
		AuthenticatorSelection struct{ ResidentKey, UserVerification string }
		Attestation            string
		Timeout                int
	}
	require.NoError(t, json.Unmarshal(ask.Options, &made))
	require.Equal(t, "franchise360.example", made.RP.ID)
	require.Equal(t, "c3VuaXRhLTEyMzQ1Njc4OQ", made.User.ID)
	require.Equal(t, "sunita@example.in", made.User.Name)
	require.Equal(t, "Sunita", made.User.DisplayName)
	require.Len(t, made.ExcludeCredentials, 1, "a device makes no second passkey")
	require.Equal(t, "required", made.AuthenticatorSelection.ResidentKey)
	require.Equal(t, "required", made.AuthenticatorSelection.UserVerification)
	require.Equal(t, "none", made.Attestation)
	require.Equal(t, 300_000, made.Timeout)

	ask, err = s.Request()
	require.NoError(t, err)
	var request struct {
		RPID             string `json:"rpId"`
		AllowCredentials []any
		UserVerification string
	}
	require.NoError(t, json.Unmarshal(ask.Options, &request))
	require.Equal(t, "franchise360.example", request.RPID)
	require.Equal(t, "required", request.UserVerification)
	require.Empty(t, request.AllowCredentials, "nobody is told who has passkeys")
	other, err := s.Request()
	require.NoError(t, err)
	require.NotEqual(t, ask.Challenge, other.Challenge)
	require.Len(t, ask.Challenge, 32)
}

func TestRegister_OtherSiteOrChallenge_IsRefused(t *testing.T) {
	t.Parallel()
	s := site(t, at)
	for name, change := range map[string]func(*passkeytest.Device){
		"another site":    func(d *passkeytest.Device) { d.Origin, d.RPID = "https://evil.example", "evil.example" },
		"a subdomain":     func(d *passkeytest.Device) { d.Origin = "https://shop.franchise360.example" },
		"another port":    func(d *passkeytest.Device) { d.Origin = at + ":8443" },
		"in clear":        func(d *passkeytest.Device) { d.Origin = "http://franchise360.example" },
		"another domain":  func(d *passkeytest.Device) { d.RPID = "shop.franchise360.example" },
		"not unlocked":    func(d *passkeytest.Device) { d.Locked = true },
		"no user present": func(d *passkeytest.Device) { d.Absent = true },
	} {
		d := passkeytest.New(at)
		change(d)
		ask, err := s.Create(sunita(), nil)
		require.NoError(t, err)
		_, err = s.Accept(sunita(), ask.Challenge, d.Create(t, ask.Options))
		require.ErrorIs(t, err, passkey.ErrRefused, name)
	}
	d := passkeytest.New(at)
	ask, err := s.Create(sunita(), nil)
	require.NoError(t, err)
	other, err := s.Create(sunita(), nil)
	require.NoError(t, err)
	made := d.Create(t, ask.Options)
	_, err = s.Accept(sunita(), other.Challenge, made)
	require.ErrorIs(t, err, passkey.ErrRefused, "another challenge")
	_, err = s.Accept(sunita(), nil, made)
	require.ErrorIs(t, err, passkey.ErrRefused, "no challenge")
	for name, broken := range map[string]passkey.Made{
		"nothing":        {},
		"no base64url":   {ID: "+/+/", ClientData: made.ClientData, Attestation: made.Attestation},
		"a line break":   {ID: made.ID + "\n", ClientData: made.ClientData, Attestation: made.Attestation},
		"another id":     {ID: "AAAA", ClientData: made.ClientData, Attestation: made.Attestation},
		"no attestation": {ID: made.ID, ClientData: made.ClientData},
		"no client data": {ID: made.ID, Attestation: made.Attestation},
	} {
		_, err = s.Accept(sunita(), ask.Challenge, broken)
		require.ErrorIs(t, err, passkey.ErrRefused, name)
	}
	request, err := s.Request()
	require.NoError(t, err)
	used := d.Use(t, request.Options)
	_, err = s.Accept(sunita(), request.Challenge, passkey.Made{ID: made.ID, ClientData: used.ClientData, Attestation: made.Attestation})
	require.ErrorIs(t, err, passkey.ErrRefused, "the answer to a sign-in")
}

func TestVerify_OtherSiteChallengeOrOwner_IsRefused(t *testing.T) {
	t.Parallel()
	s := site(t, at)
	for name, change := range map[string]func(*passkeytest.Device){
		"another site":    func(d *passkeytest.Device) { d.Origin, d.RPID = "https://evil.example", "evil.example" },
		"a subdomain":     func(d *passkeytest.Device) { d.Origin = "https://shop.franchise360.example" },
		"another domain":  func(d *passkeytest.Device) { d.RPID = "shop.franchise360.example" },
		"not unlocked":    func(d *passkeytest.Device) { d.Locked = true },
		"no user present": func(d *passkeytest.Device) { d.Absent = true },
		"another owner":   func(d *passkeytest.Device) { d.Owner = []byte("ravi-12345678901") },
		"no owner":        func(d *passkeytest.Device) { d.Owner = nil },
		"another key": func(d *passkeytest.Device) {
			d.Credential.Key = passkeytest.New(at).Credential.Key
		},
	} {
		d, k := registered(t, s)
		change(d)
		ask, err := s.Request()
		require.NoError(t, err)
		_, _, err = s.Verify(sunita().ID, k, ask.Challenge, d.Use(t, ask.Options))
		require.ErrorIs(t, err, passkey.ErrRefused, name)
	}
	d, k := registered(t, s)
	ask, err := s.Request()
	require.NoError(t, err)
	other, err := s.Request()
	require.NoError(t, err)
	used := d.Use(t, ask.Options)
	_, _, err = s.Verify(sunita().ID, k, other.Challenge, used)
	require.ErrorIs(t, err, passkey.ErrRefused, "another challenge")
	_, _, err = s.Verify(sunita().ID, k, nil, used)
	require.ErrorIs(t, err, passkey.ErrRefused, "no challenge")
	changed := used
	changed.Signature = changed.Signature[:len(changed.Signature)-4]
	_, _, err = s.Verify(sunita().ID, k, ask.Challenge, changed)
	require.ErrorIs(t, err, passkey.ErrRefused, "a signature cut short")
	_, stranger := registered(t, s)
	_, _, err = s.Verify(sunita().ID, stranger, ask.Challenge, used)
	require.ErrorIs(t, err, passkey.ErrRefused, "the key of another device")
	_, err = passkey.Used{ID: "not base64url"}.IDOf()
	require.ErrorIs(t, err, passkey.ErrRefused)
}

func TestVerify_CountDoesNotGrow_ReportsACopiedKey(t *testing.T) {
	t.Parallel()
	s := site(t, at)
	d, k := registered(t, s)
	verify := func(count uint32) (uint32, bool) {
		t.Helper()
		ask, err := s.Request()
		require.NoError(t, err)
		d.Credential.Counter = count
		got, cloned, err := s.Verify(sunita().ID, k, ask.Challenge, d.Repeat(t, ask.Options))
		require.NoError(t, err)
		return got, cloned
	}
	k.Count = 7
	for count, cloned := range map[uint32]bool{8: false, 100: false, 7: true, 3: true, 0: true} {
		_, is := verify(count)
		require.Equal(t, cloned, is, count)
	}
	k.Count = 0
	_, is := verify(0)
	require.False(t, is, "most synced passkeys count nothing")
	_, is = verify(1)
	require.False(t, is)
}

func TestSite_IPAddress_HasNoPasskeys(t *testing.T) {
	t.Parallel()
	s := site(t, "http://127.0.0.1:8080")
	_, err := s.Create(sunita(), nil)
	require.ErrorIs(t, err, passkey.ErrNoDomain)
	_, err = s.Request()
	require.ErrorIs(t, err, passkey.ErrNoDomain)
	_, err = s.Accept(sunita(), nil, passkey.Made{})
	require.ErrorIs(t, err, passkey.ErrNoDomain)
	_, _, err = s.Verify(nil, passkey.Key{}, nil, passkey.Used{})
	require.ErrorIs(t, err, passkey.ErrNoDomain)
	localhost, err := url.Parse("http://localhost:8080")
	require.NoError(t, err)
	_, err = passkey.NewSite(localhost, "Franchise 360")
	require.NoError(t, err)
}
