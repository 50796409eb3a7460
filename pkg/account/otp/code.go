package otp

import (
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

const tryMemory = 15 * time.Minute // longer than a code's lifetime, so that no code gets more than MaxCodeTries

const maxSends = 60 // attempts per SMS, more than fit into the lifetime of a code

// Message is the kind of message that a row of one_time_codes sends.
type Message string

// The messages of a row. MessageNone sends nothing, and the requester cannot tell.
const (
	MessageCode          Message = "code"
	MessageAccountExists Message = "account_exists"
	MessageMobileChanged Message = "mobile_changed"
	MessageErasureAsked  Message = "erasure_asked"
	MessageNone          Message = "none"
)

// Digits returns the row's six digits: HMAC-SHA256 under the key for one-time codes, so that they are stored nowhere and
// a message sent again contains the same digits.
func Digits(keys secret.Keyring, codeID string) string {
	n := binary.BigEndian.Uint64(keys.MAC(secret.PurposeOTP, codeID))
	return fmt.Sprintf("%06d", n%1_000_000)
}

// Code is a row of one_time_codes.
type Code struct {
	ID            string          `db:"id"`
	Mobile        string          `db:"mobile"`
	Purpose       account.Purpose `db:"purpose"`
	Message       Message         `db:"message"`
	SignUpID      *string         `db:"sign_up_id"`
	FranchiserRef *string         `db:"franchiser_ref"`
	BoundTo       []byte          `db:"bound_to"`
	BrowserHash   []byte          `db:"browser_hash"`
	CreatedAt     time.Time       `db:"created_at"`
	ExpiresAt     time.Time       `db:"expires_at"`
	SentAt        *time.Time      `db:"sent_at"`
	UsedAt        *time.Time      `db:"used_at"`
	// Language is the language of the page that requested it, or empty.
	Language i18n.Language `db:"language"`
}

// matches reports whether the digits are right. For a row that sent no code, no digits are.
func (c Code) matches(keys secret.Keyring, digits string) bool {
	if c.Message != MessageCode {
		return false
	}
	for one := range keys.Each() { // the worker that sent it may already, or still, have used another key
		if subtle.ConstantTimeCompare([]byte(Digits(one, c.ID)), []byte(digits)) == 1 {
			return true
		}
	}
	return false
}

// Expired reports whether the code is no longer valid.
func (c Code) Expired(now time.Time) bool { return !now.Before(c.ExpiresAt) }

// message returns the SMS of the row in a language, without its text.
func (c Code) message(keys secret.Keyring, l i18n.Language) message.Message {
	m := message.Message{ID: c.ID, Mobile: c.Mobile, ExpiresAt: c.ExpiresAt, Language: l}
	switch c.Message {
	case MessageCode:
		digits := Digits(keys, c.ID)
		m.Template, m.Values = message.TemplateCode, []string{digits, digits}
	case MessageAccountExists:
		m.Template = message.TemplateAccountExists
	case MessageMobileChanged:
		m.Template = message.TemplateMobileChanged
	case MessageErasureAsked:
		m.Template, m.Values = message.TemplateErasureAsked, []string{l.Day(account.ErasureAsked(&c.CreatedAt).On)}
	case MessageNone:
	}
	return m
}

// template names the SMS of the row.
func (c Code) template() string {
	return map[Message]string{
		MessageCode: message.TemplateCode, MessageAccountExists: message.TemplateAccountExists, MessageMobileChanged: message.TemplateMobileChanged,
		MessageErasureAsked: message.TemplateErasureAsked,
	}[c.Message]
}

// SendDay returns the day in India for which sends are counted, and the time left in it.
func SendDay(now time.Time) (day string, left time.Duration) {
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

// Guess is a code that a user typed, and the other conditions that it must match.
type Guess struct {
	Mobile  string
	Purpose account.Purpose
	Digits  string
	// franchiserID is set if the code was requested by a signed-in user.
	FranchiserID *string
	// browserHash is set if the browser began a sign-up or a reset.
	BrowserHash []byte
	// boundTo holds the keyed hashes, one per key, of the subject that the code confirms besides the mobile, if any.
	BoundTo [][]byte
}

func (g Guess) confirms(c Code) bool {
	if len(g.BoundTo) == 0 {
		return len(c.BoundTo) == 0
	}
	return slices.ContainsFunc(g.BoundTo, func(mac []byte) bool { return subtle.ConstantTimeCompare(c.BoundTo, mac) == 1 })
}

// owner returns whose tries are counted: the franchiser, or the browser, that requested the code; empty for a browser
// without cookies.
func (g Guess) owner() []byte {
	if g.FranchiserID != nil {
		return []byte(*g.FranchiserID)
	}
	if g.BrowserHash == nil {
		return []byte{}
	}
	return g.BrowserHash
}

// ValidateGuess checks the form of a mobile and a code that a person entered.
func ValidateGuess(mobile, digits string) error {
	var v errs.Validation
	account.CheckMobile(&v, "mobile", mobile)
	account.CheckCodeFormat(&v, "otp", digits)
	return v.Err()
}
