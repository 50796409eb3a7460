// Package passkey registers and checks passkeys: WebAuthn credentials that the browser or a security key holds, that can be found
// without a name (discoverable), and that are used only after their owner unlocked them (user verification). It keeps nothing: the
// caller stores keys and challenges, and uses each challenge once.
package passkey

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
)

// Life is how long a challenge is valid, also in the browser.
const Life = 5 * time.Minute

var (
	// ErrRefused reports an invalid answer: another site, challenge or key, or a passkey that was not unlocked.
	ErrRefused = errors.New("passkey refused")
	// ErrNoDomain reports that the site is reached by an IP address, for which browsers make no passkeys.
	ErrNoDomain = errors.New("passkeys need a site with a domain name")
)

// Site is the site that passkeys are for. Browsers offer a passkey only to the domain that it was made for, and sign the origin of the
// page, which has to be the site's own: a subdomain's is refused.
type Site struct{ web *webauthn.WebAuthn }

// NewSite returns the site at the URL; name is shown by the browser. At an IP address every method fails with ErrNoDomain.
func NewSite(at *url.URL, name string) (*Site, error) {
	if net.ParseIP(at.Hostname()) != nil {
		return &Site{}, nil
	}
	limit := webauthn.TimeoutConfig{Timeout: Life, TimeoutUVD: Life}
	web, err := webauthn.New(&webauthn.Config{
		RPID: at.Hostname(), RPDisplayName: name, RPOrigins: []string{origin(at)},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{Login: limit, Registration: limit},
	})
	if err != nil {
		return nil, fmt.Errorf("site of passkeys: %w", err)
	}
	return &Site{web: web}, nil
}

// origin returns what browsers sign for the site's pages, which leave a port out that goes without saying.
func origin(at *url.URL) string {
	host := at.Host
	if usual := map[string]string{"https": "443", "http": "80"}[at.Scheme]; at.Port() == usual {
		host = at.Hostname()
	}
	return at.Scheme + "://" + host
}

// Owner is the owner of a passkey. ID is at most 64 bytes and reveals no name; browsers show the names.
type Owner struct {
	ID          []byte
	Name, Title string
}

// Key is the stored part of a passkey. Count is the number of its last use, 0 for keys without a counter.
type Key struct {
	ID, PublicKey []byte
	Transports    []string
	// Synced means that it may be copied to other devices of its owner, as password managers do.
	Synced bool
	Count  uint32
}

// Ask is a request to a browser: the options of navigator.credentials in the JSON form of WebAuthn, and the challenge in them.
type Ask struct {
	Options   json.RawMessage
	Challenge []byte
}

// Made is a browser's answer to Create; every part is base64url without padding.
type Made struct {
	ID          string   `json:"id"`
	ClientData  string   `json:"client_data"`
	Attestation string   `json:"attestation"`
	Transports  []string `json:"transports"`
}

// Used is a browser's answer to Request; every part is base64url without padding.
type Used struct {
	ID                string `json:"id"`
	ClientData        string `json:"client_data"`
	AuthenticatorData string `json:"authenticator_data"`
	Signature         string `json:"signature"`
	UserHandle        string `json:"user_handle"`
}

// Create requests a new passkey on a device that does not have any of the known ones.
func (s *Site) Create(o Owner, known []Key) (Ask, error) {
	if s.web == nil {
		return Ask{}, ErrNoDomain
	}
	creation, _, err := s.web.BeginRegistration(user{owner: o}, webauthn.WithExclusions(descriptors(known)),
		webauthn.WithCredentialParameters(webauthn.CredentialParametersRecommendedL3()))
	if err != nil {
		return Ask{}, fmt.Errorf("ask for a new passkey: %w", err)
	}
	return ask(creation.Response, creation.Response.Challenge)
}

// Request requests any passkey of the site.
func (s *Site) Request() (Ask, error) {
	if s.web == nil {
		return Ask{}, ErrNoDomain
	}
	assertion, _, err := s.web.BeginDiscoverableLogin()
	if err != nil {
		return Ask{}, fmt.Errorf("ask for a passkey: %w", err)
	}
	return ask(assertion.Response, assertion.Response.Challenge)
}

func ask(options any, challenge []byte) (Ask, error) {
	raw, err := json.Marshal(options)
	if err != nil {
		return Ask{}, fmt.Errorf("options of a passkey: %w", err)
	}
	return Ask{Options: raw, Challenge: challenge}, nil
}

