package subscription

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

const (
	purposePayLink = secret.Purpose("renewal pay-link")
	payLinkMAC     = 12 // bytes: with the id it fits a variable of an SMS
	payLinkLength  = 38
	// payLinkLife is how long a link works after its reminder was created.
	payLinkLife = 31 * 24 * time.Hour
)

// ErrPayLink is returned for a link that we did not sign or that has expired.
var ErrPayLink = errs.New(errs.KindNotFound, "pay_link_invalid",
	"This link does not work. It may be incomplete or have expired. Log in to see what is due.")

// ErrPayLinkDone is returned for a link whose term was renewed, or replaced by a change of the plan.
var ErrPayLinkDone = errs.New(errs.KindConflict, "pay_link_done", "This renewal is paid. There is nothing to pay here any more.")

// PayLink is the target of a reminder's link: the payment of one renewal, that of the term before RenewOn.
type PayLink struct {
	FranchiserID   string    `db:"franchiser_id"`
	SubscriptionID string    `db:"subscription_id"`
	RenewOn        Day       `db:"renew_on"`
	CreatedAt      time.Time `db:"created_at"`
}

// Intent is the only purchase that the link's bearer can pay.
func (l PayLink) Intent() PurchaseIntent {
	return PurchaseIntent{SubscriptionID: l.SubscriptionID, Renew: true, Term: l.RenewOn}
}

// Until is when the link expires.
func (l PayLink) Until() time.Time { return l.CreatedAt.Add(payLinkLife) }

// payLinkCode returns the last part of a reminder's link: the signed id of the reminder.
func payLinkCode(keys secret.Keyring, reminderID string) (string, error) {
	raw, err := uuid.Parse(reminderID)
	if err != nil {
		return "", fmt.Errorf("id of a reminder: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(append(raw[:], keys.MAC(purposePayLink, reminderID)[:payLinkMAC]...)), nil
}

// readPayLinkCode returns the id of the link's reminder; false if we did not sign it.
func readPayLinkCode(keys secret.Keyring, code string) (reminderID string, ok bool) {
	if len(code) != payLinkLength {
		return "", false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(code)
	if err != nil {
		return "", false
	}
	parsed, err := uuid.FromBytes(raw[:len(uuid.UUID{})])
	if err != nil {
		return "", false
	}
	for one := range keys.Each() { // during a key rotation, the worker may have signed with another key
		if subtle.ConstantTimeCompare(one.MAC(purposePayLink, parsed.String())[:payLinkMAC], raw[len(uuid.UUID{}):]) == 1 {
			ok = true
		}
	}
	return parsed.String(), ok
}

// FindPayLink returns a link's target, paid or not. It returns ErrPayLink if we did not sign the link or it has expired.
func (s *Service) FindPayLink(ctx context.Context, keys secret.Keyring, code string) (PayLink, error) {
	reminderID, ok := readPayLinkCode(keys, code)
	if !ok {
		return PayLink{}, ErrPayLink
	}
	franchiserID, err := s.store.franchiserOfReminder(ctx, reminderID)
	if err != nil {
		return PayLink{}, err
	}
	if franchiserID == "" {
		return PayLink{}, ErrPayLink
	}
	var link PayLink
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		link, err = s.store.payLink(ctx, tx, franchiserID, reminderID)
		return err
	})
	if err == nil && !s.clock.Now().Before(link.Until()) {
		err = ErrPayLink
	}
	return link, err
}

func (s store) franchiserOfReminder(ctx context.Context, reminderID string) (franchiserID string, err error) {
	err = postgres.Read(ctx, s.db, func(q sqlx.QueryerContext) error {
		return sqlx.GetContext(ctx, q, &franchiserID, `SELECT franchiser_id FROM find_reminder($1)`, reminderID)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", postgres.Error(fmt.Errorf("find reminder: %w", err))
	}
	return franchiserID, nil
}

const payLinkSQL = `SELECT franchiser_id, subscription_id, renew_on, created_at FROM renewal_reminders WHERE franchiser_id = $1 AND id = $2`

func (store) payLink(ctx context.Context, tx *sqlx.Tx, franchiserID, reminderID string) (PayLink, error) {
	var l PayLink
	if err := tx.GetContext(ctx, &l, payLinkSQL, franchiserID, reminderID); err != nil {
		return l, fmt.Errorf("read pay-link: %w", err)
	}
	return l, nil
}
