package tenant

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Export is the store section in the export of personal data.
type Export struct {
	StoreName    string `json:"store_name"`
	Username     string `json:"store_username"`
	Domain       string `json:"domain"`
	CustomDomain string `json:"custom_domain,omitempty"`
}

// PersonalData exports, erases and moves the personal data in stores.
type PersonalData struct{ service *Service }

// NewPersonalData returns the personal data of the service's stores.
func NewPersonalData(s *Service) PersonalData { return *wiring.Complete(&PersonalData{service: s}) }

// ExportTx returns the store; nil if there is no store.
func (r PersonalData) ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error) {
	const name = "store"
	store, err := r.service.OfTx(ctx, tx, franchiserID)
	if err != nil || store == nil {
		return name, nil, err
	}
	e := Export{StoreName: store.StoreName, Username: store.Username, Domain: store.Domain}
	if store.Custom != nil {
		e.CustomDomain = store.Custom.Display
	}
	return name, e, nil
}

// EraseTx closes the store: its page, domains and sessions are removed; its name remains only on tax documents.
func (r PersonalData) EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	return eraseStore(ctx, tx, franchiserID, r.service.clock.Now())
}

// MoveTx changes the store's username to the franchiser's new mobile, and ends the sessions under the old one.
func (r PersonalData) MoveTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string) error {
	return moveStore(ctx, tx, franchiserID, mobile, r.service.clock.Now())
}
