package subscription

import (
	"context"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/tenant"
)

//go:embed dashboard.sql
var dashboardSQL string

// BuyerSQL is also for other domains' statements: one BuyerRow with everything about the franchiser $1, set by the caller, on the day $2,
// and the current catalogue. Its paid lines are those that an upgrade credits. Keys are the names of columns.
const BuyerSQL = `
	SELECT jsonb_build_object(
		'person', (
			SELECT jsonb_build_object('first_name', f.first_name, 'last_name', f.last_name, 'email', f.email, 'mobile', f.mobile,
				'store_name', coalesce(t.store_name, ''), 'document_language', l.document_language, 'language', l.language)
			FROM person_overview f JOIN language_overview l ON l.franchiser_id = f.franchiser_id LEFT JOIN store_overview t ON t.franchiser_id = f.franchiser_id
			WHERE f.franchiser_id = $1 AND f.erased_at IS NULL),
		'subscription', (SELECT to_jsonb(s) FROM subscriptions s WHERE s.franchiser_id = $1),
		'add_ons', (
			SELECT jsonb_agg(to_jsonb(a) ORDER BY a.created_at, a.id) FROM subscription_add_ons a
			WHERE a.franchiser_id = $1 AND a.ended_on IS NULL),
		'paid', (
			SELECT jsonb_agg(jsonb_build_object('amount_paise', l.amount_paise - l.discount_paise, 'period_from', l.period_from,
				'period_to', l.period_to))
			FROM order_lines l JOIN orders o ON o.franchiser_id = l.franchiser_id AND o.id = l.order_id
			WHERE l.franchiser_id = $1 AND l.period_to > $2::date AND l.kind <> 'fee' AND NOT l.once AND o.state = 'paid' AND NOT o.credited),
		'open_order', (
			SELECT jsonb_build_object('id', o.id, 'fingerprint', encode(o.fingerprint, 'hex'))
			FROM orders o WHERE o.franchiser_id = $1 AND o.state = 'open'),
		'catalogue_revision', (SELECT revision FROM catalogue_overview),
		'erasing', (` + erasingSQL + `)) AS buyer, (` + address.BillingSQL + `) AS billing`

// Buyer has a quote's inputs about a franchiser, read at one moment. Catalogue is the revision sold now. Billing is nil without an
// address.
type Buyer struct {
	Person       Person
	Subscription *Subscription
	AddOns       []AddOn
	Paid         []PaidLine
	Open         *openOrder
	Catalogue    int
	Billing      *address.BillingAddress
	// known is false for a missing or deleted franchiser.
	known   bool
	erasing bool
}

// RequireNoErasure returns ErrErasureScheduled if the buyer's account is scheduled for erasure.
func (b Buyer) RequireNoErasure() error {
	if b.erasing {
		return ErrErasureScheduled
	}
	return nil
}

// BuyerRow is the row of BuyerSQL.
type BuyerRow struct {
	Buyer   []byte `db:"buyer"`
	Billing []byte `db:"billing"`
}

type buyerJSON struct {
	Person *struct {
		FirstName string `json:"first_name"`
		LastName  string `json:"last_name"`
		Email     string `json:"email"`
		Mobile    string `json:"mobile"`
		StoreName string `json:"store_name"`

		DocumentLanguage i18n.Language `json:"document_language"`
		Language         i18n.Language `json:"language"`
	} `json:"person"`
	Subscription *subscriptionRow `json:"subscription"`
	AddOns       []addOnRow       `json:"add_ons"`
	Paid         []struct {
		Value money.Paise `json:"amount_paise"`
		From  Day         `json:"period_from"`
		To    Day         `json:"period_to"`
	} `json:"paid"`
	Open *struct {
		ID          string `json:"id"`
		Fingerprint string `json:"fingerprint"`
	} `json:"open_order"`
	Catalogue int  `json:"catalogue_revision"`
	Erasing   bool `json:"erasing"`
}

// buyer reads everything about a buyer in one round trip, or errs.NotFound.
func (store) buyer(ctx context.Context, tx *sqlx.Tx, franchiserID string, today Day) (Buyer, error) {
	var r BuyerRow
	if err := tx.GetContext(ctx, &r, BuyerSQL, franchiserID, today); err != nil {
		return Buyer{}, fmt.Errorf("read buyer: %w", err)
	}
	b, err := r.Decode()
	if err == nil && !b.known {
		err = errs.NotFound()
	}
	return b, err
}

