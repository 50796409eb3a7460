package connect_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

type bundle struct {
	*story.Story

	people  console.People
	service *connect.Service
}

func setup(t *testing.T) bundle {
	t.Helper()
	s := story.New(t)
	b := bundle{Story: s, people: console.Hire(t, s.DB, s.Clock)}
	b.service = connect.NewService(s.DB.API, s.Clock, b.people.Service, console.Prover{}, s.APISubs, testkit.NewSilentLogger())
	return b
}

func as(t *testing.T, p staff.Principal) context.Context {
	t.Helper()
	return postgres.WithProof(t.Context(), p.Proof)
}

const why = "The new ERP goes live"

func input() connect.KeyInput {
	return connect.KeyInput{Label: "ERP", Scopes: []connect.Scope{connect.ScopeEntitlements}, Days: 30}
}

func (b bundle) key(t *testing.T) (connect.Key, string) {
	t.Helper()
	k, shown, err := b.service.Make(as(t, b.people.Ravi), b.people.Ravi, input(), staff.Proof{}, why)
	require.NoError(t, err)
	return k, shown
}

func TestAPIKey_IsShownOnceAndExpires(t *testing.T) {
	t.Parallel()
	b := setup(t)
	k, shown := b.key(t)
	require.Regexp(t, `^f360_[0-9A-Za-z]{46}$`, shown)
	require.Equal(t, shown[:11], k.Hint)
	require.Zero(t, b.Count(`SELECT count(*) FROM api_keys WHERE position($1::bytea IN hash) > 0`, []byte(shown)))
	got, err := b.service.Authenticate(t.Context(), shown)
	require.NoError(t, err)
	require.True(t, got.Allows(connect.ScopeEntitlements))
	require.False(t, got.Allows("anything"))

	wrong := []byte(shown)
	wrong[20] ^= 1
	for _, text := range []string{"", "f360_", shown[:50], shown + "0", string(wrong), "F360_" + shown[5:]} {
		_, err = b.service.Authenticate(t.Context(), text)
		require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err), text)
	}
	list, err := b.service.Keys(as(t, b.people.Sunita))
	require.NoError(t, err)
	require.True(t, b.Clock.Now().Equal(*list[0].LastUsedAt))

	other, second := b.key(t)
	require.NoError(t, b.service.Revoke(as(t, b.people.Ravi), b.people.Ravi, other.ID, why))
	_, err = b.service.Authenticate(t.Context(), second)
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err))
	require.ErrorIs(t, b.service.Revoke(as(t, b.people.Ravi), b.people.Ravi, other.ID, why), errs.NotFound())
	b.Clock.Advance(30*24*time.Hour - time.Second)
	_, err = b.service.Authenticate(t.Context(), shown)
	require.NoError(t, err)
	b.Clock.Advance(time.Second)
	_, err = b.service.Authenticate(t.Context(), shown)
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err))
}

func TestAPIKey_OnlyAdminsCreateIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, _, err := b.service.Make(as(t, b.people.Sunita), b.people.Sunita, input(), staff.Proof{}, why)
	require.Error(t, err)
	k, _ := b.key(t)
	require.ErrorIs(t, b.service.Revoke(as(t, b.people.Sunita), b.people.Sunita, k.ID, why), errs.NotFound())
	list, err := b.service.Keys(t.Context())
	require.NoError(t, err)
	require.Empty(t, list, "without a member of staff there is nothing to see")
	require.NoError(t, b.service.Revoke(as(t, b.people.Ravi), b.people.Ravi, k.ID, why))
	require.Subset(t, b.people.Actions(t), []string{"make_api_key", "revoke_api_key"})
	_, _, err = b.service.Make(as(t, b.people.Ravi), b.people.Ravi, connect.KeyInput{Scopes: []connect.Scope{"all"}, Days: -1}, staff.Proof{}, why)
	for _, field := range []string{"label", "scopes", "days"} {
		require.NotEmpty(t, errs.As(err).Fields[field], field)
	}
}

func TestEntitlements_StoreOrItsAccount_AreReturned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e, err := b.service.Entitlements(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Nil(t, e.Subscription, "before the first plan")
	require.Empty(t, e.TenantID)

	tier := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeYearly))
	b.Pay(b.Buyer, b.AddOns(b.Buyer, tier.AddOns[0].ID))
	tenantID := id.New()
	_, err = b.Owner.Exec(`INSERT INTO tenants (id, franchiser_id, store_name, store_type_id, store_username, store_password_hash, slug,
		created_at, updated_at) VALUES ($1, $2, 'Asha Sweets', 1, 'asha', 'x', 'asha', $3, $3)`, tenantID, b.Buyer, b.Clock.Now())
	require.NoError(t, err)
	_, err = b.Owner.Exec(`INSERT INTO franchises (id, franchiser_id, tenant_id, name, name_key, city, created_at)
		VALUES ($1, $2, $3, 'Camp', 'camp', 'Pune', $4)`, id.New(), b.Buyer, tenantID, b.Clock.Now())
	require.NoError(t, err)
	other := b.Franchiser("29")
	e, err = b.service.Entitlements(t.Context(), tenantID)
	require.NoError(t, err)
	require.Equal(t, b.Buyer, e.AccountID)
	require.Equal(t, tenantID, e.TenantID)
	require.Equal(t, subscription.StateActive, e.Subscription.State)
	require.Equal(t, tier.Name, e.Tier)
	require.GreaterOrEqual(t, e.OutletLimit, tier.FranchiseLimit)
	require.Equal(t, 1, e.Outlets)
	require.Equal(t, []connect.AddOn{{Key: tier.AddOns[0].Key, Name: tier.AddOns[0].Name, Count: 1}}, e.AddOns)
	same, err := b.service.Entitlements(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Equal(t, e, same)
	theirs, err := b.service.Entitlements(t.Context(), other)
	require.NoError(t, err)
	require.Nil(t, theirs.Subscription)
	for _, of := range []string{"", "x", id.New()} {
		_, err = b.service.Entitlements(t.Context(), of)
		require.ErrorIs(t, err, errs.NotFound(), of)
	}
}
