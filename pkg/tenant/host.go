package tenant

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"golang.org/x/net/idna"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// Ref points to a store by its two keys.
type Ref struct {
	TenantID     string `db:"tenant_id"`
	FranchiserID string `db:"franchiser_id"`
}

// ByHost returns the store that a host name belongs to: a default domain, or a custom one that is proven.
// ours says that the host is below the base domain, whether or not a store has it. An unknown host is errs.NotFound.
func (s *Service) ByHost(ctx context.Context, host string) (ref Ref, ours bool, err error) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if slug, ok := strings.CutSuffix(host, "."+s.config.BaseDomain); ok {
		ref, err = storeBySlug(ctx, s.db, slug)
		return ref, true, err
	}
	ascii, err := idna.ToASCII(host)
	if err != nil || !strings.Contains(ascii, ".") || len(ascii) > 253 {
		return Ref{}, false, errs.NotFound()
	}
	ref, err = storeByDomain(ctx, s.db, ascii)
	return ref, false, err
}

// TLSAllowed says whether a certificate may be asked for the host: the product's own names and those of stores.
func (s *Service) TLSAllowed(ctx context.Context, host string) (bool, error) {
	name := strings.TrimSuffix(strings.ToLower(host), ".")
	if name == "" {
		return false, nil
	}
	if public := s.config.Public.Hostname(); name == public || name == "www."+public || name == s.config.BaseDomain {
		return true, nil
	}
	_, _, err := s.ByHost(ctx, host)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, errs.NotFound()):
		return false, nil
	default:
		return false, err
	}
}

// SignIn checks the store's username and password and returns a token for its page, or ErrWrongLogin, which takes as
// long for an unknown username as for a wrong password.
func (s *Service) SignIn(ctx context.Context, ref Ref, username, password string) (string, error) {
	var hash string
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		t, err := tenantOf(ctx, tx, ref.FranchiserID)
		if err != nil || t == nil || t.ID != ref.TenantID || t.Username != username {
			return err
		}
		hash, err = passwordHash(ctx, tx, ref.FranchiserID)
		return err
	})
	if err != nil {
		return "", err
	}
	ok, err := s.hasher.Verify(ctx, hash, password)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", ErrWrongLogin
	}
	token := secret.Token()
	now := s.clock.Now()
	err = postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		current, err := passwordHash(ctx, tx, ref.FranchiserID)
		if err != nil {
			return err
		}
		if current != hash { // changed while this one was being checked
			return ErrWrongLogin
		}
		return insertSession(ctx, tx, id.New(), ref, secret.Hash(token), now, now.Add(SessionLife))
	})
	return token, err
}

// SignOut ends the session of the token; an unknown token is no failure.
func (s *Service) SignOut(ctx context.Context, ref Ref, token string) error {
	return postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		return deleteSession(ctx, tx, ref, secret.Hash(token))
	})
}

// seenEvery is how often at most a session notes that it is in use.
const seenEvery = time.Minute

// SignedIn says whether the token is a live session of this very store. That it is in use is noted where it can be: while
// nothing can be written, pages are shown all the same.
func (s *Service) SignedIn(ctx context.Context, ref Ref, token string) (bool, error) {
	if token == "" {
		return false, nil
	}
	hash, now := secret.Hash(token), s.clock.Now()
	var seen time.Time
	var live bool
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) (err error) {
		seen, live, err = sessionLives(ctx, tx, ref, hash, now)
		return err
	})
	if err == nil && live && now.Sub(seen) >= seenEvery {
		noted := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error { return seeSession(ctx, tx, ref, hash, now) })
		if noted != nil {
			s.logger.WarnContext(ctx, "use of a store session not noted", log.Error(noted))
		}
	}
	return live, err
}

// Store returns the store's public face: its name.
func (s *Service) Store(ctx context.Context, ref Ref) (Tenant, error) {
	var t Tenant
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		var err error
		t, err = ownTx(ctx, tx, ref.FranchiserID, ref.TenantID)
		return err
	})
	return t, err
}

// Overview returns what the signed-in page shows: plan, add-ons, franchises and the limit.
func (s *Service) Overview(ctx context.Context, ref Ref) (Overview, error) {
	var o Overview
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		var err error
		if o.Tenant, err = ownTx(ctx, tx, ref.FranchiserID, ref.TenantID); err != nil {
			return err
		}
		if o.Entitlement, err = s.plans.EntitlementTx(ctx, tx, ref.FranchiserID); err != nil {
			return err
		}
		if o.Franchises, err = franchises(ctx, tx, ref); err != nil {
			return err
		}
		if n := len(o.Franchises); !o.Entitlement.Usable || n >= o.Entitlement.FranchiseLimit {
			o.Blocked = limitReached(n, o.Entitlement).Message
		}
		return nil
	})
	return o, err
}

// AddFranchise adds an outlet. At the plan's limit it fails with KindLimit and current and limit as data; two at once
// cannot both take the last place.
func (s *Service) AddFranchise(ctx context.Context, ref Ref, name, city string) (Franchise, error) {
	name, city = cleanName(name), cleanName(city)
	if err := checkFranchise(name, city); err != nil {
		return Franchise{}, err
	}
	f := Franchise{ID: id.New(), Name: name, City: city, CreatedAt: s.clock.Now()}
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		if err := lockTenant(ctx, tx, ref); err != nil {
			return err
		}
		plan, err := s.plans.EntitlementTx(ctx, tx, ref.FranchiserID)
		if err != nil {
			return err
		}
		current, err := countFranchises(ctx, tx, ref)
		if err != nil {
			return err
		}
		if !plan.Usable || current >= plan.FranchiseLimit {
			return limitReached(current, plan)
		}
		return insertFranchise(ctx, tx, ref, f)
	})
	return f, err
}

// RemoveFranchise takes an outlet off the list; one that is not there is errs.NotFound.
func (s *Service) RemoveFranchise(ctx context.Context, ref Ref, franchiseID string) error {
	if !id.Valid(franchiseID) {
		return errs.NotFound()
	}
	return postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		return removeFranchise(ctx, tx, ref, franchiseID, s.clock.Now())
	})
}

// Franchises counts the franchiser's outlets, for the preview of another plan.
func (s *Service) Franchises(ctx context.Context, franchiserID string) (int, error) {
	var n int
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		n, err = countOfFranchiser(ctx, tx, franchiserID)
		return err
	})
	return n, err
}
