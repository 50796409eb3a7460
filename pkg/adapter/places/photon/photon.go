// Package photon finds places through a Photon server of one's own, which searches OpenStreetMap (ODbL).
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
)

const (
	timeout   = 3 * time.Second
	maxAnswer = 512 << 10
	// india bounds the search: west, south, east, north in degrees. Neighbours within it are left out by their code, at the
	// server and here again.
	india       = "68.0,6.5,97.5,37.2"
	countryCode = "IN"
	idPrefix    = "ph:"
	// maxPart is the most characters of each text of a place id, and maxID the most bytes of the whole: the longest that is looked up.
	maxPart = 60
	maxID   = 512
)

// Client asks a Photon server; each answer takes 3 s at most.
type Client struct{ http *resty.Client }

// New returns a client for the server at the URL.
func New(serverURL string) (*Client, error) {
	if serverURL == "" {
		return nil, errors.New("photon: PHOTON_URL is not set")
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

// ticket is a place within its own id: Photon looks nothing up by id. Whoever edits it only fills in another address
// than the one suggested, which the form lets everybody do anyway.
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

// Attribution names OpenStreetMap's contributors in the words that its copyright page asks for
// (https://www.openstreetmap.org/copyright).
func (*Client) Attribution() string { return "© OpenStreetMap contributors" }

func (p properties) ticket(lat, lon float64) ticket {
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
		if part = cut(part, maxPart); part != "" && (len(parts) == 0 || parts[len(parts)-1] != part) {
			parts = append(parts, part)
		}
	}
	t.Formatted = strings.Join(parts, ", ")
	t = t.cut(maxPart)
	for most := maxPart; len(t.id()) > maxID; t = t.cut(most) { // letters of several bytes
		most = most * 3 / 4
	}
	return t
}

// cut is the ticket with texts of at most so many characters, the whole address with twice as many.
func (t ticket) cut(most int) ticket {
	t.Formatted = cut(t.Formatted, 2*most)
	for _, text := range []*string{&t.Postcode, &t.City, &t.County, &t.State, &t.Country} {
		*text = cut(*text, most)
	}
	return t
}

func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}

// valid says whether the ticket names a place on earth.
func (t ticket) valid() bool {
	return t.Formatted != "" && t.Latitude >= -90 && t.Latitude <= 90 && t.Longitude >= -180 && t.Longitude <= 180
}

func (t ticket) id() string {
	raw, _ := json.Marshal(t) // texts and numbers always marshal
	return idPrefix + base64.RawURLEncoding.EncodeToString(raw)
}

// Place returns the place within the id; anything that Suggest did not give answers errs.NotFound.
func (c *Client) Place(_ context.Context, placeID, _ string) (address.Place, error) {
	encoded, ok := strings.CutPrefix(placeID, idPrefix)
	raw, err := base64.RawURLEncoding.DecodeString(encoded)
	var t ticket
	if !ok || err != nil || json.Unmarshal(raw, &t) != nil || !t.valid() {
		return address.Place{}, errs.NotFound()
	}
	return address.Place{
		Formatted: t.Formatted + ", " + t.Country, PostalCode: t.Postcode, Locality: t.City, District: t.County,
		State: t.State, Country: t.Country, Latitude: t.Latitude, Longitude: t.Longitude,
	}, nil
}

// Measured has the calls timed.
func (c *Client) Measured(m *metrics.Metrics) {
	c.http.SetTransport(m.Transport("photon", c.http.GetClient().Transport))
}