// Decode returns the buyer of the row.
func (row BuyerRow) Decode() (Buyer, error) {
	var r buyerJSON
	if err := json.Unmarshal(row.Buyer, &r); err != nil {
		return Buyer{}, fmt.Errorf("decode buyer: %w", err)
	}
	b := Buyer{Subscription: r.Subscription.subscription(), AddOns: addOnsOf(r.AddOns), Catalogue: r.Catalogue, erasing: r.Erasing}
	if r.Person != nil {
		b.Person, b.known = Person(*r.Person), true
	}
	var err error
	if b.Billing, err = address.BillingOf(row.Billing); err != nil {
		return Buyer{}, err
	}
	for _, l := range r.Paid {
		b.Paid = append(b.Paid, PaidLine{Value: l.Value, From: l.From, To: l.To})
	}
	if r.Open != nil {
		fingerprint, err := hex.DecodeString(r.Open.Fingerprint)
		if err != nil {
			return Buyer{}, fmt.Errorf("decode order: %w", err)
		}
		b.Open = &openOrder{ID: r.Open.ID, Fingerprint: fingerprint}
	}
	return b, nil
}

// dashboardRead is the data behind the dashboard.
type dashboardRead struct {
	Subscription *Subscription
	AddOns       []AddOn
	Store        *tenant.Tenant
	Custom       *tenant.CustomDomain
	Held         []HeldPayment
	Confirming   []ConfirmingPayment
	Franchises   int
	Beside       []byte
}

type dashboardRow struct {
	Subscription *subscriptionRow `json:"subscription"`
	AddOns       []addOnRow       `json:"add_ons"`
	Store        *struct {
		ID           string `json:"id"`
		FranchiserID string `json:"franchiser_id"`
		StoreName    string `json:"store_name"`
		TypeID       int    `json:"store_type_id"`
		Username     string `json:"store_username"`
		Slug         string `json:"slug"`
	} `json:"store"`
	Custom *struct {
		Domain  string             `json:"domain"`
		Display string             `json:"display"`
		State   tenant.DomainState `json:"state"`
	} `json:"custom_domain"`
	Held []struct {
		TransactionID string      `json:"transaction_id"`
		Captured      money.Paise `json:"captured_paise"`
	} `json:"held_payments"`
	Confirming []struct {
		TransactionID string      `json:"transaction_id"`
		Amount        money.Paise `json:"amount_paise"`
	} `json:"confirming_payments"`
	Franchises int `json:"franchises"`
}

// dashboard reads everything for the dashboard in one statement and transaction.
func (s store) dashboard(ctx context.Context, franchiserID, beside string) (dashboardRead, error) {
	var found struct {
		Dashboard []byte `db:"dashboard"`
		Beside    []byte `db:"beside"`
	}
	err := postgres.Read(ctx, s.db, func(q sqlx.QueryerContext) error {
		return sqlx.GetContext(ctx, q, &found, `SELECT d.dashboard, (`+beside+`) AS beside FROM (`+dashboardSQL+`) d (dashboard)`, franchiserID)
	})
	if err != nil {
		return dashboardRead{}, fmt.Errorf("read dashboard: %w", err)
	}
	var r dashboardRow
	if err := json.Unmarshal(found.Dashboard, &r); err != nil {
		return dashboardRead{}, fmt.Errorf("decode dashboard: %w", err)
	}
	d := dashboardRead{Subscription: r.Subscription.subscription(), AddOns: addOnsOf(r.AddOns), Franchises: r.Franchises, Beside: found.Beside}
	if t := r.Store; t != nil {
		d.Store = &tenant.Tenant{
			ID: t.ID, FranchiserID: t.FranchiserID, StoreName: t.StoreName, TypeID: strconv.Itoa(t.TypeID), Username: t.Username, Slug: t.Slug,
		}
	}
	if c := r.Custom; c != nil {
		d.Custom = &tenant.CustomDomain{Domain: c.Domain, Display: c.Display, State: c.State}
	}
	for _, h := range r.Held {
		d.Held = append(d.Held, HeldPayment(h))
	}
	for _, c := range r.Confirming {
		d.Confirming = append(d.Confirming, ConfirmingPayment(c))
	}
	return d, nil
}

// HeldPayment is a received payment without effect until staff decide, in paise.
type HeldPayment struct {
	TransactionID string
	Captured      money.Paise
}

// ConfirmingPayment is a payment without an outcome yet, in paise.
type ConfirmingPayment struct {
	TransactionID string
	Amount        money.Paise
}
