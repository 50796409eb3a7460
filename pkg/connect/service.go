package connect

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// ErrTooMany reports that the maximum number of valid keys exists.
var ErrTooMany = errs.New(errs.KindConflict, "too_many_keys", "There are 50 keys. Revoke one first.")

// Recorder records staff actions in the transaction that performs them; staff.Service implements it.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Prover checks the reason and the Proof of a member of staff before a change that outlives the session; staff.Accounts implements it.
type Prover interface {
	Prove(ctx context.Context, p staff.Principal, proof staff.Proof, reason string) (string, error)
}

// Service keeps the keys and answers who has one. It runs with the API's role.
type Service struct {
	db       *sqlx.DB
	clock    clock.Clock
	recorder Recorder
	prover   Prover
	subs     *subscription.Service
	logger   *slog.Logger
}

// NewService returns a service on the API's pool.
func NewService(
	db *sqlx.DB, clk clock.Clock, recorder Recorder, prover Prover, subs *subscription.Service, logger *slog.Logger,
) *Service {
	return wiring.Complete(&Service{db: db, clock: clk, recorder: recorder, prover: prover, subs: subs, logger: logger})
}

// Keys returns all keys, newest first, revoked ones too.
func (s *Service) Keys(ctx context.Context) (list []Key, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		list, err = keys(ctx, tx)
		return err
	})
	return list, err
}

// Make makes a key and returns it; it is never shown again. It needs a Proof, because the key outlives the session.
func (s *Service) Make(
	ctx context.Context, p staff.Principal, in KeyInput, proof staff.Proof, reason string,
) (k Key, shown string, err error) {
	if in, err = in.check(); err != nil {
		return k, "", err
	}
	if reason, err = s.prover.Prove(ctx, p, proof, reason); err != nil {
		return k, "", err
	}
	now := s.clock.Now()
	shown = newKey()
	k = Key{ID: id.New(), Label: in.Label, Hint: shown[:hintLength], Scopes: in.Scopes, CreatedAt: now}
	if in.Days > 0 {
		until := now.AddDate(0, 0, in.Days)
		k.ExpiresAt = &until
	}
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		list, err := keys(ctx, tx)
		if err != nil {
			return err
		}
		valid := 0
		for _, one := range list {
			if one.RevokedAt == nil && (one.ExpiresAt == nil || now.Before(*one.ExpiresAt)) {
				valid++
			}
		}
		if valid >= maxKeys {
			return ErrTooMany
		}
		if err := insertKey(ctx, tx, k, secret.Hash(shown)); err != nil {
			return err
		}
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "make_api_key", Target: "api_key:" + k.ID, Reason: reason,
			After: staff.JSON(map[string]any{"label": k.Label, "hint": k.Hint, "scopes": k.Scopes, "expires_at": k.ExpiresAt}),
		})
	})
	return k, shown, err
}

// Revoke ends a key at once. One that is revoked already, or unknown, is errs.NotFound.
func (s *Service) Revoke(ctx context.Context, p staff.Principal, keyID, reason string) error {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if err := revokeKey(ctx, tx, keyID, s.clock.Now()); err != nil {
			return err
		}
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{Action: "revoke_api_key", Target: "api_key:" + keyID, Reason: reason})
	})
}

// usedEvery is how often at most a key records that it is in use.
const usedEvery = time.Minute

// Authenticate returns the valid key of the text, otherwise errs.Unauthenticated. The key is found by its SHA-256, so that the time it
// takes says nothing of any key.
func (s *Service) Authenticate(ctx context.Context, text string) (Key, error) {
	if !wellFormed(text) {
		return Key{}, errs.Unauthenticated()
	}
	now := s.clock.Now()
	k, err := keyByHash(ctx, s.db, secret.Hash(text), now)
	if errors.Is(err, errs.NotFound()) {
		return Key{}, errs.Unauthenticated()
	}
	if err == nil && (k.LastUsedAt == nil || now.Sub(*k.LastUsedAt) >= usedEvery) {
		if noted := seeKey(ctx, s.db, k.ID, now); noted != nil {
			s.logger.WarnContext(ctx, "use of an API key not noted", log.Error(noted))
		}
	}
	return k, err
}

// Entitlements is a customer's permitted use today. Plan is empty and Subscription nil before the first plan or trial.
type Entitlements struct {
	AccountID, TenantID string
	Plan, Tier          string
	Subscription        *subscription.Subscription
	OutletLimit         int
	Outlets             int
	AddOns              []AddOn
}

// AddOn counts the units of an add-on that are in force.
type AddOn struct {
	Key, Name string
	Count     int
}

// Entitlements returns those of the customer whose store, or whose account, has the id.
func (s *Service) Entitlements(ctx context.Context, of string) (e Entitlements, err error) {
	if e.AccountID, err = s.ownerOf(ctx, of); err != nil {
		return e, err
	}
	err = postgres.InTenantTx(ctx, s.db, e.AccountID, func(tx *sqlx.Tx) error {
		if _, err := account.ReachTx(ctx, tx, e.AccountID); err != nil {
			return err
		}
		if e.TenantID, err = tenant.IDTx(ctx, tx, e.AccountID); err != nil {
			return err
		}
		got, err := s.subs.EntitlementTx(ctx, tx, e.AccountID)
		if err != nil {
			return err
		}
		e.Plan, e.Tier, e.Subscription, e.OutletLimit = got.PlanName, got.ServiceName, got.Subscription, got.FranchiseLimit
		for _, a := range got.AddOns {
			e.add(a)
		}
		e.Outlets, err = outlet.CountTx(ctx, tx, e.AccountID)
		return err
	})
	return e, err
}

// ownerOf returns the account whose store has the id; an id without a store is taken for that of an account.
func (s *Service) ownerOf(ctx context.Context, of string) (string, error) {
	if !id.Valid(of) {
		return "", errs.NotFound()
	}
	owner, err := tenant.OwnerOf(ctx, s.db, of)
	if errors.Is(err, errs.NotFound()) {
		return of, nil
	}
	return owner, err
}

// AccountOf returns the id of the account that has the id, or whose store has it.
func (s *Service) AccountOf(ctx context.Context, of string) (string, error) {
	accountID, err := s.ownerOf(ctx, of)
	if err != nil {
		return "", err
	}
	return accountID, postgres.InTenantTx(ctx, s.db, accountID, func(tx *sqlx.Tx) error {
		_, err := account.ReachTx(ctx, tx, accountID)
		return err
	})
}

func (e *Entitlements) add(a subscription.AddOn) {
	for i := range e.AddOns {
		if e.AddOns[i].Key == a.Key {
			e.AddOns[i].Count++
			return
		}
	}
	e.AddOns = append(e.AddOns, AddOn{Key: a.Key, Name: a.Name, Count: 1})
}
