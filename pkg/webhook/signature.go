package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// The headers of a delivery (Standard Webhooks 1.0).
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp"
	HeaderSignature = "webhook-signature"
)

// secretPrefix precedes the base64 of a secret when it is shown.
const secretPrefix = "whsec_"

// RandomSecret returns 32 random bytes.
func RandomSecret() []byte {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails since Go 1.24
	return b
}

// ShowSecret returns the secret as it is shown to staff, once.
func ShowSecret(key []byte) string { return secretPrefix + base64.StdEncoding.EncodeToString(key) }

// Sign returns the header webhook-signature: one signature for each key, separated by spaces.
func Sign(keys [][]byte, eventID string, at time.Time, body []byte) string {
	signatures := make([]string, 0, len(keys))
	for _, key := range keys {
		m := hmac.New(sha256.New, key)
		m.Write([]byte(eventID + "." + strconv.FormatInt(at.Unix(), 10) + "."))
		m.Write(body)
		signatures = append(signatures, "v1,"+base64.StdEncoding.EncodeToString(m.Sum(nil)))
	}
	return strings.Join(signatures, " ")
}

// Signed returns the headers of a message that is signed with one key.
func Signed(key []byte, messageID string, at time.Time, body []byte) map[string]string {
	return map[string]string{
		HeaderID: messageID, HeaderTimestamp: strconv.FormatInt(at.Unix(), 10), HeaderSignature: Sign([][]byte{key}, messageID, at, body),
	}
}
