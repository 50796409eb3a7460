package tenant

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
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
	// messages sends SMS only.
	messages *message.Enqueuer
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
		messages: message.NewEnqueuer(message.EnqueuerOptions{Jobs: o.Jobs}),
	})
}

// IPs returns the addresses to which custom domains point.
func (s *Service) IPs() []string { return s.config.IPs }

// Type is one business type of a store.
type Type struct{ ID, Name string }

// Types lists the business types in their order.
func (s *Service) Types(ctx context.Context) (list []Type, err error) {
	err = postgres.Read(ctx, s.db, func(q sqlx.QueryerContext) error {
		list, err = types(ctx, q)
		return err
	})
	return list, err
}

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

// Prove checks that the owner of the account asks, because a store's password gives access beyond the session.
type Prove func(ctx context.Context) error

// Update changes the store's name and type, and its password if one is given, as ChangePassword does. Without a store it returns
// errs.NotFound.
func (s *Service) Update(ctx context.Context, franchiserID string, in UpdateInput, prove Prove) (Store, error) {
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
		if err := prove(ctx); err != nil {
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
		return s.setPasswordTx(ctx, tx, franchiserID, store.ID, hash)
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

// ChangePassword sets the store's password, ends every sign-in at its page and tells the owner by SMS; another tenant's id does not
// exist. It asks for the proof once all else is right.
func (s *Service) ChangePassword(ctx context.Context, franchiserID, tenantID, chosen string, prove Prove) error {
	var v errs.Validation
	password.Check(&v, "password", "New password", chosen)
	if err := s.own(ctx, franchiserID, tenantID); err != nil {
		return err
	}
	if v.Err() != nil {
		return v.Err()
	}
	if err := prove(ctx); err != nil {
		return err
	}
	hash, err := s.hasher.For(true).Hash(ctx, chosen)
	if err != nil {
		return err
	}
	return postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		return s.setPasswordTx(ctx, tx, franchiserID, tenantID, hash)
	})
}

func (s *Service) setPasswordTx(ctx context.Context, tx *sqlx.Tx, franchiserID, tenantID, hash string) error {
	now := s.clock.Now()
	if err := setPassword(ctx, tx, franchiserID, tenantID, hash, now); err != nil {
		return err
	}
	if err := endSessions(ctx, tx, franchiserID, tenantID); err != nil {
		return err
	}
	return s.messages.OnceTx(ctx, tx, message.CustomerMessage{
		FranchiserID: franchiserID, Template: message.TemplateStorePasswordChanged, About: id.New(), CreatedAt: now,
	})
}

// EndOwnerSessions ends the owner's sign-ins at the store's page, and the links that lead in; those of the team stay.
func (s *Service) EndOwnerSessions(ctx context.Context, franchiserID string) error {
	return postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error { return endOwnerSessions(ctx, tx, franchiserID) })
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
