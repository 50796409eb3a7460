// Package google finds places through Google's Places API (New): autocomplete and place details.
// https://developers.google.com/maps/documentation/places/web-service
package google

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
)

const (
	timeout      = 3 * time.Second
	maxAnswer    = 256 << 10
	suggestMask  = "suggestions.placePrediction.text.text,suggestions.placePrediction.placeId"
	detailsMask  = "addressComponents,location,formattedAddress"
	apiKeyHeader = "X-Goog-Api-Key" //nolint:gosec // a name, not a key
	maskHeader   = "X-Goog-FieldMask"
)

// Client calls Google. Each answer takes at most 3 s, retries included.
type Client struct{ http *resty.Client }

// New returns a client for the API at the URL, https://places.googleapis.com, with a key authorised for it.
func New(apiURL, key string) (*Client, error) {
	if key == "" {
		return nil, errors.New("google places: PLACES_URL has no key")
	}
	c := resty.New().SetBaseURL(apiURL).SetTimeout(timeout).SetResponseBodyLimit(maxAnswer).
		SetRedirectPolicy(resty.NoRedirectPolicy()).SetHeader(apiKeyHeader, key).SetDisableWarn(true)
	return &Client{http: c}, nil
}

type suggestRequest struct {
	Input    string   `json:"input"`
	Regions  []string `json:"includedRegionCodes"`
	Language string   `json:"languageCode"`
	Session  string   `json:"sessionToken,omitempty"`
}

type suggestAnswer struct {
	Suggestions []struct {
		Prediction *struct {
			PlaceID string `json:"placeId"`
			Text    struct {
				Text string `json:"text"`
			} `json:"text"`
		} `json:"placePrediction"`
	} `json:"suggestions"`
}

// Suggest returns at most limit places in India, in Google's order. With a session, Google bills it together with the call of
// Place that ends it. Any failure is an errs.Unavailable.
func (c *Client) Suggest(ctx context.Context, text, session string, limit int) ([]address.Suggestion, error) {
	var got suggestAnswer
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	resp, err := c.http.R().SetContext(ctx).SetHeader(maskHeader, suggestMask).
		SetBody(suggestRequest{Input: text, Regions: []string{"in"}, Language: "en", Session: session}).
		SetResult(&got).Post("/v1/places:autocomplete")
	if err := failure(resp, err); err != nil {
		return nil, err
	}
	out := []address.Suggestion{}
	for _, s := range got.Suggestions {
		if s.Prediction == nil || s.Prediction.PlaceID == "" || s.Prediction.Text.Text == "" || len(out) == limit {
			continue // a query suggestion is not a place, and an empty row is useless
		}
		out = append(out, address.Suggestion{Description: s.Prediction.Text.Text, PlaceID: s.Prediction.PlaceID})
	}
	return out, nil
}

// Attribution is the text that Google's policy accepts instead of its logo if space is short, in English and unbroken
// (https://developers.google.com/maps/documentation/places/web-service/policies).
func (*Client) Attribution() string { return "Google Maps" }

type detailsAnswer struct {
	Components []struct {
		LongText string   `json:"longText"`
		Types    []string `json:"types"`
	} `json:"addressComponents"`
	Location struct {
		Latitude  float64 `json:"latitude"`
		Longitude float64 `json:"longitude"`
	} `json:"location"`
	Formatted string `json:"formattedAddress"`
}

// Place returns the place with an id from Suggest, or errs.NotFound if Google does not know it.
func (c *Client) Place(ctx context.Context, placeID, session string) (address.Place, error) {
	var got detailsAnswer
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request := c.http.R().SetContext(ctx).SetHeader(maskHeader, detailsMask).SetQueryParam("languageCode", "en")
	if session != "" {
		request.SetQueryParam("sessionToken", session)
	}
	resp, err := request.SetResult(&got).Get("/v1/places/" + url.PathEscape(placeID))
	if err == nil && (resp.StatusCode() == http.StatusNotFound || resp.StatusCode() == http.StatusBadRequest && refusesPlace(resp.Body())) {
		return address.Place{}, errs.NotFound()
	}
	if err := failure(resp, err); err != nil {
		return address.Place{}, err
	}
	p := address.Place{Formatted: got.Formatted, Latitude: got.Location.Latitude, Longitude: got.Location.Longitude}
	for _, part := range got.Components {
		for kind, field := range map[string]*string{
			"postal_code": &p.PostalCode, "locality": &p.Locality, "administrative_area_level_3": &p.District,
			"administrative_area_level_1": &p.State, "country": &p.Country,
		} {
			if slices.Contains(part.Types, kind) {
				*field = part.LongText
			}
		}
	}
	return p, nil
}

// refusesPlace reports whether a 400 is about the place id. Google also answers 400 to an invalid key, but then gives a
// reason in the details (google.rpc.ErrorInfo), which it does not for a bad argument.
func refusesPlace(body []byte) bool {
	var got struct {
		Error struct {
			Status  string `json:"status"`
			Details []struct {
				Reason string `json:"reason"`
			} `json:"details"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &got) != nil || got.Error.Status != "INVALID_ARGUMENT" {
		return false
	}
	for _, d := range got.Error.Details {
		if d.Reason != "" {
			return false
		}
	}
	return true
}

// failure turns everything but a 200 into errs.Unavailable; the key is in a header, so no error text can contain it.
func failure(resp *resty.Response, err error) error {
	if err != nil {
		return errs.Unavailable(fmt.Errorf("google places: %w", err))
	}
	if resp.StatusCode() != http.StatusOK {
		return errs.Unavailable(fmt.Errorf("google places answered %d", resp.StatusCode()))
	}
	return nil
}

// Measured enables timing of the calls.
func (c *Client) Measured(m *metrics.Metrics) {
	c.http.SetTransport(m.Transport("google", c.http.GetClient().Transport))
}