// Accept returns the new passkey if the answer is to this challenge for this owner; otherwise ErrRefused.
func (s *Site) Accept(o Owner, challenge []byte, m Made) (Key, error) {
	if s.web == nil {
		return Key{}, ErrNoDomain
	}
	parts, err := decode(m.ID, m.ClientData, m.Attestation)
	if err != nil {
		return Key{}, err
	}
	parsed, err := protocol.CredentialCreationResponse{
		PublicKeyCredential: credential(m.ID, parts[0]),
		AttestationResponse: protocol.AuthenticatorAttestationResponse{
			AuthenticatorResponse: protocol.AuthenticatorResponse{ClientDataJSON: parts[1]}, AttestationObject: parts[2],
			Transports: m.Transports,
		},
	}.Parse()
	if err != nil {
		return Key{}, refused(err)
	}
	session := s.session(challenge, o.ID)
	session.CredParams = webauthn.CredentialParametersRecommendedL3()
	made, err := s.web.CreateCredential(user{owner: o}, session, parsed)
	if err != nil {
		return Key{}, refused(err)
	}
	k := Key{ID: made.ID, PublicKey: made.PublicKey, Synced: made.Flags.BackupEligible, Count: made.Authenticator.SignCount}
	for _, t := range made.Transport {
		k.Transports = append(k.Transports, string(t))
	}
	return k, nil
}

// Verify returns the count of this use if the owner of the key answered the challenge; otherwise ErrRefused. Cloned means that the
// count did not grow, as happens when two copies of one key are in use; then the answer is right, and the caller must refuse it.
func (s *Site) Verify(ownerID []byte, k Key, challenge []byte, u Used) (count uint32, cloned bool, err error) {
	if s.web == nil {
		return 0, false, ErrNoDomain
	}
	parts, err := decode(u.ID, u.ClientData, u.AuthenticatorData, u.Signature, u.UserHandle)
	if err != nil {
		return 0, false, err
	}
	parsed, err := protocol.CredentialAssertionResponse{
		PublicKeyCredential: credential(u.ID, parts[0]),
		AssertionResponse: protocol.AuthenticatorAssertionResponse{
			AuthenticatorResponse: protocol.AuthenticatorResponse{ClientDataJSON: parts[1]}, AuthenticatorData: parts[2],
			Signature: parts[3], UserHandle: parts[4],
		},
	}.Parse()
	if err != nil {
		return 0, false, refused(err)
	}
	owner := user{owner: Owner{ID: ownerID}, keys: []webauthn.Credential{kept(k)}}
	proved, err := s.web.ValidateDiscoverableLogin(func([]byte, []byte) (webauthn.User, error) { return owner, nil }, s.session(challenge, nil), parsed)
	if err != nil {
		return 0, false, refused(err)
	}
	return proved.Authenticator.SignCount, proved.Authenticator.CloneWarning, nil
}

// IDOf returns the id of the passkey that an answer names, before anything about it is judged.
func (u Used) IDOf() ([]byte, error) {
	parts, err := decode(u.ID)
	if err != nil {
		return nil, err
	}
	return parts[0], nil
}

func (s *Site) session(challenge, ownerID []byte) webauthn.SessionData {
	return webauthn.SessionData{
		Challenge: base64.RawURLEncoding.EncodeToString(challenge), RelyingPartyID: s.web.Config.RPID, UserID: ownerID,
		UserVerification: protocol.VerificationRequired,
	}
}

func credential(id string, raw []byte) protocol.PublicKeyCredential {
	return protocol.PublicKeyCredential{
		Credential: protocol.Credential{ID: id, Type: string(protocol.PublicKeyCredentialType)}, RawID: raw,
	}
}

func kept(k Key) webauthn.Credential {
	c := webauthn.Credential{
		ID: k.ID, PublicKey: k.PublicKey, Flags: webauthn.CredentialFlags{UserPresent: true, UserVerified: true, BackupEligible: k.Synced},
		Authenticator: webauthn.Authenticator{SignCount: k.Count},
	}
	for _, t := range k.Transports {
		c.Transport = append(c.Transport, protocol.AuthenticatorTransport(t))
	}
	return c
}

func descriptors(keys []Key) []protocol.CredentialDescriptor {
	list := make([]protocol.CredentialDescriptor, 0, len(keys))
	for _, k := range keys {
		known := kept(k)
		list = append(list, known.Descriptor())
	}
	return list
}

// refused hides the library's text beyond the step that failed: it may quote the answer.
func refused(err error) error {
	if known, ok := errors.AsType[*protocol.Error](err); ok {
		return fmt.Errorf("%w: %s", ErrRefused, known.Type)
	}
	return ErrRefused
}

func decode(parts ...string) ([][]byte, error) {
	raw := make([][]byte, 0, len(parts))
	for _, part := range parts {
		one, err := base64.RawURLEncoding.Strict().DecodeString(part)
		if err != nil || slices.Contains([]byte(part), '\n') || slices.Contains([]byte(part), '\r') {
			return nil, fmt.Errorf("%w: not base64url", ErrRefused)
		}
		raw = append(raw, one)
	}
	return raw, nil
}

// user is an owner as the library wants one.
type user struct {
	owner Owner
	keys  []webauthn.Credential
}

func (u user) WebAuthnID() []byte                         { return u.owner.ID }
func (u user) WebAuthnName() string                       { return u.owner.Name }
func (u user) WebAuthnDisplayName() string                { return u.owner.Title }
func (u user) WebAuthnCredentials() []webauthn.Credential { return u.keys }
