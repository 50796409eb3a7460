package secret

import (
	"crypto/subtle"
	"encoding/base64"
	"fmt"

	"github.com/google/uuid"
)

const (
	// linkMAC is how many bytes of the MAC a link carries.
	linkMAC = 12
	// LinkLength is the length of what LinkTo returns.
	LinkLength = 38
)

// LinkTo returns the last part of a link that names the row: its id, signed for the purpose, so that it is stored nowhere.
func (k Keyring) LinkTo(p Purpose, rowID string) (string, error) {
	raw, err := uuid.Parse(rowID)
	if err != nil {
		return "", fmt.Errorf("id of a row in a link: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(append(raw[:], k.MAC(p, raw.String())[:linkMAC]...)), nil
}

// LinkedRow returns the id of the row that the link names, in its one spelling; false unless one of the keys signed it.
func (k Keyring) LinkedRow(p Purpose, link string) (rowID string, ok bool) {
	if len(link) != LinkLength {
		return "", false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(link)
	if err != nil {
		return "", false
	}
	parsed, err := uuid.FromBytes(raw[:16])
	if err != nil {
		return "", false
	}
	for one := range k.Each() {
		if subtle.ConstantTimeCompare(one.MAC(p, parsed.String())[:linkMAC], raw[16:]) == 1 {
			ok = true
		}
	}
	return parsed.String(), ok
}
