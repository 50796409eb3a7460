package plan

import (
	"bytes"
	"context"
	_ "embed" // how features are delivered
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"
)

// How says who delivers a feature or an add-on.
type How string

// The ways of delivery. The product finds the proof itself, a connected system reports, or staff do the work.
const (
	ByProduct   How = "product"
	ByConnected How = "connected"
	ByStaff     How = "staff"
	// ByPlan is a feature that stands for all features of another plan.
	ByPlan How = "plan"
)

// defaultDays are the working days for an item that staff added to the catalogue. Staff deliver it.
const defaultDays = 10

// Delivery says how a feature or an add-on is delivered after its payment.
type Delivery struct {
	How How `json:"how"`
	// Days are working days after the payment.
	Days int `json:"days"`
	// Needs says what the customer has to provide, empty for nothing.
	Needs string `json:"needs"`
	// ProofBy names what the product looks for: a domain or a partner; "contact" and "limit" are there from the payment on.
	ProofBy string `json:"proof_by"`
	// Steps are the checklist for staff.
	Steps []string `json:"steps"`
}

//go:embed delivery.json
var deliveryText []byte

// LateCredit is the credit for a late delivery, in basis points of the invoice line of the item: for each begun week, and at most. The
// operator sets it; 0 switches it off.
type LateCredit struct {
	Week int64 `json:"week_bps"`
	Most int64 `json:"most_bps"`
}

type deliveryFile struct {
	Note       string              `json:"note"`
	LateCredit LateCredit          `json:"late_credit"`
	Items      map[string]Delivery `json:"items"`
}

// deliveryCatalogue is read once from the embedded text; a test compares it with the catalogue.
var deliveryCatalogue = mustDeliveries(deliveryText) //nolint:gochecknoglobals // embedded and immutable

// LateCreditOf returns the operator's credit for late deliveries.
func LateCreditOf() LateCredit { return deliveryCatalogue.LateCredit }

func mustDeliveries(text []byte) deliveryFile {
	var d deliveryFile
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		panic(fmt.Errorf("read delivery.json: %w", err))
	}
	return d
}

// Deliveries returns how each feature (by name) and add-on (by key) of the built-in catalogue is delivered.
func Deliveries() map[string]Delivery { return maps.Clone(deliveryCatalogue.Items) }

// includes is how a feature begins that stands for all features of another plan.
const includes = "Everything in "

// DeliveryOf returns how a feature (by name) or an add-on (by key) is delivered.
func DeliveryOf(item string) Delivery {
	if d, ok := deliveryCatalogue.Items[item]; ok {
		return d
	}
	if strings.HasPrefix(item, includes) {
		return Delivery{How: ByPlan}
	}
	return Delivery{How: ByStaff, Days: defaultDays}
}

const saveDeliverySQL = `
	INSERT INTO plan_deliveries (item, how, days, needs, proof_by) VALUES ($1, $2, $3, $4, $5)
	ON CONFLICT (item) DO UPDATE SET how = excluded.how, days = excluded.days, needs = excluded.needs, proof_by = excluded.proof_by
	WHERE (plan_deliveries.how, plan_deliveries.days, plan_deliveries.needs, plan_deliveries.proof_by)
		IS DISTINCT FROM (excluded.how, excluded.days, excluded.needs, excluded.proof_by)`

func (store) saveDeliveries(ctx context.Context, tx *sqlx.Tx) error {
	for _, item := range slices.Sorted(maps.Keys(deliveryCatalogue.Items)) {
		d := deliveryCatalogue.Items[item]
		if _, err := tx.ExecContext(ctx, saveDeliverySQL, item, d.How, d.Days, d.Needs, d.ProofBy); err != nil {
			return fmt.Errorf("save delivery of %s: %w", item, err)
		}
	}
	return nil
}
