package session

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// User returns the franchiser with its billing status; KindUnauthenticated if it no longer exists.
func (s *Service) User(ctx context.Context, franchiserID string) (account.User, error) {
	var u account.User
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		u, err = s.UserTx(ctx, tx, franchiserID)
		return err
	})
	return u, err
}

// UserTx is User within tx.
func (s *Service) UserTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (account.User, error) {
	u, ok, err := userTx(ctx, tx, franchiserID)
	if err != nil {
		return account.User{}, err
	}
	if !ok {
		return account.User{}, errs.Unauthenticated()
	}
	err = s.Stand(ctx, tx, &u)
	return u, err
}

// Stand fills in the user's billing status.
func (s *Service) Stand(ctx context.Context, tx *sqlx.Tx, u *account.User) error {
	subscribed, err := s.subs.SubscribedTx(ctx, tx, u.ID)
	u.EverSubscribed, u.PlanRuns, u.IsActive = subscribed.Ever, subscribed.Runs, subscribed.Active
	u.PaymentStatus = subscribed.PaymentStatus
	return err
}

const userSQL = `
	SELECT id, mobile, email, first_name, last_name, totp_enabled_at IS NOT NULL AS totp_enabled, created_at,
	       erasure_requested_at, email_proved_at, email_refused_at,
	       coalesce((SELECT store_name FROM store_overview WHERE franchiser_id = $1 AND closed_at IS NULL), '') AS store_name,
	       EXISTS (SELECT FROM address_overview WHERE franchiser_id = $1) AS has_address,
	       EXISTS (SELECT FROM own_memberships() m WHERE m.account_id <> $1) AS other_accounts
	FROM franchisers WHERE id = $1 AND erased_at IS NULL`

// userTx returns the franchiser with its status according to its store, which always has a name, and its address.
func userTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (account.User, bool, error) {
	var u account.User
	ok, err := store.Found(ctx, tx, &u, "read user", userSQL, franchiserID)
	u.HasStoreDetails = u.StoreName != ""
	return u, ok, err
}
