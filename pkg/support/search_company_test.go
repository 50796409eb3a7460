package support_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

// Callers and bank statements name a customer by company, GSTIN or PAN, or turn the parts of a name.
func TestSearch_CompanyGSTINPANOrTurnedName_FindsTheCustomer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	radhika := console.Customer(t, b.DB, b.clock, "9876543210", "Radhika", "Reddy")
	console.Customer(t, b.DB, b.clock, "9876543211", "Uday", "Kumar")
	_, err := b.DB.Owner.Exec(`INSERT INTO business_addresses (id, franchiser_id, address, street, landmark, country_id, state_id, city, zipcode, location,
			legal_name, gstin, created_at, updated_at)
		VALUES ($1, $2, '12', 'MG Road', '', (SELECT id FROM countries LIMIT 1), (SELECT id FROM states LIMIT 1), 'Pune', '411001', 'Pune',
			'D''Souza & Uday Foods LLP', '27AABCU9603R1ZN', now(), now())
		ON CONFLICT (franchiser_id) DO UPDATE SET legal_name = excluded.legal_name, gstin = excluded.gstin`, id.New(), radhika)
	require.NoError(t, err)
	for q, kind := range map[string]string{
		"Uday Foods LLP": "legal_name", "uday foods": "legal_name", "foods uday": "legal_name", "FOOD": "legal_name", "D'Souza & Uday Foods LLP": "legal_name",
		"d’souza": "legal_name", "llp": "legal_name", "27AABCU9603R1ZN": "gstin", "27aabcu": "gstin", "AABCU9603R": "pan", "aabcu96": "pan",
		"27 AABCU 9603 R1ZN": "gstin", "27-AABCU-9603-R-1ZN": "gstin", "GSTIN: 27AABCU9603R1ZN": "gstin", "GSTIN/UIN: 27AABCU9603R1ZN": "gstin", "27AABCU9603R1ZN,": "gstin", "27AABCU9603R1ZN.": "gstin", "gstin no. 27aabcu…": "gstin", "GST 27 AABCU 9603": "gstin",
		"AABCU 9603 R": "pan", "PAN: aabcu 9603 r": "pan", "03R1ZN": "gstin", "03r1zn": "gstin", "…03R1ZN": "gstin", "GSTIN ...03R1ZN": "gstin", "Uday and Foods": "legal_name", "D'Souza and Uday Foods LLP": "legal_name", "souza and uday": "legal_name",
		"Reddy Radhika": "name", "reddy rad": "name",
	} {
		hits, _, err := b.customers.Search(b.Sunita.Sign(t.Context()), q, false)
		require.NoError(t, err, q)
		found := false
		for _, h := range hits {
			found = found || h.Kind == kind && h.FranchiserID != nil && *h.FranchiserID == radhika
		}
		require.True(t, found, "%s: %+v", q, hits)
	}
	for _, q := range []string{"udaipur foods", "&", "' | a:*", "foods !udayan", "27BBBCU", "27 bbbcu 9603 r1zn", "and", "3R1ZN", "03R1ZM", "order"} {
		hits, _, err := b.customers.Search(b.Sunita.Sign(t.Context()), q, false)
		require.NoError(t, err, q)
		for _, h := range hits {
			require.NotEqual(t, radhika, *h.FranchiserID, q)
		}
	}
}

func TestCustomer_WithABusinessAddress_ShowsTheState(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	_, err := b.DB.Owner.Exec(`INSERT INTO business_addresses (id, franchiser_id, address, street, landmark, country_id, state_id, city, zipcode, location, created_at, updated_at)
		VALUES ($1, $2, '12', 'MG Road', '', 'IN', '27', 'Pune', '411001', 'Pune', now(), now())
		ON CONFLICT (franchiser_id) DO UPDATE SET address = '12', city = 'Pune', zipcode = '411001', state_id = '27'`, id.New(), asha)
	require.NoError(t, err)
	customer, err := b.customers.Customer(b.Sunita.Sign(t.Context()), b.Sunita, asha)
	require.NoError(t, err)
	require.Equal(t, "12, Pune 411001, Maharashtra", customer.Address)
}
