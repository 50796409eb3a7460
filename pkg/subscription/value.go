package subscription

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// FigureName names a figure of a term.
type FigureName string

// The figures of a term. The last three come from connected systems.
const (
	FigureOutletsOpened    FigureName = "outlets_opened"
	FigurePartnersJoined   FigureName = "partners_joined"
	FigurePartnerSignIns   FigureName = "partner_sign_ins"
	FigureDomainDays       FigureName = "domain_days"
	FigureInvoices         FigureName = "invoices"
	FigureRequestsAnswered FigureName = "requests_answered"
	FigureSales            FigureName = "sales_paise"
	FigurePoints           FigureName = "points"
	FigureNewCustomers     FigureName = "new_customers"
)

// TermFigure is a figure of a term, from the first to the last day on which the product knows it.
type TermFigure struct {
	Name        FigureName
	Value       int64
	From, Until Day
	// Days is the number of days with a report, or with a check of the domain; 0 for figures that the product counts itself.
	Days int
	// Of is the domain, or the label of the API key that reported the figure.
	Of string
}

// TermValue is what the product knows of a paid plan's present or last term, until today. Unknown figures are missing.
type TermValue struct {
	StartsOn, Until Day
	Figures         []TermFigure
}

// TermValue returns the figures of the franchiser's present or last term, or nil without a paid plan. reported is an SQL query
// for the figures of connected systems.
func (s *Service) TermValue(ctx context.Context, franchiserID, reported string) (*TermValue, error) {
	var v *TermValue
	err := postgres.Read(ctx, s.db, func(q sqlx.QueryerContext) (err error) {
		v, err = termValue(ctx, q, franchiserID, DayOf(s.clock.Now()), reported)
		return err
	})
	return v, postgres.Error(err)
}

//go:embed value.sql
var termValueSQL string

type termValueRow struct {
	StartsOn         Day    `json:"starts_on"`
	Until            Day    `json:"until"`
	OutletsOpened    *int64 `json:"outlets_opened"`
	PartnersJoined   *int64 `json:"partners_joined"`
	PartnerSignIns   *int64 `json:"partner_sign_ins"`
	Invoices         *int64 `json:"invoices"`
	RequestsAnswered *int64 `json:"requests_answered"`
	Domain           *struct {
		Name   string `json:"name"`
		From   Day    `json:"from"`
		Until  Day    `json:"until"`
		Worked int64  `json:"worked"`
		Days   int    `json:"days"`
	} `json:"domain"`
	Reported []struct {
		Name  FigureName `json:"name"`
		Label string     `json:"key_label"`
		Value int64      `json:"value"`
		From  Day        `json:"from"`
		Until Day        `json:"until"`
		Days  int        `json:"days"`
	} `json:"reported"`
}

func termValue(ctx context.Context, db sqlx.QueryerContext, franchiserID string, today Day, reported string) (*TermValue, error) {
	var raw []byte
	err := sqlx.GetContext(ctx, db, &raw, fmt.Sprintf(termValueSQL, reported), franchiserID, today)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // without a paid plan there is no term
	}
	if err != nil {
		return nil, fmt.Errorf("read the term's figures: %w", err)
	}
	var r termValueRow
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, fmt.Errorf("decode the term's figures: %w", err)
	}
	return r.value(), nil
}

func (r termValueRow) value() *TermValue {
	v := &TermValue{StartsOn: r.StartsOn, Until: r.Until}
	count := func(name FigureName, n *int64) {
		if n != nil {
			v.Figures = append(v.Figures, TermFigure{Name: name, Value: *n, From: r.StartsOn, Until: r.Until})
		}
	}
	count(FigureOutletsOpened, r.OutletsOpened)
	count(FigurePartnersJoined, r.PartnersJoined)
	count(FigurePartnerSignIns, r.PartnerSignIns)
	if d := r.Domain; d != nil {
		v.Figures = append(v.Figures, TermFigure{Name: FigureDomainDays, Value: d.Worked, From: d.From, Until: d.Until, Days: d.Days, Of: d.Name})
	}
	// Without invoices or requests there is nothing to tell: a term paid early has its invoice before it.
	if r.Invoices != nil && *r.Invoices > 0 {
		count(FigureInvoices, r.Invoices)
	}
	if r.RequestsAnswered != nil && *r.RequestsAnswered > 0 {
		count(FigureRequestsAnswered, r.RequestsAnswered)
	}
	for _, f := range r.Reported {
		v.Figures = append(v.Figures, TermFigure{Name: f.Name, Value: f.Value, From: f.From, Until: f.Until, Days: f.Days, Of: f.Label})
	}
	return v
}

// facts are the optional values of the renewal e-mail: outlets, partners and the domain's days. An unknown figure and zero are empty.
func (v *TermValue) facts(l i18n.Language) []string {
	out := make([]string, 3)
	if v == nil {
		return out
	}
	for _, f := range v.Figures {
		switch {
		case f.Value == 0:
		case f.Name == FigureOutletsOpened:
			out[0] = strconv.FormatInt(f.Value, 10)
		case f.Name == FigurePartnersJoined:
			out[1] = strconv.FormatInt(f.Value, 10)
		case f.Name == FigureDomainDays:
			out[2] = l.Say("{1} of {2}", strconv.FormatInt(f.Value, 10), strconv.Itoa(f.Days))
		}
	}
	return out
}
