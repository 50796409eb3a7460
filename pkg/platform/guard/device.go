package guard

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// Kind separates the accounts of different user groups in a device's cookie.
type Kind string

// The kinds of accounts a device may know.
const (
	KindFranchiser Kind = "franchiser"
	KindStaff      Kind = "staff"
	KindStore      Kind = "store"
)

const (
	purposeDevice secret.Purpose = "known devices"

	// DeviceLife is how long a device remembers an account after its last sign-in.
	DeviceLife = 180 * 24 * time.Hour
	// deviceAccounts is how many accounts a device remembers; the least recently used is dropped.
	deviceAccounts = 8

	deviceID, deviceTag, deviceEntry = 16, 10, 12
	maxDeviceCookie                  = 256
)

// Device is the list of accounts a browser has signed in to, kept in a signed cookie. The server does not store it, and the cookie does not
// reveal the accounts: it holds keyed hashes.
type Device struct {
	id      []byte
	entries [][]byte
	keys    secret.Keyring
}

// ReadDevice parses a device cookie; anything not written by Remember is an unknown device.
func ReadDevice(keys secret.Keyring, cookie string) Device {
	d := Device{keys: keys}
	if len(cookie) > maxDeviceCookie {
		return d
	}
	text, mac, _ := strings.Cut(cookie, ".")
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) < deviceID || (len(raw)-deviceID)%deviceEntry != 0 {
		return d
	}
	if subtle.ConstantTimeCompare([]byte(d.sign(text)), []byte(mac)) != 1 {
		return d
	}
	d.id = raw[:deviceID]
	for entry := range slices.Chunk(raw[deviceID:], deviceEntry) {
		d.entries = append(d.entries, entry)
	}
	return d
}

func (d Device) sign(text string) string {
	return base64.RawURLEncoding.EncodeToString(d.keys.MAC(purposeDevice, "cookie", text)[:18])
}

// ID identifies the device in counters; it is empty for a device that has never signed in.
func (d Device) ID() string { return string(d.id) }

// Knows reports whether the device signed in to the account within DeviceLife.
func (d Device) Knows(k Kind, subject string, now time.Time) bool {
	i := d.find(k, subject)
	return i >= 0 && dayOf(now)-dayIn(d.entries[i]) <= int64(DeviceLife/day)
}

// Remember returns the device's cookie after it has signed in to the account.
func (d Device) Remember(k Kind, subject string, now time.Time) string {
	if len(d.id) == 0 {
		d.id = make([]byte, deviceID)
		_, _ = rand.Read(d.id) // never fails since Go 1.24
	}
	entries := slices.Clone(d.entries)
	if i := d.find(k, subject); i >= 0 {
		entries = slices.Delete(entries, i, i+1)
	}
	newest := binary.BigEndian.AppendUint16(d.tag(k, subject), uint16(dayOf(now))) //nolint:gosec // good until the year 2149
	entries = slices.Insert(entries, 0, newest)
	entries = entries[:min(len(entries), deviceAccounts)]
	text := base64.RawURLEncoding.EncodeToString(slices.Concat(append([][]byte{d.id}, entries...)...))
	return text + "." + d.sign(text)
}

func (d Device) find(k Kind, subject string) int {
	if len(d.entries) == 0 {
		return -1
	}
	tag := d.tag(k, subject)
	return slices.IndexFunc(d.entries, func(e []byte) bool { return subtle.ConstantTimeCompare(e[:deviceTag], tag) == 1 })
}

func (d Device) tag(k Kind, subject string) []byte {
	return d.keys.MAC(purposeDevice, "account", string(d.id), string(k), subject)[:deviceTag:deviceTag]
}

func dayOf(t time.Time) int64 { return t.Unix() / int64(day/time.Second) }

func dayIn(entry []byte) int64 { return int64(binary.BigEndian.Uint16(entry[deviceTag:])) }
