package tenant

import (
	"context"
	"net/url"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

const (
	// EntryLife is how long a link to the store's dashboard can be used.
	EntryLife = time.Minute
	// EntryPath is where such a link leads at the store's host; its query has the code.
	EntryPath = "/dashboard/enter"
	// EntryCode is the parameter with the code.
	EntryCode = "code"

	maxEntries = 20 // links of a store that wait to be used, more than a whole team opens in a minute
)

// ErrEntry is the one answer for a link that was used, is another store's, has expired or never was.
var ErrEntry = errs.New(errs.KindUnauthenticated, "entry_ended", i18n.Mark("This link was used already or has expired."))

// Entry is a link that signs in at the store's own host, once.
type Entry struct {
	// URL has the secret code.
	URL       string
	Host      string
	ExpiresAt time.Time
}

// Session is a sign-in at the store's own host.
type Session struct {
	// MemberID is the member of the owner's team who signed in, empty for the owner.
	MemberID string
}

// OpenEntry makes a link by which the principal signs in at the host of the account's store. Without a store it is errs.NotFound.
func (s *Service) OpenEntry(ctx context.Context, p account.Principal) (Entry, error) {
	token, now := secret.Token(), s.clock.Now()
	e := Entry{ExpiresAt: now.Add(EntryLife)}
	err := postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		store, err := s.OfTx(ctx, tx, p.FranchiserID)
		if err != nil {
			return err
		}
		if store == nil {
			return errs.NotFound()
		}
		ref := Ref{TenantID: store.ID, FranchiserID: p.FranchiserID, MemberID: p.MemberID}
		if err := LockTx(ctx, tx, ref); err != nil {
			return err
		}
		waiting, err := countEntries(ctx, tx, ref, now)
		if err != nil {
			return err
		}
		if waiting >= maxEntries {
			return errs.RateLimited(EntryLife)
		}
		at, err := url.Parse(store.DashboardURL)
		if err != nil {
			return err
		}
		at.Path, at.RawQuery, e.Host = EntryPath, url.Values{EntryCode: {token}}.Encode(), at.Host
		e.URL = at.String()
		return insertEntry(ctx, tx, ref, secret.Hash(token), e.ExpiresAt)
	})
	return e, err
}

// TakeEntry signs in by the code of a link, which counts once, and returns a token for the store's page. Anything but a fresh link to
// this store is ErrEntry, as is one of a member who may no longer keep the store.
func (s *Service) TakeEntry(ctx context.Context, ref Ref, code string) (string, error) {
	token, now := secret.Token(), s.clock.Now()
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		memberID, ok, err := takeEntry(ctx, tx, ref, secret.Hash(code), now)
		if err != nil {
			return err
		}
		if ok && memberID != "" {
			ok, err = team.ManagesTx(ctx, tx, ref.FranchiserID, memberID)
			if err != nil {
				return err
			}
		}
		if !ok {
			return ErrEntry
		}
		ref.MemberID = memberID
		return insertSession(ctx, tx, id.New(), ref, secret.Hash(token), now, now.Add(SessionLife))
	})
	return token, err
}
