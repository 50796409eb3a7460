package address_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/places/gazetteer"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
)

type bundle struct {
	service *address.Service
	places  *fakePlaces
	db      *testkit.Database
	own     string
	other   string
}

// fakePlaces answers whatever a test puts into it.
type fakePlaces struct{ place address.Place }

func (f *fakePlaces) Suggest(context.Context, string, string, int) ([]address.Suggestion, error) {
	return []address.Suggestion{{Description: "x", PlaceID: "y"}}, nil
}

func (f *fakePlaces) Attribution() string { return "a test" }

func (f *fakePlaces) Place(context.Context, string, string) (address.Place, error) {
	return f.place, nil
}

func setup(t *testing.T) bundle {
	t.Helper()
	b := bundle{db: testkit.NewDatabase(t), places: &fakePlaces{}, own: id.New(), other: id.New()}
	clk := testkit.NewClock()
	b.service = address.NewService(address.Options{
		DB: b.db.API, Places: b.places, Clock: clk, SupplierGSTIN: "27AAACR5055K1Z7", Logger: testkit.NewLogger(t),
	})
	for i, f := range []string{b.own, b.other} {
		_, err := b.db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
			VALUES ($1, $2, 'a@example.in', 'x', '1', $3, $3)`, f, "987654321"+string(rune('0'+i)), clk.Now())
		require.NoError(t, err)
	}
	return b
}

func input() address.SaveInput {
	lat, lon := 18.5204, 73.8567
	return address.SaveInput{
		Address: "12/4, Second floor", Street: "Sunrise Towers, Block B", Landmark: "Opp. City Mall",
		CountryID: "IN", StateID: "27", CityID: "27-pune", Zipcode: "411001",
		Location: "Camp, Pune, Maharashtra 411001, India", Latitude: &lat, Longitude: &lon,
	}
}

func TestSave_SecondAddress_ReplacesTheFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	none, err := b.service.Of(t.Context(), b.own, b.own)
	require.NoError(t, err)
	require.Nil(t, none)

	saved, err := b.service.Save(t.Context(), b.own, input())
	require.NoError(t, err)
	require.Equal(t, "Pune", saved.City)
	require.Equal(t, "Maharashtra", saved.State)
	require.Equal(t, "India", saved.Country)
	require.InDelta(t, 18.5204, *saved.Latitude, 1e-6)

	in := input()
	in.StateID, in.CityID, in.Zipcode = "  KARNATAKA ", "bangalore", "560 034"
	in.Latitude, in.Longitude, in.GSTIN, in.LegalName = nil, nil, "", "Asha & Sons (Bengaluru) Pvt. Ltd."
	again, err := b.service.Save(t.Context(), b.own, in)
	require.NoError(t, err)
	require.Equal(t, saved.ID, again.ID, "one address a franchiser")
	require.Equal(t, "29", again.StateID)
	require.Equal(t, "29-bengaluru", again.CityID)
	require.Equal(t, "Bengaluru", again.City)
	require.Equal(t, "560034", again.Zipcode)
	require.Nil(t, again.Latitude)

	byID, err := b.service.Of(t.Context(), b.own, saved.ID)
	require.NoError(t, err)
	require.Equal(t, again, *byID)
}

func TestSave_CityNotInTheList_IsKeptAsTyped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := input()
	in.CityID = "Chhota  Gaon"
	saved, err := b.service.Save(t.Context(), b.own, in)
	require.NoError(t, err)
	require.Equal(t, "Chhota Gaon", saved.City)
	require.Empty(t, saved.CityID)

	in.CityID = "29-bengaluru" // the id of a city in another State is neither a city of this State nor a name
	_, err = b.service.Save(t.Context(), b.own, in)
	require.Equal(t, []string{"Kindly choose one"}, errs.As(err).Fields["city_id"])
}

func TestSave_EachInvalidField_HasItsMessage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, tc := range map[string]struct {
		change func(in *address.SaveInput)
		field  string
		want   string
	}{
		"house empty":     {func(in *address.SaveInput) { in.Address = "  " }, "address", "This field can not be empty."},
		"house long":      {func(in *address.SaveInput) { in.Address = strings.Repeat("a", 51) }, "address", "Please use at most 50 characters"},
		"house script":    {func(in *address.SaveInput) { in.Address = "<script>" }, "address", "Please use letters, digits, spaces and / , . - ' : ; only"},
		"street long":     {func(in *address.SaveInput) { in.Street = strings.Repeat("a", 51) }, "street", "Please use at most 50 characters"},
		"landmark script": {func(in *address.SaveInput) { in.Landmark = "<b>" }, "landmark", "Please use letters, digits, spaces and / , . - ' : ; only"},
		"location empty":  {func(in *address.SaveInput) { in.Location = "" }, "location", "This field can not be empty."},
		"location long":   {func(in *address.SaveInput) { in.Location = strings.Repeat("a", 201) }, "location", "Please use at most 200 characters"},
		"pin empty":       {func(in *address.SaveInput) { in.Zipcode = "" }, "zipcode", "Pincode can not be empty."},
		"pin zero":        {func(in *address.SaveInput) { in.Zipcode = "011001" }, "zipcode", "Invalid: a pincode does not start with 0"},
		"pin short":       {func(in *address.SaveInput) { in.Zipcode = "41100" }, "zipcode", "Please enter valid pincode"},
		"pin letters":     {func(in *address.SaveInput) { in.Zipcode = "41100a" }, "zipcode", "Please enter valid pincode"},
		"country empty":   {func(in *address.SaveInput) { in.CountryID = "" }, "country_id", "This field can not be empty."},
		"country unknown": {func(in *address.SaveInput) { in.CountryID = "US" }, "country_id", "Kindly choose one"},
		"state empty":     {func(in *address.SaveInput) { in.StateID = "" }, "state_id", "This field can not be empty."},
		"state unknown":   {func(in *address.SaveInput) { in.StateID = "99" }, "state_id", "Kindly choose one"},
		"city empty":      {func(in *address.SaveInput) { in.CityID = "" }, "city_id", "This field can not be empty."},
		"city short":      {func(in *address.SaveInput) { in.CityID = "X" }, "city_id", "Please use at least 2 characters"},
		"city long":       {func(in *address.SaveInput) { in.CityID = strings.Repeat("x", 26) }, "city_id", "Please use at most 25 characters"},
		"pin of a State":  {func(in *address.SaveInput) { in.Zipcode = "560001" }, "zipcode", "This pincode is in a different State from the one you chose"},
		"latitude":        {func(in *address.SaveInput) { in.Latitude = new(90.5) }, "latitude", "Please enter a latitude from -90 to 90"},
		"longitude":       {func(in *address.SaveInput) { in.Longitude = new(math.NaN()) }, "longitude", "Please enter a longitude from -180 to 180"},
		"gstin form":      {func(in *address.SaveInput) { in.GSTIN = "27AAPFU0939F1ZO" }, "gstin", "Please enter a valid GSTIN"},
		"gstin ours":      {func(in *address.SaveInput) { in.StateID, in.CityID, in.GSTIN = "27", "Pune", "27AAACR5055K1Z7" }, "gstin", "This is our own GSTIN. Please enter yours"},
		"gstin state":     {func(in *address.SaveInput) { in.GSTIN = "24AAQCA8719H1ZC" }, "gstin", "The GSTIN belongs to another State than this address"},
		"e-mail as name":  {func(in *address.SaveInput) { in.LegalName = "asha@example.in" }, "legal_name", "Enter a name for the invoice, not an e-mail address"},
		"legal name":      {func(in *address.SaveInput) { in.LegalName = strings.Repeat("x", 101) }, "legal_name", "Please use at most 100 characters"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := input()
			tc.change(&in)
			_, err := b.service.Save(t.Context(), b.own, in)
			require.Error(t, err)
			e := errs.As(err)
			require.Equal(t, errs.KindInvalid, e.Kind)
			require.Equal(t, []string{tc.want}, e.Fields[tc.field])
			require.Len(t, e.Fields, 1)
		})
	}
	_, err := b.service.Save(t.Context(), b.own, address.SaveInput{})
	require.Len(t, errs.As(err).Fields, 6, "everything that is missing is said at once")
}

func TestBillingAddress_UsesTheStateOfTheAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	billing := func() *address.BillingAddress {
		var found []byte
		require.NoError(t, postgres.InTenantTx(t.Context(), b.db.API, b.own, func(tx *sqlx.Tx) error {
			return tx.GetContext(t.Context(), &found, `SELECT (`+address.BillingSQL+`)`, b.own)
		}))
		got, err := address.BillingOf(found)
		require.NoError(t, err)
		return got
	}
	require.Nil(t, billing())
	require.Equal(t, "/store-details/address", errs.As(address.ErrMissing).Data["redirect_to"])

	in := input()
	in.GSTIN, in.LegalName = " 27aapfu0939f1zv ", "Asha Sweets Private Limited"
	_, err := b.service.Save(t.Context(), b.own, in)
	require.NoError(t, err)
	require.Equal(t, &address.BillingAddress{
		LegalName: "Asha Sweets Private Limited", GSTIN: "27AAPFU0939F1ZV", PlaceOfSupply: invoice.StateCode("27"),
		Lines: []string{"12/4, Second floor, Sunrise Towers, Block B", "Opp. City Mall", "Pune, Maharashtra 411001"},
	}, billing())
}

func TestAddress_OfAnotherFranchiser_IsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	theirs, err := b.service.Save(t.Context(), b.other, input())
	require.NoError(t, err)
	for _, asked := range []string{b.other, theirs.ID, id.New()} {
		_, err := b.service.Of(t.Context(), b.own, asked)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	}
	// row-level security refuses it too
	err = postgres.InTenantTx(t.Context(), b.db.API, b.own, func(tx *sqlx.Tx) error {
		var n int
		require.NoError(t, tx.Get(&n, `SELECT count(*) FROM business_addresses`))
		require.Zero(t, n)
		res, err := tx.Exec(`UPDATE business_addresses SET zipcode = '999999'`)
		require.NoError(t, err)
		changed, err := res.RowsAffected()
		require.NoError(t, err)
		require.Zero(t, changed)
		_, err = tx.Exec(`UPDATE business_addresses SET franchiser_id = $1`, b.own)
		return err
	})
	require.NoError(t, err)
}

func TestLists_ContainEveryState(t *testing.T) {
	t.Parallel()
	b := setup(t)
	countries, err := b.service.Countries(t.Context())
	require.NoError(t, err)
	require.Equal(t, []address.Item{{ID: "IN", Name: "India"}}, countries)
	states, err := b.service.States(t.Context(), "IN")
	require.NoError(t, err)
	require.Len(t, states, 36)
	for _, s := range states {
		require.True(t, invoice.StateCode(s.ID).Valid(), s.Name)
		require.Equal(t, invoice.StateCode(s.ID).Name(), s.Name)
		list, err := b.service.Cities(t.Context(), s.ID)
		require.NoError(t, err)
		require.NotEmpty(t, list, s.Name)
	}
	for _, unknown := range []string{"", "99", "IN", "'; DROP TABLE cities"} {
		_, err := b.service.Cities(t.Context(), unknown)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	}
	_, err = b.service.States(t.Context(), "US")
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}

func TestFoundPlace_HasTheIDsOfTheLists(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, tc := range map[string]struct {
		place       address.Place
		state, city string
	}{
		"plain":                {address.Place{Country: "India", State: "Maharashtra", Locality: "Pune"}, "27", "27-pune"},
		"accents and old":      {address.Place{Country: "india", State: "Karnātaka", Locality: "Bangalore"}, "29", "29-bengaluru"},
		"district instead":     {address.Place{Country: "India", State: "Orissa", Locality: "Chhota Gaon", District: "Cuttack"}, "21", "21-cuttack"},
		"ampersand":            {address.Place{Country: "India", State: "Jammu & Kashmir", Locality: "Srinagar"}, "01", "01-srinagar"},
		"no such city":         {address.Place{Country: "India", State: "Delhi", Locality: "Atlantis"}, "07", ""},
		"no such state":        {address.Place{Country: "India", State: "Atlantis", Locality: "Pune"}, "", ""},
		"another country":      {address.Place{Country: "Nepal", State: "Bagmati", Locality: "Kathmandu"}, "", ""},
		"a provider's silence": {address.Place{}, "", ""},
	} {
		b.places.place = tc.place
		got, err := b.service.Find(t.Context(), "x", "")
		require.NoError(t, err, name)
		require.Equal(t, tc.state, got.StateID, name)
		require.Equal(t, tc.city, got.CityID, name)
	}
	b.places.place = address.Place{Formatted: "Shop #4 (Rear) & Café,  , MG Road+ <b>"}
	got, err := b.service.Find(t.Context(), "x", "")
	require.NoError(t, err)
	require.Equal(t, "Shop 4 Rear and Café, MG Road b", got.Formatted, "an address may hold it as it is")
}

// The city that the embedded list names is in the list of cities, so that a chosen place fills the whole form.
func TestGazetteerCities_AreInTheCityList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	service := address.NewService(address.Options{
		DB: b.db.API, Places: gazetteer.New(), Clock: testkit.NewClock(), Logger: testkit.NewLogger(t),
	})
	for _, text := range []string{"mumbai", "koramangala", "leh", "andheri", "1100", "560034", "sector 62 noida", "port blair", "yanam", "silvassa"} {
		found, err := service.Search(t.Context(), text, "")
		require.NoError(t, err)
		require.NotEmpty(t, found, text)
		for _, s := range found {
			p, err := service.Find(t.Context(), s.PlaceID, "")
			require.NoError(t, err)
			require.NotEmpty(t, p.StateID, s.Description)
			require.NotEmpty(t, p.CityID, s.Description)
			require.Equal(t, "IN", p.CountryID)
		}
	}
}

func TestSearch_EmptyOrLongText_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, text := range []string{"", "   ", strings.Repeat("x", 201)} {
		_, err := b.service.Search(t.Context(), text, "")
		require.Equal(t, errs.KindInvalid, errs.KindOf(err))
		require.NotEmpty(t, errs.As(err).Fields["address"])
	}
	_, err := b.service.Find(t.Context(), "", "")
	require.NotEmpty(t, errs.As(err).Fields["placeId"])
	_, err = b.service.Find(t.Context(), strings.Repeat("x", 513), "")
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}

// Text that Postgres cannot store is a fault of its field, not an internal error.
func TestSave_TextPostgresCannotStore_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, text := range map[string]string{"NUL": "27\x00", "broken UTF-8": "\xff27", "both": "\x00\xff", "10,000 letters": strings.Repeat("x", 10_000)} {
		for field, change := range map[string]func(in *address.SaveInput){
			"country_id": func(in *address.SaveInput) { in.CountryID = text },
			"state_id":   func(in *address.SaveInput) { in.StateID = text },
			"city_id":    func(in *address.SaveInput) { in.CityID = text },
			"gstin":      func(in *address.SaveInput) { in.GSTIN = text },
			"zipcode":    func(in *address.SaveInput) { in.Zipcode = text },
		} {
			in := input()
			change(&in)
			_, err := b.service.Save(t.Context(), b.own, in)
			require.Equal(t, errs.KindInvalid, errs.KindOf(err), "%s in %s: %v", name, field, err)
			require.Contains(t, errs.As(err).Fields, field, name)
		}
		b.places.place = address.Place{Country: "India", State: "Maharashtra", Locality: text, District: "Pune"}
		found, err := b.service.Find(t.Context(), "x", "")
		require.NoError(t, err, "%s: what a provider calls a place is no fault at all", name)
		require.Equal(t, "27-pune", found.CityID)
		b.places.place = address.Place{Country: text, State: text, Locality: text}
		_, err = b.service.Find(t.Context(), "x", "")
		require.NoError(t, err, name)
	}
}
