package outlet

import (
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"regexp"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/lifecycle"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Lifetimes and limits of invitations and codes.
const (
	// InviteLife is how long an invitation can be accepted.
	InviteLife = 7 * 24 * time.Hour
	// CodeLife is how long a code to sign in is valid.
	CodeLife = 10 * time.Minute

	sendPause      = 59 * time.Second // between two SMS to a partner
	maxInvitesADay = 5                // to one partner
	maxOfStoreADay = 50               // invitations of a store
	maxUnpaidADay  = 5                // of these, before the franchiser's first payment
	maxCodesADay   = 10               // to one partner
	maxTries       = 5                // of a code
	maxPartners    = 500              // of a store, so that one page shows them all
	messagesKept   = 30 * 24 * time.Hour
	purposeInvite  = secret.Purpose("partner invitation")
	purposeCode    = secret.Purpose("partner code")
)

// Failures of partners, safe to show.
var (
	// ErrPartnerExists says that the mobile is another partner's of the store.
	ErrPartnerExists = errs.Invalid(i18n.Mark("You already invited this mobile number.")).Field("mobile", i18n.Mark("You already invited this mobile number."))
	// ErrInvitation is the one answer for an invitation that was accepted, withdrawn, replaced, has expired or never was.
	ErrInvitation = errs.New(errs.KindNotFound, "no_invitation", i18n.Mark("This invitation is no longer valid. Ask the store to send you another one."))
	// ErrPartnerCode is the same for a wrong, expired or used code.
	ErrPartnerCode = errs.New(errs.KindUnauthenticated, "wrong_code", i18n.Mark("This code is wrong or has expired.")).
			Field("otp", "This code is wrong or has expired.")
	errPartnersFull   = errs.New(errs.KindLimit, "partners_full", i18n.Mark("A store has 500 partners at most. Remove those who left first."))
	errPartnerChanged = errs.New(errs.KindConflict, "partner_state", i18n.Mark("This partner accepted or was removed meanwhile."))
)

// PartnerState is the state of a partner.
type PartnerState string

// The states of a partner. A removed partner can be invited again, as a new partner.
const (
	PartnerInvited PartnerState = "invited"
	PartnerActive  PartnerState = "active"
	PartnerRemoved PartnerState = "removed"
)

// partnerStates returns the only allowed transitions of a partner.
func partnerStates() lifecycle.Table[PartnerState] {
	return lifecycle.Table[PartnerState]{
		"":             {PartnerInvited},
		PartnerInvited: {PartnerActive, PartnerRemoved},
		PartnerActive:  {PartnerRemoved},
	}
}

// Role says what a partner may do with the outlets that are assigned to them.
type Role string

// The roles of partners.
const (
	// RoleManager sees them and keeps their phone and opening hours.
	RoleManager Role = "manager"
	// RoleViewer sees them.
	RoleViewer Role = "viewer"
)

// Label returns the role for display.
func (r Role) Label() string {
	if r == RoleManager {
		return i18n.Mark("Manager")
	}
	return i18n.Mark("Viewer")
}

// Partner is a person who runs outlets of a store.
type Partner struct {
	ID         string       `db:"id"`
	Name       string       `db:"name"`
	Mobile     string       `db:"mobile"`
	Role       Role         `db:"role"`
	State      PartnerState `db:"state"`
	InvitedAt  time.Time    `db:"invited_at"`
	AcceptedAt *time.Time   `db:"accepted_at"`
	// Outlets counts the assigned outlets.
	Outlets int `db:"outlets"`
}

// MayUpdate reports whether the partner may change the phone and hours of an assigned outlet.
func (p Partner) MayUpdate() bool { return p.Role == RoleManager }

// MaskedMobile shows the last four digits.
func (p Partner) MaskedMobile() string {
	if len(p.Mobile) < 4 {
		return ""
	}
	return "•••••• " + p.Mobile[len(p.Mobile)-4:]
}

// IsMobile reports whether a text is an Indian mobile number, as people type it.
func IsMobile(typed string) bool { return mobileForm.MatchString(text.Mobile(typed)) }

// PartnerInput is an invitation as it was typed.
type PartnerInput struct {
	Name, Mobile string
	Role         Role
}

var mobileForm = regexp.MustCompile(`^[6-9][0-9]{9}$`)

// normalise returns the input as it is stored.
func (in PartnerInput) normalise() PartnerInput {
	in.Name, in.Mobile = text.Line(in.Name), text.Mobile(in.Mobile)
	return in
}

func (in PartnerInput) check() error {
	var v errs.Validation
	checkText(&v, "name", in.Name, minText, maxName, personChars, i18n.Mark("Please use letters, digits, spaces and & ' . / - only"))
	v.Check(mobileForm.MatchString(in.Mobile), "mobile", i18n.Mark("Please enter a mobile number of 10 digits"))
	v.Check(in.Role == RoleManager || in.Role == RoleViewer, "role", i18n.Mark("Kindly choose one"))
	return v.Err()
}

// partnerCode returns the six digits of a code: HMAC-SHA256 of its row's id, so that they are stored nowhere.
func partnerCode(keys secret.Keyring, messageID string) string {
	return fmt.Sprintf("%06d", binary.BigEndian.Uint64(keys.MAC(purposeCode, messageID))%1_000_000)
}

func isPartnerCode(keys secret.Keyring, messageID, given string) bool {
	for one := range keys.Each() {
		if subtle.ConstantTimeCompare([]byte(partnerCode(one, messageID)), []byte(given)) == 1 {
			return true
		}
	}
	return false
}
