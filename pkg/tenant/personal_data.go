package tenant

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Export is the section of a store in the export of a person's data.
type Export struct {
	StoreName    string            `json:"store_name"`
	Username     string            `json:"store_username"`
	Domain       string            `json:"domain"`
	CustomDomain string            `json:"custom_domain,omitempty"`
	Franchises   []FranchiseExport `json:"franchises"`
}

// FranchiseExport is one outlet in the export.
type FranchiseExport struct {
	Name string `json:"name"`
	City string `json:"city"`
}

// PersonalData exports, erases and moves what stores keep about a franchiser.
type PersonalData struct{ service *Service }

// NewPersonalData returns the records of the service's stores.
func NewPersonalData(s *Service) PersonalData { return *wiring.Complete(&PersonalData{service: s}) }

// ExportTx returns the store and its franchises; nil where there is no store.
func (r PersonalData) ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error) {
	const name = "store"
	store, err := r.service.OfTx(ctx, tx, franchiserID)
	if err != nil || store == nil {
		return name, nil, err
	}
	list, err := franchises(ctx, tx, Ref{TenantID: store.ID, FranchiserID: franchiserID})
	if err != nil {
		return name, nil, err
	}
	e := Export{StoreName: store.StoreName, Username: store.Username, Domain: store.Domain, Franchises: []FranchiseExport{}}
	if store.Custom != nil {
		e.CustomDomain = store.Custom.Display
	}
	for _, f := range list {
		e.Franchises = append(e.Franchises, FranchiseExport{Name: f.Name, City: f.City})
	}
	return name, e, nil
}

// EraseTx closes the store: its page, domains, sessions and franchises are gone; its name stays on tax documents only.
func (r PersonalData) EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	return eraseStore(ctx, tx, franchiserID, r.service.clock.Now())
}

// MoveTx lets the store's username follow the franchiser's mobile, and ends the sign-ins under the old one.
func (r PersonalData) MoveTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string) error {
	return moveStore(ctx, tx, franchiserID, mobile, r.service.clock.Now())
}
