package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/tenant"
)

type domainRequest struct {
	CustomDomain string `json:"custom_domain"`
}

type recordAnswer struct {
	Type    string   `json:"type"`
	Name    string   `json:"name"`
	Short   string   `json:"relative_name"`
	Value   string   `json:"value"`
	TTL     int      `json:"ttl"`
	Purpose string   `json:"purpose"`
	Found   []string `json:"found"`
	Matches bool     `json:"matches"`
}

type domainAnswer struct {
	ID           string         `json:"id"`
	Domain       string         `json:"domain"`
	CustomDomain *string        `json:"custom_domain"`
	State        string         `json:"state"`
	IPAddress    *string        `json:"ip_address"`
	Records      []recordAnswer `json:"records"`
	Reason       *i18n.Sentence `json:"reason"`
	Checking     bool           `json:"checking"`
	CheckedAt    *time.Time     `json:"checked_at"`
	NextCheckAt  *time.Time     `json:"next_check_at"`
}

func domainOf(s tenant.Store, ips []string) domainAnswer {
	a := domainAnswer{ID: s.ID, Domain: s.Domain, State: stateNone, IPAddress: orNull(s.IPAddress), Records: []recordAnswer{}}
	d := s.Custom
	if d == nil {
		return a
	}
	a.CustomDomain, a.State, a.Reason = &d.Display, string(d.State), orNull(i18n.Sentence(d.Reason))
	a.Checking, a.CheckedAt, a.NextCheckAt = d.AskedAt != nil, d.CheckedAt, d.NextCheckAt
	for _, r := range d.Records(ips) {
		found := r.Found
		if found == nil {
			found = []string{}
		}
		a.Records = append(a.Records, recordAnswer{
			Type: r.Type, Name: r.Name, Short: r.Relative, Value: r.Value, TTL: tenant.RecordTTL, Purpose: string(r.Purpose), Found: found, Matches: r.Matches,
		})
	}
	return a
}

func (h *Stores) domain(c *gin.Context) error {
	tenantID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	store, err := h.stores.Domain(c.Request.Context(), middleware.Principal(c).FranchiserID, tenantID)
	if err != nil {
		return err
	}
	return OK(c, "Your domain.", domainOf(store, h.stores.IPs()))
}

func (h *Stores) setDomain(c *gin.Context) error {
	tenantID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in domainRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	store, err := h.stores.SetDomain(c.Request.Context(), middleware.Principal(c).FranchiserID, tenantID, in.CustomDomain)
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("Domain saved. Add the records at your registrar."), domainOf(store, h.stores.IPs()))
}

func (h *Stores) removeDomain(c *gin.Context) error {
	tenantID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	store, err := h.stores.RemoveDomain(c.Request.Context(), middleware.Principal(c).FranchiserID, tenantID)
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("Custom domain removed."), domainOf(store, h.stores.IPs()))
}
