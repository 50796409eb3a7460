package tenant

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Service holds the use cases of stores.
type Service struct {
	db     *sqlx.DB
	jobs   *queue.Inserter
	clock  clock.Clock
	hasher *password.Hasher
	plans  Plans
	config Config
	logger *slog.Logger
}

// Options are the parts and settings of a Service. NewService panics if a part is nil.
type Options struct {
	DB     *sqlx.DB
	Jobs   *queue.Inserter
	Clock  clock.Clock
	Hasher *password.Hasher
	// Plans is queried only if a rule needs it.
	Plans  Plans
	Config Config
	Logger *slog.Logger
}

// NewService returns a service.
func NewService(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, hasher: o.Hasher, plans: o.Plans, config: o.Config, logger: o.Logger,
	})
}

// IPs returns the addresses to which custom domains point.
func (s *Service) IPs() []string { return s.config.IPs }

// Type is one business type of a store.
type Type struct{ ID, Name string }

// Types lists the business types in their order.
func (s *Service) Types(ctx context.Context) ([]Type, error) { return types(ctx, s.db) }

// Create makes the franchiser's store with its own default domain. It fails with ErrPlanRequired without a
// running plan or trial, with ErrExists the second time, and with messages by field.
func (s *Service) Create(ctx context.Context, franchiserID string, in CreateInput) (Store, error) {
	in.StoreName = cleanStoreName(in.StoreName)
	if err := s.mayCreate(ctx, franchiserID, in); err != nil {
		return Store{}, err
	}
	hash, err := s.hasher.For(true).Hash(ctx, in.Password)
	if err != nil {
		return Store{}, err
	}
	var made Tenant
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		made = Tenant{
			ID: id.New(), FranchiserID: franchiserID, StoreName: in.StoreName, TypeID: in.TypeID, Username: in.Username,
		}
		for _, slug := range slugs(in.StoreName, hexToken(3)) {
			made.Slug = slug
			inserted, err := insertTenant(ctx, tx, made, hash, s.clock.Now())
			if err != nil || inserted {
				return err
			}
		}
		return errs.Unavailable(nil)
	})
	return s.config.store(made, nil), err
}

// mayCreate checks what needs no password hash first, so that a refused call costs little.
func (s *Service) mayCreate(ctx context.Context, franchiserID string, in CreateInput) error {
	return postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		existing, err := tenantOf(ctx, tx, franchiserID)
		if err != nil {
			return err
		}
		if existing != nil {
			return ErrExists
		}
		plan, err := s.plans.EntitlementTx(ctx, tx, franchiserID)
		if err != nil {
			return err
		}
		if !plan.Usable {
			return ErrPlanRequired
		}
		owner, err := ownerOf(ctx, tx, franchiserID)
		if err != nil {
			return err
		}
		var v errs.Validation
		in.check(&v, owner.Mobile, s.config.Brands)
		if err := checkType(ctx, tx, &v, in.TypeID); err != nil {
			return err
		}
		return v.Err()
	})
}

func checkType(ctx context.Context, tx *sqlx.Tx, v *errs.Validation, typeID string) error {
	if typeID == "" {
		return nil
	}
	known, err := typeExists(ctx, tx, typeID)
	if err == nil {
		v.Check(known, "store_type", "Kindly choose one")
	}
	return err
}

// hexToken returns n random bytes as hexadecimal digits.
func hexToken(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails since Go 1.24
	return hex.EncodeToString(b)
}

// Of returns the franchiser's store, nil while there is none, and the mobile that is or will be its username.
func (s *Service) Of(ctx context.Context, franchiserID string) (store *Store, username string, err error) {
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		owner, err := ownerOf(ctx, tx, franchiserID)
		if err != nil {
			return err
		}
		username = owner.Mobile
		store, err = s.OfTx(ctx, tx, franchiserID)
		return err
	})
	return store, username, err
}

// OfTx is Of within the caller's transaction, without the username.
func (s *Service) OfTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (*Store, error) {
	t, err := tenantOf(ctx, tx, franchiserID)
	if err != nil || t == nil {
		return nil, err
	}
	custom, err := domainOf(ctx, tx, franchiserID)
	if err != nil {
		return nil, err
	}
	store := s.config.store(*t, custom)
	return &store, nil
}

// Assemble adds a store's addresses, for callers that read its row in their own statement; custom is nil without a domain.
func (s *Service) Assemble(t Tenant, custom *CustomDomain) Store { return s.config.store(t, custom) }

// Update changes the store's name and type, and its password if one is given, which ends every sign-in at its page as
// ChangePassword does. Without a store it returns errs.NotFound.
func (s *Service) Update(ctx context.Context, franchiserID string, in UpdateInput) (Store, error) {
	in.StoreName = cleanStoreName(in.StoreName)
	var hash string
	if in.Password != "" { // hashed outside the transaction, once it is known that the rest is right
		err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
			_, err := s.updatable(ctx, tx, franchiserID, in)
			return err
		})
		if err != nil {
			return Store{}, err
		}
		if hash, err = s.hasher.For(true).Hash(ctx, in.Password); err != nil {
			return Store{}, err
		}
	}
	var out Store
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		store, err := s.updatable(ctx, tx, franchiserID, in)
		if err != nil {
			return err
		}
		store.StoreName, store.TypeID = in.StoreName, in.TypeID
		out = *store
		if err := updateTenant(ctx, tx, store.Tenant, s.clock.Now()); err != nil || hash == "" {
			return err
		}
		if err := setPassword(ctx, tx, franchiserID, store.ID, hash, s.clock.Now()); err != nil {
			return err
		}
		return endSessions(ctx, tx, franchiserID, store.ID)
	})
	return out, err
}

// updatable returns the franchiser's store if the input may change it.
func (s *Service) updatable(ctx context.Context, tx *sqlx.Tx, franchiserID string, in UpdateInput) (*Store, error) {
	store, err := s.OfTx(ctx, tx, franchiserID)
	if err != nil {
		return nil, err
	}
	if store == nil {
		return nil, errs.NotFound()
	}
	var v errs.Validation
	in.check(&v, store.Username, s.config.Brands)
	if err := checkType(ctx, tx, &v, in.TypeID); err != nil {
		return nil, err
	}
	return store, v.Err()
}

// ChangePassword sets the store's password and ends every sign-in at its page; another tenant's id does not exist.
func (s *Service) ChangePassword(ctx context.Context, franchiserID, tenantID, chosen string) error {
	var v errs.Validation
	password.Check(&v, "password", "New password", chosen)
	if err := s.own(ctx, franchiserID, tenantID); err != nil {
		return err
	}
	if v.Err() != nil {
		return v.Err()
	}
	hash, err := s.hasher.For(true).Hash(ctx, chosen)
	if err != nil {
		return err
	}
	return postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if err := setPassword(ctx, tx, franchiserID, tenantID, hash, s.clock.Now()); err != nil {
			return err
		}
		return endSessions(ctx, tx, franchiserID, tenantID)
	})
}

func (s *Service) own(ctx context.Context, franchiserID, tenantID string) error {
	return postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		_, err := ownTx(ctx, tx, franchiserID, tenantID)
		return err
	})
}

// ownTx returns the tenant with that id if it is the franchiser's, otherwise errs.NotFound.
func ownTx(ctx context.Context, tx *sqlx.Tx, franchiserID, tenantID string) (Tenant, error) {
	t, err := tenantOf(ctx, tx, franchiserID)
	if err != nil {
		return Tenant{}, err
	}
	if t == nil || t.ID != tenantID {
		return Tenant{}, errs.NotFound()
	}
	return *t, nil
}
