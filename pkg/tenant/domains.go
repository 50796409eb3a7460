package tenant

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Resolver only queries DNS: it never connects to the addresses it gets. A name without such records yields an empty
// answer; an error means that there was no answer.
type Resolver interface {
	TXT(ctx context.Context, name string) ([]string, error)
	// Addresses returns IPv4 and IPv6 addresses, following aliases.
	Addresses(ctx context.Context, host string) ([]string, error)
	// CAA returns the CAA records of this name alone, following aliases.
	CAA(ctx context.Context, name string) ([]CAA, error)
}

// Domain returns the store with its custom domain; another franchiser's tenant is not found.
func (s *Service) Domain(ctx context.Context, franchiserID, tenantID string) (Store, error) {
	var out Store
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if _, err := ownTx(ctx, tx, franchiserID, tenantID); err != nil {
			return err
		}
		store, err := s.OfTx(ctx, tx, franchiserID)
		if err == nil && store != nil {
			out = *store
		}
		return err
	})
	return out, err
}

// SetDomain claims a custom domain and starts a check in the background; setting the same domain again starts another
// check. For a domain that another store has proven it returns ErrDomainTaken and has that proof checked again.
func (s *Service) SetDomain(ctx context.Context, franchiserID, tenantID, text string) (Store, error) {
	ascii, display, parseErr := ParseDomain(text, s.config)
	taken := false
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if _, err := ownTx(ctx, tx, franchiserID, tenantID); err != nil {
			return err
		}
		if parseErr != nil {
			return parseErr
		}
		holder, err := verifiedClaim(ctx, tx, ascii, franchiserID)
		if err != nil {
			return err
		}
		if taken = holder != ""; taken {
			return s.enqueueCheck(ctx, tx, holder, "")
		}
		return s.claim(ctx, tx, franchiserID, tenantID, ascii, display)
	})
	if err == nil && taken {
		err = ErrDomainTaken
	}
	if err != nil {
		return Store{}, err
	}
	return s.Domain(ctx, franchiserID, tenantID)
}

func (s *Service) claim(ctx context.Context, tx *sqlx.Tx, franchiserID, tenantID, ascii, display string) error {
	now := s.clock.Now()
	old, err := domainOf(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	if old != nil && old.Domain == ascii {
		if old.State == DomainPending {
			old.ClaimedAt = now // requested again: check often again
		}
		old.Display, old.AskedAt, old.NextCheckAt = display, &now, later(now, time.Minute)
		if err := saveDomain(ctx, tx, *old); err != nil {
			return err
		}
		return s.enqueueCheck(ctx, tx, old.ID, franchiserID)
	}
	if err := deleteDomain(ctx, tx, franchiserID); err != nil {
		return err
	}
	d := CustomDomain{
		ID: id.New(), FranchiserID: franchiserID, TenantID: tenantID, Domain: ascii, Display: display, Token: hexToken(16),
		State: DomainPending, FoundTXT: []string{}, FoundIPs: []string{}, FoundCAA: []string{}, Reason: i18n.Mark("We are looking up the records now."),
		ClaimedAt: now, StateSince: now, AskedAt: &now, NextCheckAt: later(now, time.Minute),
	}
	if err := insertDomain(ctx, tx, d); err != nil {
		return err
	}
	return s.enqueueCheck(ctx, tx, d.ID, franchiserID)
}

// RemoveDomain removes the custom domain; without one it returns ErrNoCustomDomain.
func (s *Service) RemoveDomain(ctx context.Context, franchiserID, tenantID string) (Store, error) {
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if _, err := ownTx(ctx, tx, franchiserID, tenantID); err != nil {
			return err
		}
		old, err := domainOf(ctx, tx, franchiserID)
		if err != nil {
			return err
		}
		if old == nil {
			return ErrNoCustomDomain
		}
		return deleteDomain(ctx, tx, franchiserID)
	})
	if err != nil {
		return Store{}, err
	}
	return s.Domain(ctx, franchiserID, tenantID)
}

// enqueueCheck enqueues a check of the domain; franchiserID is empty if it is not the caller's own.
func (s *Service) enqueueCheck(ctx context.Context, tx *sqlx.Tx, domainID, franchiserID string) error {
	_, err := s.jobs.InsertTx(ctx, tx, VerifyDomainArgs{DomainID: domainID}, queue.Options{
		MaxAttempts: 3, Unique: true, Subject: queue.Subject{FranchiserID: franchiserID},
	})
	return err
}

// Verifier checks custom domains; it is the worker's part of the service.
type Verifier struct {
	service  *Service
	resolver Resolver
	logger   *slog.Logger
}

// NewVerifier returns a verifier over a service whose pool sees every franchiser.
func NewVerifier(s *Service, r Resolver, logger *slog.Logger) *Verifier {
	return wiring.Complete(&Verifier{service: s, resolver: r, logger: logger})
}

