package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func TestPurchase_CustomerWithoutFullName_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wish := story.Buy(b.Tier(0, 0), plan.TypeYearly)
	for _, names := range [][2]string{{"", ""}, {"Asha", ""}, {"", "Kulkarni"}} {
		_, err := b.DB.Owner.Exec(`UPDATE franchisers SET first_name = $2, last_name = $3 WHERE id = $1`, b.Buyer, names[0], names[1])
		require.NoError(t, err)
		_, err = b.Request(b.Buyer, wish)
		require.ErrorIs(t, err, address.ErrNameMissing, "%q", names)
		require.Contains(t, errs.As(err).Fields, "legal_name")
		require.Equal(t, "/store-details/address", errs.As(err).Data["redirect_to"])
	}
	require.Zero(t, b.Count(`SELECT count(*) FROM payments`))
	_, err := b.DB.Owner.Exec(`UPDATE business_addresses SET legal_name = 'Asha Sweets LLP' WHERE franchiser_id = $1`, b.Buyer)
	require.NoError(t, err)
	b.Pay(b.Buyer, wish)
	require.Equal(t, "Asha Sweets LLP", b.Text(`SELECT recipient->>'name' FROM invoices`))

	person := b.Franchiser("29")
	b.Pay(person, wish)
	require.Equal(t, "Asha Kulkarni", b.Text(`SELECT recipient->>'name' FROM invoices WHERE franchiser_id = $1`, person))
	b.Balanced()
}
