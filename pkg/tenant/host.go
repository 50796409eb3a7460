package tenant

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"golang.org/x/net/idna"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// Ref points to a store by its two keys, and says who acts there.
type Ref struct {
	TenantID     string `db:"tenant_id"`
	FranchiserID string `db:"franchiser_id"`
	// MemberID is the member of the owner's team who acts, empty for the owner.
	MemberID string `db:"-"`
}

// ByHost returns the store that a host name belongs to: by a default domain or a verified custom domain.
// ours reports that the host is below the base domain, whether or not a store has it. An unknown host is errs.NotFound.
func (s *Service) ByHost(ctx context.Context, host string) (ref Ref, ours bool, err error) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if slug, ok := strings.CutSuffix(host, "."+s.config.BaseDomain); ok {
		ref, err = storeBySlug(ctx, s.db, slug)
		return ref, true, err
	}
	ascii, err := domainOfHost(host)
	if err != nil {
		return Ref{}, false, err
	}
	ref, err = storeByDomain(ctx, s.db, ascii)
	return ref, false, err
}

// domainOfHost returns a host name in punycode, or errs.NotFound if no store can have it.
func domainOfHost(host string) (string, error) {
	ascii, err := idna.ToASCII(host)
	if err != nil || !strings.Contains(ascii, ".") || len(ascii) > 253 {
		return "", errs.NotFound()
	}
	return ascii, nil
}

// TwinDomain returns the store's domain in punycode that visitors of a host mean who added or left out "www.", or errs.NotFound.
// A host of a store's own has no twin.
func (s *Service) TwinDomain(ctx context.Context, host string) (string, error) {
	ascii, err := domainOfHost(strings.TrimSuffix(strings.ToLower(host), "."))
	if err != nil {
		return "", err
	}
	twin, ok := strings.CutPrefix(ascii, "www.")
	if !ok {
		twin = "www." + ascii
	}
	if _, err := storeByDomain(ctx, s.db, twin); err != nil {
		return "", err
	}
	return twin, nil
}

// LinkedDomain returns the store's custom domain in punycode if it is in use and its records were found at the last check,
// empty otherwise.
func (s *Service) LinkedDomain(ctx context.Context, ref Ref) (string, error) {
	var linked string
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		d, err := domainOf(ctx, tx, ref.FranchiserID)
		if err == nil && d != nil && d.State == DomainActive && d.MissingSince == nil {
			linked = d.Domain
		}
		return err
	})
	return linked, err
}

// TLSAllowed reports whether a certificate may be requested for the host: the product's own names and those of stores, with
// and without "www.".
func (s *Service) TLSAllowed(ctx context.Context, host string) (bool, error) {
	name := strings.TrimSuffix(strings.ToLower(host), ".")
	if name == "" {
		return false, nil
	}
	if public := s.config.Public.Hostname(); name == public || name == "www."+public || name == s.config.BaseDomain {
		return true, nil
	}
	_, _, err := s.ByHost(ctx, host)
	if errors.Is(err, errs.NotFound()) {
		_, err = s.TwinDomain(ctx, host)
	}
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
// long for an unknown username as for a wrong password. A known browser waits only behind other known browsers.
func (s *Service) SignIn(ctx context.Context, ref Ref, username, password string, knownBrowser bool) (string, error) {
	hasher := s.hasher.For(knownBrowser)
	if err := hasher.Open(); err != nil {
		return "", err
	}
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
	ok, err := hasher.Verify(ctx, hash, password)
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

// ProvePassword checks the store's password before a session gives somebody access that outlives it.
func (s *Service) ProvePassword(ctx context.Context, ref Ref, given string, knownBrowser bool) error {
	hasher := s.hasher.For(knownBrowser)
	if err := hasher.Open(); err != nil {
		return err
	}
	var hash string
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) (err error) {
		if _, err = ownTx(ctx, tx, ref.FranchiserID, ref.TenantID); err == nil {
			hash, err = passwordHash(ctx, tx, ref.FranchiserID)
		}
		return err
	})
	if err != nil {
		return err
	}
	ok, err := hasher.Verify(ctx, hash, given)
	if err == nil && !ok {
		err = ErrWrongPassword
	}
	return err
}

// SignOut ends the session of the token; an unknown token is no failure.
func (s *Service) SignOut(ctx context.Context, ref Ref, token string) error {
	return postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		return deleteSession(ctx, tx, ref, secret.Hash(token))
	})
}

// seenEvery is how often at most a session records that it is in use.
const seenEvery = time.Minute

// SignedIn returns the live session of this store with the token, nil if there is none. A member's lives while they may keep the
// store. It records that the session is in use if it can: while the database is read-only, pages are still shown.
func (s *Service) SignedIn(ctx context.Context, ref Ref, token string) (*Session, error) {
	if token == "" {
		return nil, nil // not signed in
	}
	hash, now := secret.Hash(token), s.clock.Now()
	var found storeSession
	var live bool
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) (err error) {
		if found, live, err = sessionLives(ctx, tx, ref, hash, now, IdleLife); err == nil && live && found.MemberID != "" {
			live, err = team.ManagesTx(ctx, tx, ref.FranchiserID, found.MemberID)
		}
		return err
	})
	if err != nil || !live {
		return nil, err
	}
	if now.Sub(found.SeenAt) >= seenEvery {
		noted := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error { return seeSession(ctx, tx, ref, hash, now) })
		if noted != nil {
			s.logger.WarnContext(ctx, "use of a store session not noted", log.Error(noted))
		}
	}
	return &Session{MemberID: found.MemberID}, nil
}

// Paused reports whether the token is of a session that ended without use.
func (s *Service) Paused(ctx context.Context, ref Ref, token string) (paused bool, err error) {
	if token == "" {
		return false, nil
	}
	now := s.clock.Now()
	err = postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		found, there, err := sessionLives(ctx, tx, ref, secret.Hash(token), now, SessionLife)
		paused = there && now.Sub(found.SeenAt) >= IdleLife
		return err
	})
	return paused, err
}

// Store returns the store's public data: its name.
func (s *Service) Store(ctx context.Context, ref Ref) (Tenant, error) {
	var t Tenant
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		var err error
		if t, err = ownTx(ctx, tx, ref.FranchiserID, ref.TenantID); err != nil {
			return err
		}
		t.Language, err = account.LanguageTx(ctx, tx, ref.FranchiserID)
		return err
	})
	return t, err
}
