package connect

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

const (
	// keyBits is the size of a signing key, the least that RS256 allows and what every library reads.
	keyBits = 2048
	// keySigns is how long a key signs, and keyShown how long it is published before it signs, and after another took its place.
	keySigns = 90 * 24 * time.Hour
	keyShown = 24 * time.Hour
)

// signingKey is a row of sign_in_keys.
type signingKey struct {
	ID        string    `db:"id"`
	Sealed    []byte    `db:"private"`
	SignsFrom time.Time `db:"signs_from"`
}

func keyBinding(keyID string) string { return "sign-in key " + keyID }

func (s *SignIns) open(k signingKey) (*rsa.PrivateKey, error) {
	raw, err := s.keys.Open(secret.PurposeSignIn, keyBinding(k.ID), k.Sealed)
	if err != nil {
		return nil, errs.Internal(err)
	}
	key, err := x509.ParsePKCS1PrivateKey(raw)
	if err != nil {
		return nil, errs.Internal(fmt.Errorf("read the key %s: %w", k.ID, err))
	}
	return key, nil
}

// due reports when the next key must exist, given the existing ones, newest first.
func due(list []signingKey, now time.Time) (signsFrom time.Time, ok bool) {
	switch {
	case len(list) == 0:
		return now, true
	case now.After(list[0].SignsFrom.Add(keySigns - keyShown)):
		return now.Add(keyShown), true
	}
	return time.Time{}, false
}

// current returns the published keys, newest first, after replacing a key that has signed for long enough. The first key is made on
// demand; two processes that need it at the same moment make one.
func (s *SignIns) current(ctx context.Context, now time.Time) (list []signingKey, err error) {
	if list, err = publishedKeys(ctx, s.db, now.Add(-keyShown)); err != nil {
		return nil, err
	}
	signsFrom, ok := due(list, now)
	if !ok {
		return list, nil
	}
	private, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return nil, errs.Internal(fmt.Errorf("make a key: %w", err))
	}
	k := signingKey{ID: id.New(), SignsFrom: signsFrom}
	if k.Sealed, err = s.keys.Seal(secret.PurposeSignIn, keyBinding(k.ID), x509.MarshalPKCS1PrivateKey(private)); err != nil {
		return nil, errs.Internal(err)
	}
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if err := lockKeys(ctx, tx); err != nil {
			return err
		}
		if list, err = keysTx(ctx, tx, now.Add(-keyShown)); err != nil {
			return err
		}
		if _, ok := due(list, now); !ok {
			return nil // another process made it
		}
		if err := replaceKeys(ctx, tx, k, now.Add(-keyShown)); err != nil {
			return err
		}
		list, err = keysTx(ctx, tx, now.Add(-keyShown))
		return err
	})
	return list, err
}

// JWK is a public key as systems read it (RFC 7517).
type JWK struct {
	Type      string `json:"kty"`
	Use       string `json:"use"`
	Algorithm string `json:"alg"`
	ID        string `json:"kid"`
	Modulus   string `json:"n"`
	Exponent  string `json:"e"`
}

// PublicKeys returns the keys by which systems verify tokens.
func (s *SignIns) PublicKeys(ctx context.Context) ([]JWK, error) {
	list, err := s.current(ctx, s.clock.Now())
	if err != nil {
		return nil, err
	}
	shown := make([]JWK, 0, len(list))
	for _, k := range list {
		private, err := s.open(k)
		if err != nil {
			return nil, err
		}
		b64 := base64.RawURLEncoding.EncodeToString
		shown = append(shown, JWK{
			Type: "RSA", Use: "sig", Algorithm: "RS256", ID: k.ID, Modulus: b64(private.N.Bytes()),
			Exponent: b64(big.NewInt(int64(private.E)).Bytes()),
		})
	}
	return shown, nil
}

// sign returns the claims as a JSON Web Token (RFC 7515, RS256).
func (s *SignIns) sign(ctx context.Context, c claims, now time.Time) (string, error) {
	list, err := s.current(ctx, now)
	if err != nil {
		return "", err
	}
	for _, k := range list {
		if k.SignsFrom.After(now) {
			continue
		}
		private, err := s.open(k)
		if err != nil {
			return "", err
		}
		header, _ := json.Marshal(map[string]string{"alg": "RS256", "typ": "JWT", "kid": k.ID}) // strings always marshal
		body, err := json.Marshal(c)
		if err != nil {
			return "", errs.Internal(err)
		}
		text := base64.RawURLEncoding.EncodeToString(header) + "." + base64.RawURLEncoding.EncodeToString(body)
		sum := sha256.Sum256([]byte(text))
		signature, err := rsa.SignPKCS1v15(nil, private, crypto.SHA256, sum[:])
		if err != nil {
			return "", errs.Internal(err)
		}
		return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
	}
	return "", errs.Internal(fmt.Errorf("none of %d keys signs at %s", len(list), now))
}