// Verify queries DNS for one custom domain and stores the answer. It repeats the check if the owner asks for another during it, because the
// owner may have just fixed the records. It may run repeatedly and concurrently; it skips a domain that was removed or changed during the
// check.
func (v *Verifier) Verify(ctx context.Context, domainID string) error {
	for {
		asked, err := v.check(ctx, domainID)
		if err != nil || !asked {
			return err
		}
	}
}

// check checks once and reports whether the owner asked for another check since it began.
func (v *Verifier) check(ctx context.Context, domainID string) (asked bool, err error) {
	s := v.service
	before, err := domainByID(ctx, s.db, domainID)
	if err != nil || before == nil {
		return false, err
	}
	answer := v.ask(ctx, *before)
	if err := ctx.Err(); err != nil {
		return false, errs.Unavailable(err) // the job ran out of time, which proves nothing about the domain
	}
	err = postgres.InTenantTx(ctx, s.db, before.FranchiserID, func(tx *sqlx.Tx) error {
		if err := lockDomainName(ctx, tx, before.Domain); err != nil {
			return err
		}
		d, err := lockDomain(ctx, tx, domainID)
		if err != nil || d == nil || d.Domain != before.Domain {
			return err
		}
		holder, err := verifiedClaim(ctx, tx, d.Domain, d.FranchiserID)
		if err != nil {
			return err
		}
		next := d.judge(answer, s.config.IPs, holder != "", s.clock.Now())
		asked = d.AskedAt != nil && (before.AskedAt == nil || !d.AskedAt.Equal(*before.AskedAt))
		if !asked {
			next.AskedAt = nil
		}
		if holder != "" && slices.Contains(answer.TXT, d.ProofValue()) {
			if err := s.enqueueCheck(ctx, tx, holder, ""); err != nil {
				return err
			}
		}
		return saveDomain(ctx, tx, next)
	})
	return asked, err
}

func (v *Verifier) ask(ctx context.Context, d CustomDomain) Answer {
	txt, err := v.resolver.TXT(ctx, d.ProofName())
	if err == nil {
		var ips []string
		if ips, err = v.resolver.Addresses(ctx, d.Domain); err == nil {
			a := Answer{TXT: capped(txt), IPs: capped(ips), Doubled: !slices.Contains(txt, d.ProofValue()) && v.doubled(ctx, d)}
			if a.CAAName, a.CAA, err = v.forbidding(ctx, d.Domain); err == nil {
				return a
			}
		}
	}
	v.logger.InfoContext(ctx, "no answer from DNS", slog.String("domain_id", d.ID), log.Error(err))
	return Answer{Failed: true}
}

// forbidding returns the nearest name at or above the domain that has CAA records, and the records, if they forbid our
// certificates. A failed look-up is an error, because issuers refuse then too.
func (v *Verifier) forbidding(ctx context.Context, domain string) (name string, found []string, err error) {
	for _, name := range parents(domain) {
		records, err := v.resolver.CAA(ctx, name)
		if err != nil {
			return "", nil, err
		}
		if len(records) == 0 {
			continue
		}
		if !forbids(records) {
			break
		}
		for _, r := range records {
			found = append(found, r.String())
		}
		return name, capped(found), nil
	}
	return "", nil, nil
}

// doubled reports whether the proof was entered in full at a registrar that appends the domain; false without an answer.
func (v *Verifier) doubled(ctx context.Context, d CustomDomain) bool {
	txt, err := v.resolver.TXT(ctx, d.doubledName())
	return err == nil && slices.Contains(txt, d.ProofValue())
}

// capped limits untrusted answers to at most 16, each of at most 255 bytes, without what Postgres cannot store.
func capped(values []string) []string {
	out := []string{}
	for _, value := range values {
		if len(out) == 16 {
			break
		}
		out = append(out, printable(value[:min(len(value), 255)]))
	}
	slices.Sort(out)
	return out
}

func printable(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c < ' ' || c > '~' {
			b[i] = '?'
		}
	}
	return string(b)
}

// sweepSize bounds one sweep, which runs every minute; the rest follows in the next.
const sweepSize = 500

// Sweep enqueues a check of every domain that is due and deletes expired store sessions.
func (v *Verifier) Sweep(ctx context.Context) error {
	s := v.service
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		now := s.clock.Now()
		due, err := takeDueDomains(ctx, tx, now, now.Add(10*time.Minute), sweepSize)
		if err != nil {
			return err
		}
		for _, d := range due {
			if err := s.enqueueCheck(ctx, tx, d.ID, d.FranchiserID); err != nil {
				return err
			}
		}
		return purgeSessions(ctx, tx, now)
	})
}
