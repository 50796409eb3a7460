package address

import (
	"context"
	"log/slog"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// ErrMissing reports that a payment needs a business address first: the place of supply decides the tax.
var ErrMissing = errs.New(errs.KindInvalid, "address_required", "Please enter your business address first").
	With("redirect_to", "/store-details/address")

// ErrNameMissing reports that a payment needs a name to put on the invoice (rule 46(e), CGST Rules).
var ErrNameMissing = errs.New(errs.KindInvalid, "name_required", "Please enter the name for your invoices first").
	With("redirect_to", "/store-details/address").
	Field("legal_name", "Write your company’s legal name, or your own first and last name.")

// Service implements addresses and places.
type Service struct {
	db     *sqlx.DB
	places Places
	clock  clock.Clock
	logger *slog.Logger
	// supplier is the operator's own GSTIN, which no buyer may use; empty if unknown.
	supplier string
}

// Options are the parts and settings of a Service. NewService panics if a part is nil.
type Options struct {
	DB     *sqlx.DB
	Places Places
	Clock  clock.Clock
	// SupplierGSTIN is the operator's own, which no buyer may use; empty if unknown.
	SupplierGSTIN string
	Logger        *slog.Logger
}

// NewService returns a service.
func NewService(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, places: o.Places, clock: o.Clock, supplier: strings.ToUpper(strings.TrimSpace(o.SupplierGSTIN)), logger: o.Logger,
	})
}

// Countries lists the countries served.
func (s *Service) Countries(ctx context.Context) ([]Item, error) { return s.list(ctx, countries) }

// list reads one of the lists.
func (s *Service) list(ctx context.Context, read func(context.Context, sqlx.QueryerContext) ([]Item, error)) (list []Item, err error) {
	err = postgres.Read(ctx, s.db, func(q sqlx.QueryerContext) error {
		list, err = read(ctx, q)
		return err
	})
	return list, err
}

// States lists the States and Union Territories of a country by name, or returns errs.NotFound.
func (s *Service) States(ctx context.Context, countryID string) ([]Item, error) {
	if !listID.MatchString(countryID) {
		return nil, errs.NotFound()
	}
	return orNotFound(s.list(ctx, func(ctx context.Context, q sqlx.QueryerContext) ([]Item, error) { return states(ctx, q, countryID) }))
}

// Cities lists the cities of a State by name, or returns errs.NotFound.
func (s *Service) Cities(ctx context.Context, stateID string) ([]Item, error) {
	if !listID.MatchString(stateID) {
		return nil, errs.NotFound()
	}
	return orNotFound(s.list(ctx, func(ctx context.Context, q sqlx.QueryerContext) ([]Item, error) { return cities(ctx, q, stateID) }))
}

func orNotFound(items []Item, err error) ([]Item, error) {
	if err == nil && len(items) == 0 {
		return nil, errs.NotFound()
	}
	return items, err
}

// Of returns the franchiser's address, or nil. The id is the franchiser's own or the address's; any other returns errs.NotFound.
func (s *Service) Of(ctx context.Context, franchiserID, id string) (*Address, error) {
	var found *Address
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		found, err = ofFranchiser(ctx, tx, franchiserID)
		return err
	})
	if err != nil {
		return nil, err
	}
	if id != franchiserID && (found == nil || found.ID != id) {
		return nil, errs.NotFound()
	}
	return found, nil
}

// Save creates or replaces the franchiser's address; errors are returned by field.
func (s *Service) Save(ctx context.Context, franchiserID string, in SaveInput) (Address, error) {
	in = in.normalise()
	var saved Address
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		a, err := s.checked(ctx, tx, in)
		if err != nil {
			return err
		}
		a.ID, a.FranchiserID = id.New(), franchiserID
		if err := upsert(ctx, tx, a, s.clock.Now()); err != nil {
			return err
		}
		now, err := ofFranchiser(ctx, tx, franchiserID)
		if err == nil && now != nil {
			saved = *now
		}
		return err
	})
	return saved, err
}

// checked converts the input into an address, with ids for names, or returns all errors at once.
func (s *Service) checked(ctx context.Context, tx *sqlx.Tx, in SaveInput) (Address, error) {
	var v errs.Validation
	in.check(&v)
	a := Address{
		Address: in.Address, Street: in.Street, Landmark: in.Landmark, Zipcode: in.Zipcode, Location: in.Location,
		Latitude: in.Latitude, Longitude: in.Longitude, LegalName: in.LegalName,
	}
	var err error
	if in.CountryID != "" {
		if a.CountryID, err = countryID(ctx, tx, in.CountryID); err != nil {
			return a, err
		}
		v.Check(a.CountryID != "", "country_id", msgChoose)
	}
	if in.StateID != "" {
		if a.StateID, err = stateID(ctx, tx, in.StateID); err != nil {
			return a, err
		}
		v.Check(a.StateID != "", "state_id", msgChoose)
	}
	if in.CityID != "" && a.StateID != "" {
		found, err := cityOf(ctx, tx, a.StateID, in.CityID)
		if err != nil {
			return a, err
		}
		if a.CityID, a.City = found.ID, found.Name; found.ID == "" {
			a.City = in.CityID
			checkTypedCity(&v, in.CityID)
		}
	}
	if a.StateID != "" {
		v.Check(!pinForm.MatchString(in.Zipcode) || PINFits(in.Zipcode, a.StateID), "zipcode", msgPinState)
		a.GSTIN = checkGSTIN(&v, in.GSTIN, a.StateID)
		v.Check(a.GSTIN == "" || a.GSTIN != s.supplier, "gstin", msgOurGSTIN)
	}
	return a, v.Err()
}

// HasTx reports whether the franchiser has an address yet.
func (s *Service) HasTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (bool, error) {
	a, err := ofFranchiser(ctx, tx, franchiserID)
	return a != nil, err
}

// Search suggests places for the typed text; session as for Places.
func (s *Service) Search(ctx context.Context, text, session string) ([]Suggestion, error) {
	text, err := checkSearch(text)
	if err != nil {
		return nil, err
	}
	if err := checkSession(session); err != nil {
		return nil, err
	}
	return s.places.Suggest(ctx, text, session, maxSuggestions)
}

// Attribution returns whose data the suggestions are, to be shown with them.
func (s *Service) Attribution() string { return s.places.Attribution() }

// Find returns a suggested place with the ids of our lists if they contain its names; session as for Places.
func (s *Service) Find(ctx context.Context, placeID, session string) (FoundPlace, error) {
	var v errs.Validation
	if v.Check(placeID != "", "placeId", msgEmpty); v.Err() != nil {
		return FoundPlace{}, v.Err()
	}
	if err := checkSession(session); err != nil {
		return FoundPlace{}, err
	}
	if len(placeID) > maxPlaceID {
		return FoundPlace{}, errs.NotFound()
	}
	p, err := s.places.Place(ctx, placeID, session)
	if err != nil {
		return FoundPlace{}, err
	}
	p.Formatted = Tidy(p.Formatted)
	found := FoundPlace{Place: p}
	if found.CountryID, err = countryID(ctx, s.db, p.Country); err != nil || found.CountryID == "" {
		return found, err
	}
	if found.StateID, err = stateID(ctx, s.db, p.State); err != nil || found.StateID == "" {
		return found, err
	}
	for _, name := range []string{p.Locality, p.District} {
		if name == "" {
			continue
		}
		city, err := cityOf(ctx, s.db, found.StateID, name)
		if err != nil {
			return found, err
		}
		if city.ID != "" {
			found.CityID = city.ID
			break
		}
	}
	return found, nil
}
