package outlet

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Export is one outlet in the export of personal data.
type Export struct {
	Name    string `json:"name" db:"name"`
	Code    string `json:"code,omitempty" db:"code"`
	Address string `json:"address,omitempty" db:"address"`
	City    string `json:"city" db:"city"`
	PIN     string `json:"pin,omitempty" db:"pin"`
	Phone   string `json:"phone,omitempty" db:"phone"`
	Hours   string `json:"hours,omitempty" db:"hours"`
	Status  State  `json:"status" db:"state"`
}

// PartnerExport is one partner in the export of personal data.
type PartnerExport struct {
	Name   string       `json:"name" db:"name"`
	Mobile string       `json:"mobile" db:"mobile"`
	Role   Role         `json:"role" db:"role"`
	Status PartnerState `json:"status" db:"state"`
}

// Section is the outlets' part of the export.
type Section struct {
	Outlets  []Export        `json:"outlets"`
	Partners []PartnerExport `json:"partners"`
}

// PersonalData exports and erases the personal data in outlets.
type PersonalData struct{ clock clock.Clock }

// NewPersonalData returns the personal data of outlets.
func NewPersonalData(clk clock.Clock) PersonalData {
	return *wiring.Complete(&PersonalData{clock: clk})
}

// ExportTx returns the outlets and their partners, or nil without outlets.
func (PersonalData) ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error) {
	const name = "outlets"
	list, err := exported(ctx, tx, franchiserID)
	if err != nil {
		return name, nil, err
	}
	people, err := exportedPartners(ctx, tx, franchiserID)
	if err != nil || len(list)+len(people) == 0 {
		return name, nil, err
	}
	return name, Section{Outlets: list, Partners: people}, nil
}

// EraseTx blanks and removes every outlet and partner, and ends the sessions of partners.
func (r PersonalData) EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	return erase(ctx, tx, franchiserID, r.clock.Now())
}

// MoveTx changes nothing: no outlet has the franchiser's mobile but as a phone number that was typed.
func (PersonalData) MoveTx(context.Context, *sqlx.Tx, string, string) error { return nil }
