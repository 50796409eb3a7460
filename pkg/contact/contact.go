// Package contact keeps what visitors of the public site submit, with their consent: contact requests, which staff answer, and
// newsletter decisions.
package contact

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

//nolint:gochecknoglobals // a constant
var topics = []string{"sales", "support", "billing", "partnership", "other"}

// topicTitle returns the topic as the contact form calls it.
func topicTitle(topic string) string {
	switch topic {
	case "sales":
		return "Plans and prices"
	case "support":
		return "Help with an account"
	case "billing":
		return "Payments and invoices"
	case "partnership":
		return "Find a host, or be one"
	default:
		return "Something else"
	}
}

// Service takes up what visitors of the public site submit: newsletter decisions and contact requests, with their consent.
type Service struct {
	db      *sqlx.DB
	jobs    *queue.Inserter
	clock   clock.Clock
	keys    secret.Keyring
	targets Targets
	// emails says that the product sends e-mail.
	emails bool
}

// NewService returns the service over the pool; emails says whether the product sends e-mail.
func NewService(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, keys secret.Keyring, targets config.Contact, emails bool) *Service {
	return wiring.Complete(&Service{db: db, jobs: jobs, clock: clk, keys: keys, targets: Targets{targets}, emails: emails})
}

const (
	minName           = 2
	maxName           = 39
	minMessage        = 10
	maxMessage        = 2000
	msgConsentToReply = "Tick the box so that we can reply"
	msgConsentToWrite = "Tick the box so that we can write to you"
)

var (
	nameForm    = regexp.MustCompile(`^\p{L}[\p{L}\p{M}\x{200C}\x{200D} .'\-` + text.FullStops + `]*$`)
	versionForm = regexp.MustCompile(`^[0-9A-Za-z._-]{1,32}$`)
)

func checkConsent(v *errs.Validation, given bool, version, without string) {
	v.Check(given, "consent", without)
	v.Check(versionForm.MatchString(version), "consent_version", "The version of the consent text is missing")
}

// Input is a contact request as it was typed; Mobile and Topic may be empty.
type Input struct {
	Name, Email, Mobile, Topic, Message string
	Consent                             bool
	ConsentVersion                      string
}

func (in Input) validate() error {
	var v errs.Validation
	switch n := utf8.RuneCountInString(in.Name); {
	case n == 0:
		v.Add("name", "Name can not be empty.")
	case n < minName:
		v.Add("name", "Please use at least 2 characters")
	case n > maxName:
		v.Add("name", "Name should be under 40 characters")
	case !nameForm.MatchString(in.Name):
		v.Add("name", "Please use letters, spaces and . ' - only")
	}
	account.CheckEmail(&v, "email", in.Email)
	if in.Mobile != "" {
		account.CheckMobile(&v, "mobile", in.Mobile)
	}
	v.Check(slices.Contains(topics, in.Topic), "topic", "Kindly choose one")
	switch n := utf8.RuneCountInString(in.Message); {
	case n == 0:
		v.Add("message", "Message can not be empty.")
	case n < minMessage:
		v.Add("message", "Please write at least 10 characters")
	case n > maxMessage:
		v.Add("message", "Please use at most 2000 characters")
	}
	checkConsent(&v, in.Consent, in.ConsentVersion, i18n.Mark(msgConsentToReply))
	return v.Err()
}

// Submit stores a contact request for staff and returns its reference. franchiserID is the account of who is signed in, or "".
func (s *Service) Submit(ctx context.Context, franchiserID string, in Input) (string, error) {
	in.Name = text.Line(in.Name)
	in.Email, in.Message = account.CleanEmail(in.Email), strings.TrimSpace(in.Message)
	if in.Topic == "" {
		in.Topic = "other"
	}
	if err := in.validate(); err != nil {
		return "", err
	}
	now := s.clock.Now()
	r := Request{ID: id.New(), Name: in.Name, Email: in.Email, Mobile: in.Mobile, Topic: in.Topic, ConsentVersion: in.ConsentVersion}
	if franchiserID != "" {
		r.FranchiserID = &franchiserID
	}
	first := Entry{ID: id.New(), ContactID: r.ID, Kind: EntryAnswer, Channel: ChannelForm, ExternalID: &r.ID, Text: in.Message, Key: string(ChannelForm), CreatedAt: now}
	return r.ID, postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		err := s.targets.openTx(ctx, tx, r, first, now)
		return err
	})
}
