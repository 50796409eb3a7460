package address

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// Export is the address section in the export of personal data.
type Export struct {
	Address   string `json:"address"`
	Street    string `json:"street"`
	Landmark  string `json:"landmark"`
	City      string `json:"city"`
	State     string `json:"state"`
	Country   string `json:"country"`
	Zipcode   string `json:"zipcode"`
	Location  string `json:"location"`
	LegalName string `json:"legal_name"`
	GSTIN     string `json:"gstin"`
}

// PersonalData exports and erases the business address of a franchiser.
type PersonalData struct{}

// ExportTx returns the business address, or nil.
func (PersonalData) ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error) {
	const name = "business_address"
	a, err := ofFranchiser(ctx, tx, franchiserID)
	if err != nil || a == nil {
		return name, nil, err
	}
	return name, Export{
		Address: a.Address, Street: a.Street, Landmark: a.Landmark, City: a.City, State: a.State, Country: a.Country,
		Zipcode: a.Zipcode, Location: a.Location, LegalName: a.LegalName, GSTIN: a.GSTIN,
	}, nil
}

// EraseTx deletes the address; tax documents keep the copy that the law requires.
func (PersonalData) EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	return erase(ctx, tx, franchiserID)
}

// MoveTx does nothing: an address has no mobile.
func (PersonalData) MoveTx(context.Context, *sqlx.Tx, string, string) error { return nil }
