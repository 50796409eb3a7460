package subscription

import (
	"context"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/tenant"
)

var (
	//go:embed buyer.sql
	buyerSQL string
	//go:embed dashboard.sql
	dashboardSQL string
)

// buyer is everything that a quote needs to know about a franchiser. Catalogue is the revision being sold now.
type buyer struct {
	Person       Person
	Subscription *Subscription
	AddOns       []AddOn
	Paid         []PaidLine
	Open         *openOrder
	Catalogue    int
}

type buyerRow struct {
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
	Catalogue int `json:"catalogue_revision"`
}

// buyer reads everything about a buyer in one round trip, or errs.NotFound.
func (store) buyer(ctx context.Context, tx *sqlx.Tx, franchiserID string, today Day) (buyer, error) {
	var text []byte
	if err := tx.GetContext(ctx, &text, buyerSQL, franchiserID, today); err != nil {
		return buyer{}, fmt.Errorf("read buyer: %w", err)
	}
	var r buyerRow
	if err := json.Unmarshal(text, &r); err != nil {
		return buyer{}, fmt.Errorf("decode buyer: %w", err)
	}
	if r.Person == nil {
		return buyer{}, errs.NotFound()
	}
	b := buyer{Person: Person(*r.Person), Subscription: r.Subscription.subscription(), AddOns: addOnsOf(r.AddOns), Catalogue: r.Catalogue}
	for _, l := range r.Paid {
		b.Paid = append(b.Paid, PaidLine{Value: l.Value, From: l.From, To: l.To})
	}
	if r.Open != nil {
		fingerprint, err := hex.DecodeString(r.Open.Fingerprint)
		if err != nil {
			return buyer{}, fmt.Errorf("decode order: %w", err)
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

// dashboard reads everything for the dashboard in one round trip, in a transaction of its own.
func (s store) dashboard(ctx context.Context, franchiserID string) (dashboardRead, error) {
	var text []byte
	if err := s.db.GetContext(ctx, &text, dashboardSQL, franchiserID); err != nil {
		return dashboardRead{}, fmt.Errorf("read dashboard: %w", err)
	}
	var r dashboardRow
	if err := json.Unmarshal(text, &r); err != nil {
		return dashboardRead{}, fmt.Errorf("decode dashboard: %w", err)
	}
	d := dashboardRead{Subscription: r.Subscription.subscription(), AddOns: addOnsOf(r.AddOns), Franchises: r.Franchises}
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

// HeldPayment is money that was received and has no effect until staff decide, in paise.
type HeldPayment struct {
	TransactionID string
	Captured      money.Paise
}

// ConfirmingPayment is a payment whose outcome is not known yet, in paise.
type ConfirmingPayment struct {
	TransactionID string
	Amount        money.Paise
}
