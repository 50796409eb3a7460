package account

import (
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// codeMessage is the kind of message that a row of one_time_codes sends.
type codeMessage string

const (
	messageCode          codeMessage = "code"
	messageAccountExists codeMessage = "account_exists"
	messageMobileChanged codeMessage = "mobile_changed"
	messageErasureAsked  codeMessage = "erasure_asked"
	messageNone          codeMessage = "none" // nothing is sent, and the requester cannot tell
)

// Code returns the row's six digits: HMAC-SHA256 under the key for one-time codes, so that they are stored nowhere and
// a message sent again contains the same digits.
func Code(keys secret.Keyring, codeID string) string {
	n := binary.BigEndian.Uint64(keys.MAC(secret.PurposeOTP, codeID))
	return fmt.Sprintf("%06d", n%1_000_000)
}

// code is a row of one_time_codes.
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
	// Language is the language of the page that requested it, or empty.
	Language i18n.Language `db:"language"`
}

// matches reports whether the digits are right. For a row that sent no code, no digits are.
func (c code) matches(keys secret.Keyring, digits string) bool {
	if c.Message != messageCode {
		return false
	}
	for one := range keys.Each() { // the worker that sent it may already, or still, have used another key
		if subtle.ConstantTimeCompare([]byte(Code(one, c.ID)), []byte(digits)) == 1 {
			return true
		}
	}
	return false
}

func (c code) expired(now time.Time) bool { return !now.Before(c.ExpiresAt) }

// message returns the SMS of the row in a language, without its text.
func (c code) message(keys secret.Keyring, l i18n.Language) message.Message {
	m := message.Message{ID: c.ID, Mobile: c.Mobile, ExpiresAt: c.ExpiresAt, Language: l}
	switch c.Message {
	case messageCode:
		digits := Code(keys, c.ID)
		m.Template, m.Values = message.TemplateCode, []string{digits, digits}
	case messageAccountExists:
		m.Template = message.TemplateAccountExists
	case messageMobileChanged:
		m.Template = message.TemplateMobileChanged
	case messageErasureAsked:
		m.Template, m.Values = message.TemplateErasureAsked, []string{l.Day(ErasureAsked(&c.CreatedAt).On)}
	case messageNone:
	}
	return m
}

// template names the SMS of the row.
func (c code) template() string {
	return map[codeMessage]string{
		messageCode: message.TemplateCode, messageAccountExists: message.TemplateAccountExists, messageMobileChanged: message.TemplateMobileChanged,
		messageErasureAsked: message.TemplateErasureAsked,
	}[c.Message]
}

// sendDay returns the day in India for which sends are counted, and the time left in it.
func sendDay(now time.Time) (day string, left time.Duration) {
	ist := now.In(clock.IST)
	next := time.Date(ist.Year(), ist.Month(), ist.Day()+1, 0, 0, 0, 0, clock.IST)
	return ist.Format(time.DateOnly), next.Sub(now)
}

// sendHour returns the hour in India for which sends beyond the day's free ones are counted, and the time left in it.
func sendHour(now time.Time) (hour string, left time.Duration) {
	ist := now.In(clock.IST)
	next := time.Date(ist.Year(), ist.Month(), ist.Day(), ist.Hour()+1, 0, 0, 0, clock.IST)
	return ist.Format("2006-01-02 15"), next.Sub(now)
}

// guess is a code that a user typed, and the other conditions that it must match.
type guess struct {
	mobile  string
	purpose Purpose
	digits  string
	// franchiserID is set if the code was requested by a signed-in user.
	franchiserID *string
	// browserHash is set if the browser began a sign-up or a reset.
	browserHash []byte
	// boundTo holds the keyed hashes, one per key, of the subject that the code confirms besides the mobile, if any.
	boundTo [][]byte
}

func (g guess) confirms(c code) bool {
	if len(g.boundTo) == 0 {
		return len(c.BoundTo) == 0
	}
	return slices.ContainsFunc(g.boundTo, func(mac []byte) bool { return subtle.ConstantTimeCompare(c.BoundTo, mac) == 1 })
}

// owner returns whose tries are counted: the franchiser, or the browser, that requested the code; empty for a browser
// without cookies.
func (g guess) owner() []byte {
	if g.franchiserID != nil {
		return []byte(*g.franchiserID)
	}
	if g.browserHash == nil {
		return []byte{}
	}
	return g.browserHash
}
