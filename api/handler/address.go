package handler

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// addressFields is a business address in requests and responses; latitude and longitude are in degrees.
type addressFields struct {
	Address   string       `json:"address"`
	Street    string       `json:"street"`
	Landmark  string       `json:"landmark"`
	CountryID string       `json:"country_id"`
	StateID   string       `json:"state_id"`
	CityID    string       `json:"city_id"`
	Zipcode   typedPincode `json:"zipcode"`
	Latitude  *float64     `json:"latitude" null:"allowed"`
	Longitude *float64     `json:"longitude" null:"allowed"`
	Location  string       `json:"location"`
	LegalName *string      `json:"legal_name" null:"allowed" empty:"refused"`
	GSTIN     *typedGSTIN  `json:"gstin" null:"allowed" empty:"refused"`
}

// input converts the fields for the service.
func (f addressFields) input() address.SaveInput {
	return address.SaveInput{
		Address: f.Address, Street: f.Street, Landmark: f.Landmark, CountryID: f.CountryID, StateID: f.StateID,
		CityID: f.CityID, Zipcode: string(f.Zipcode), Latitude: f.Latitude, Longitude: f.Longitude, Location: f.Location,
		LegalName: orEmpty(f.LegalName), GSTIN: string(orEmpty(f.GSTIN)),
	}
}

// addressAnswer is a stored address: the submitted fields plus the names behind their ids.
type addressAnswer struct {
	ID string `json:"id"`
	addressFields
	Country string `json:"country"`
	State   string `json:"state"`
	City    string `json:"city"`
}

func addressOf(a address.Address) addressAnswer {
	out := addressAnswer{
		ID: a.ID, Country: a.Country, State: a.State, City: a.City,
		addressFields: addressFields{
			Address: a.Address, Street: a.Street, Landmark: a.Landmark, CountryID: a.CountryID, StateID: a.StateID,
			CityID: a.CityID, Zipcode: typedPincode(a.Zipcode), Latitude: a.Latitude, Longitude: a.Longitude, Location: a.Location,
			LegalName: orNull(a.LegalName), GSTIN: orNull(typedGSTIN(a.GSTIN)),
		},
	}
	if out.CityID == "" { // entered by hand: the name replaces the id, as it did in the request
		out.CityID = a.City
	}
	return out
}

func (h *Places) address(c *gin.Context) error {
	asked, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	found, err := h.addresses.Of(c.Request.Context(), middleware.Principal(c).FranchiserID, asked)
	if err != nil {
		return err
	}
	list := []addressAnswer{}
	if found != nil {
		list = append(list, addressOf(*found))
	}
	return OK(c, "Your business address.", list)
}

func (h *Places) save(c *gin.Context) error {
	var in addressFields
	if err := Bind(c, &in); err != nil {
		return err
	}
	saved, err := h.addresses.Save(c.Request.Context(), middleware.Principal(c).FranchiserID, in.input())
	if err != nil {
		return err
	}
	if saved.ID == "" {
		return errs.NotFound()
	}
	return OK(c, i18n.Mark("Business address saved."), addressOf(saved))
}
