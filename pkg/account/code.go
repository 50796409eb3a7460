package account

import (
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// codeMessage is what a row of one_time_codes sends.
type codeMessage string

const (
	messageCode          codeMessage = "code"
	messageAccountExists codeMessage = "account_exists"
	messageMobileChanged codeMessage = "mobile_changed"
	messageNone          codeMessage = "none" // nothing is sent, and nobody can tell
)

// Code returns the six digits that belong to the row: HMAC-SHA256 under the key for one-time codes, so that they are
// stored nowhere and a message that is sent again says the same.
func Code(keys secret.Keyring, codeID string) string {
	n := binary.BigEndian.Uint64(keys.MAC(secret.PurposeOTP, codeID))
	return fmt.Sprintf("%06d", n%1_000_000)
}

// code is one row of one_time_codes.
type code struct {
	ID            string      `db:"id"`
	Mobile        string      `db:"mobile"`
	Purpose       Purpose     `db:"purpose"`
	Message       codeMessage `db:"message"`
	SignUpID      *string     `db:"sign_up_id"`
	FranchiserRef *string     `db:"franchiser_ref"`
	BoundTo       []byte      `db:"bound_to"`
	BrowserHash   []byte      `db:"browser_hash"`
	CreatedAt     time.Time   `db:"created_at"`
	ExpiresAt     time.Time   `db:"expires_at"`
	SentAt        *time.Time  `db:"sent_at"`
	UsedAt        *time.Time  `db:"used_at"`
}

// matches says whether the digits are right. A row that sent no code has none that could be.
func (c code) matches(keys secret.Keyring, digits string) bool {
	if c.Message != messageCode {
		return false
	}
	for one := range keys.Each() { // the worker that sent it may have another key already, or still
		if subtle.ConstantTimeCompare([]byte(Code(one, c.ID)), []byte(digits)) == 1 {
			return true
		}
	}
	return false
}

func (c code) expired(now time.Time) bool { return !now.Before(c.ExpiresAt) }

// message returns the SMS of the row, without its text.
func (c code) message(keys secret.Keyring) message.Message {
	m := message.Message{ID: c.ID, Mobile: c.Mobile, ExpiresAt: c.ExpiresAt}
	switch c.Message {
	case messageCode:
		digits := Code(keys, c.ID)
		m.Template, m.Values = message.TemplateCode, []string{digits, digits}
	case messageAccountExists:
		m.Template = message.TemplateAccountExists
	case messageMobileChanged:
		m.Template = message.TemplateMobileChanged
	case messageNone:
	}
	return m
}

// sendDay is the day of India on which sends are counted, and how long it still lasts.
func sendDay(now time.Time) (day string, left time.Duration) {
	ist := now.In(clock.IST)
	next := time.Date(ist.Year(), ist.Month(), ist.Day()+1, 0, 0, 0, 0, clock.IST)
	return ist.Format(time.DateOnly), next.Sub(now)
}

// sendHour is the hour of India on which sends beyond the day's free ones are counted, and how long it still lasts.
func sendHour(now time.Time) (hour string, left time.Duration) {
	ist := now.In(clock.IST)
	next := time.Date(ist.Year(), ist.Month(), ist.Day(), ist.Hour()+1, 0, 0, 0, clock.IST)
	return ist.Format("2006-01-02 15"), next.Sub(now)
}

// guess is a code that somebody typed in, and what it has to fit besides the digits.
type guess struct {
	mobile  string
	purpose Purpose
	digits  string
	// franchiserID is set where the code was asked for by somebody signed in.
	franchiserID *string
	// browserHash is set where the browser began a sign-up or a reset.
	browserHash []byte
	// boundTo are the keyed hashes, one for each key, of what the code confirms besides the mobile; none where it is nothing.
	boundTo [][]byte
}

func (g guess) confirms(c code) bool {
	if len(g.boundTo) == 0 {
		return len(c.BoundTo) == 0
	}
	return slices.ContainsFunc(g.boundTo, func(mac []byte) bool { return subtle.ConstantTimeCompare(c.BoundTo, mac) == 1 })
}

// owner is who has the five tries: the franchiser, or the browser, that asked for the code; empty for a browser without cookies.
func (g guess) owner() []byte {
	if g.franchiserID != nil {
		return []byte(*g.franchiserID)
	}
	if g.browserHash == nil {
		return []byte{}
	}
	return g.browserHash
}
