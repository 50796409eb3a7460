package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
)

// Places handles the lists of places, place search, and the business address.
type Places struct {
	addresses *address.Service
	limiter   middleware.Limiter
	searches  ratelimit.Rule
}

// NewPlaces returns the handlers backed by the address service; perMinute limits search calls, both steps, per session.
func NewPlaces(addresses *address.Service, limiter middleware.Limiter, perMinute int64) *Places {
	return &Places{
		addresses: addresses, limiter: limiter,
		searches: ratelimit.Rule{Name: "place_search", Limit: perMinute, Window: time.Minute},
	}
}

// Register adds the routes.
func (h *Places) Register(r Routes) {
	r.Public.GET("/country", Handle(h.countries))
	r.Public.GET("/state/:id", Handle(h.states))
	r.Public.GET("/city/:id", Handle(h.cities))
	r.Private.POST("/profile/search-address", Handle(h.search))
	r.Private.POST("/profile/coordinates", Handle(h.coordinates))
	r.Private.GET("/profile/address/:id", Handle(h.address))
	r.Private.POST("/profile/address", Handle(h.save))
}

type itemAnswer struct {
	ID   string        `json:"id"`
	Name i18n.Sentence `json:"name"`
}

func itemsOf(list []address.Item) []itemAnswer {
	out := make([]itemAnswer, 0, len(list))
	for _, i := range list {
		out = append(out, itemAnswer{ID: i.ID, Name: i18n.Sentence(i.Name)})
	}
	return out
}

func (h *Places) countries(c *gin.Context) error {
	list, err := h.addresses.Countries(c.Request.Context())
	if err != nil {
		return err
	}
	return OK(c, "Countries.", itemsOf(list))
}

func (h *Places) states(c *gin.Context) error {
	list, err := h.addresses.States(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	return OK(c, "States.", itemsOf(list))
}

func (h *Places) cities(c *gin.Context) error {
	list, err := h.addresses.Cities(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	return OK(c, "Cities.", itemsOf(list))
}

type searchRequest struct {
	Address string `json:"address"`
	Session string `json:"session" empty:"refused"`
}

type suggestionAnswer struct {
	Description string `json:"description"`
	PlaceID     string `json:"place_id"`
}

func (h *Places) search(c *gin.Context) error {
	var in searchRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.limiter.Hit(c.Request.Context(), h.searches, middleware.Principal(c).SessionID); err != nil {
		return err
	}
	found, err := h.addresses.Search(c.Request.Context(), in.Address, in.Session)
	if err != nil {
		return err
	}
	out := make([]suggestionAnswer, 0, len(found))
	for _, s := range found {
		out = append(out, suggestionAnswer{Description: s.Description, PlaceID: s.PlaceID})
	}
	return OK(c, "Suggestions.", gin.H{"search-suggestions": out, "attribution": i18n.Sentence(h.addresses.Attribution())})
}

type coordinatesRequest struct {
	PlaceID string `json:"placeId"`
	Session string `json:"session" empty:"refused"`
}

type componentAnswer struct {
	Types    []string `json:"types"`
	LongName string   `json:"long_name"`
}

type placeAnswer struct {
	Components []componentAnswer `json:"address_components"`
	Geometry   struct {
		Location struct {
			Lat float64 `json:"lat"`
			Lng float64 `json:"lng"`
		} `json:"location"`
	} `json:"geometry"`
	Formatted string  `json:"formatted_address"`
	CountryID *string `json:"country_id"`
	StateID   *string `json:"state_id"`
	CityID    *string `json:"city_id"`
}

func (h *Places) coordinates(c *gin.Context) error {
	var in coordinatesRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.limiter.Hit(c.Request.Context(), h.searches, middleware.Principal(c).SessionID); err != nil {
		return err
	}
	p, err := h.addresses.Find(c.Request.Context(), in.PlaceID, in.Session)
	if err != nil {
		return err
	}
	return OK(c, "Place.", placeOf(p))
}

func placeOf(p address.FoundPlace) placeAnswer {
	a := placeAnswer{
		Components: []componentAnswer{}, Formatted: p.Formatted,
		CountryID: orNull(p.CountryID), StateID: orNull(p.StateID), CityID: orNull(p.CityID),
	}
	for _, part := range []struct{ kind, name string }{
		{"postal_code", p.PostalCode},
		{"locality", p.Locality},
		{"administrative_area_level_2", p.District},
		{"administrative_area_level_1", p.State},
		{"country", p.Country},
	} {
		if part.name != "" {
			a.Components = append(a.Components, componentAnswer{Types: []string{part.kind}, LongName: part.name})
		}
	}
	a.Geometry.Location.Lat, a.Geometry.Location.Lng = p.Latitude, p.Longitude
	return a
}
