// Package photon finds places through a self-hosted Photon server, which searches OpenStreetMap (ODbL).
// https://github.com/komoot/photon
package photon

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

const (
	timeout   = 3 * time.Second
	maxAnswer = 512 << 10
	// india bounds the search: west, south, east, north in degrees. Neighbouring countries within it are excluded by country code,
	// on the server and again here.
	india       = "68.0,6.5,97.5,37.2"
	countryCode = "IN"
	idPrefix    = "ph:"
	// maxPart limits the characters of each text of a place id, maxID the bytes of the whole: the longest that is looked up.
	maxPart = 60
	maxID   = 512
)

// Client calls a Photon server; each answer takes at most 3 s.
type Client struct{ http *resty.Client }

// New returns a client for the server at the URL.
func New(serverURL string) (*Client, error) {
	if serverURL == "" {
		return nil, errors.New("photon: PLACES_URL is not set")
	}
	return &Client{http: resty.New().SetBaseURL(serverURL).SetTimeout(timeout).SetResponseBodyLimit(maxAnswer).
		SetRedirectPolicy(resty.NoRedirectPolicy()).SetDisableWarn(true)}, nil
}

type collection struct {
	Features []struct {
		Properties properties `json:"properties"`
		Geometry   struct {
			Coordinates []float64 `json:"coordinates"` // longitude, latitude
		} `json:"geometry"`
	} `json:"features"`
}

type properties struct {
	Name        string `json:"name"`
	HouseNumber string `json:"housenumber"`
	Street      string `json:"street"`
	Locality    string `json:"locality"`
	District    string `json:"district"`
	City        string `json:"city"`
	County      string `json:"county"`
	State       string `json:"state"`
	Postcode    string `json:"postcode"`
	Country     string `json:"country"`
	CountryCode string `json:"countrycode"`
	Type        string `json:"type"`
}

// ticket is a place encoded in its own id, because Photon has no lookup by id. Editing it only fills in an address other
// than the suggested one, which the form allows anyway.
type ticket struct {
	Formatted string  `json:"f"`
	Postcode  string  `json:"p,omitempty"`
	City      string  `json:"c,omitempty"`
	County    string  `json:"d,omitempty"`
	State     string  `json:"s,omitempty"`
	Country   string  `json:"n"`
	Latitude  float64 `json:"a"`
	Longitude float64 `json:"o"`
}

// Suggest returns at most limit places in India, in Photon's order. Any failure is an errs.Unavailable.
func (c *Client) Suggest(ctx context.Context, text, _ string, limit int) ([]address.Suggestion, error) {
	var got collection
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	resp, err := c.http.R().SetContext(ctx).SetResult(&got).SetQueryParams(map[string]string{
		"q": text, "limit": strconv.Itoa(limit), "lang": "en", "bbox": india, "countrycode": countryCode,
	}).Get("/api")
	if err != nil {
		return nil, errs.Unavailable(fmt.Errorf("photon: %w", err))
	}
	if resp.StatusCode() != http.StatusOK {
		return nil, errs.Unavailable(fmt.Errorf("photon answered %d", resp.StatusCode()))
	}
	out, seen := []address.Suggestion{}, map[string]bool{}
	for _, f := range got.Features {
		p := f.Properties
		if p.CountryCode != countryCode || len(f.Geometry.Coordinates) != 2 || len(out) == limit {
			continue
		}
		t := p.ticket(f.Geometry.Coordinates[1], f.Geometry.Coordinates[0])
		if !t.valid() || seen[t.Formatted] {
			continue
		}
		seen[t.Formatted] = true
		out = append(out, address.Suggestion{Description: t.Formatted, PlaceID: t.id()})
	}
	return out, nil
}

// Attribution names OpenStreetMap's contributors in the wording of its copyright page
// (https://www.openstreetmap.org/copyright).
func (*Client) Attribution() string { return "© OpenStreetMap contributors" }

func (p properties) ticket(lat, lon float64) ticket {
	for _, name := range []*string{
		&p.Name, &p.HouseNumber, &p.Street, &p.Locality, &p.District, &p.City, &p.County, &p.State, &p.Postcode, &p.Country,
	} {
		*name = strings.TrimSpace(*name)
	}
	city := p.City
	if city == "" && (p.Type == "city" || p.Type == "district") {
		city = p.Name
	}
	road := strings.TrimSpace(p.HouseNumber + " " + p.Street)
	t := ticket{
		Postcode: p.Postcode, City: city, County: p.County, State: p.State, Country: p.Country, Latitude: lat, Longitude: lon,
	}
	var parts []string
	for _, part := range []string{p.Name, road, p.Locality, p.District, city, strings.TrimSpace(p.State + " " + p.Postcode)} {
		if part = text.First(part, maxPart); part != "" && (len(parts) == 0 || parts[len(parts)-1] != part) {
			parts = append(parts, part)
		}
	}
	t.Formatted = strings.Join(parts, ", ")
	t = t.cut(maxPart)
	for most := maxPart; len(t.id()) > maxID; t = t.cut(most) { // multi-byte letters
		most = most * 3 / 4
	}
	return t
}

// cut returns the ticket with texts of at most that many characters, and twice as many for the whole address.
func (t ticket) cut(most int) ticket {
	t.Formatted = text.First(t.Formatted, 2*most)
	for _, name := range []*string{&t.Postcode, &t.City, &t.County, &t.State, &t.Country} {
		*name = text.First(*name, most)
	}
	return t
}

// valid reports whether the ticket names a place on earth.
func (t ticket) valid() bool {
	return t.Formatted != "" && t.Latitude >= -90 && t.Latitude <= 90 && t.Longitude >= -180 && t.Longitude <= 180
}

func (t ticket) id() string {
	raw, _ := json.Marshal(t) // strings and numbers always marshal
	return idPrefix + base64.RawURLEncoding.EncodeToString(raw)
}

// Place returns the place encoded in the id, or errs.NotFound for an id that Suggest cannot have returned.
func (c *Client) Place(_ context.Context, placeID, _ string) (address.Place, error) {
	encoded, ok := strings.CutPrefix(placeID, idPrefix)
	raw, err := base64.RawURLEncoding.DecodeString(encoded)
	var t ticket
	if !ok || err != nil || json.Unmarshal(raw, &t) != nil || !t.valid() {
		return address.Place{}, errs.NotFound()
	}
	formatted := t.Formatted
	if t.Country != "" { // a place may have its country's code alone
		formatted += ", " + t.Country
	}
	return address.Place{
		Formatted: formatted, PostalCode: t.Postcode, Locality: t.City, District: t.County,
		State: t.State, Country: t.Country, Latitude: t.Latitude, Longitude: t.Longitude,
	}, nil
}

// Measured enables timing of the calls.
func (c *Client) Measured(m *metrics.Metrics) {
	c.http.SetTransport(m.Transport("photon", c.http.GetClient().Transport))
}
