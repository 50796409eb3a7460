package outlet_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/outlet"
)

// Each case has one row. Phone, partner and mobile are the expected values.
func TestReadImport_SeveralPeople_NameAndMobileAreOfTheSamePerson(t *testing.T) {
	t.Parallel()
	const manager, owner, shop = "9845012345", "9845098450", "2025431234"
	for _, c := range []struct{ headings, row, phone, partner, mobile string }{
		{"Store Manager|Mobile|Franchisee|Franchisee Mobile", "Kiran|" + manager + "|Meera|" + owner, manager, "Meera", owner},
		{"Manager|Manager Mobile|Owner|Owner Mobile", "Kiran|" + manager + "|Meera|" + owner, manager, "Meera", owner},
		{"Owner|Owner Mobile|Manager|Manager Mobile", "Meera|" + owner + "|Kiran|" + manager, manager, "Meera", owner},
		{"Contact Person|Contact No|Franchise Owner|Owner Phone", "Kiran|" + manager + "|Meera|" + owner, manager, "Meera", owner},
		{"Manager|Owner|Manager Mobile|Owner Mobile", "Kiran|Meera|" + manager + "|" + owner, manager, "Meera", owner},
		{"Owner|Mobile|Manager|Mobile", "Meera|" + owner + "|Kiran|" + manager, manager, "Meera", owner},
		{"Shop Phone|Manager|Mobile|Owner|Mobile", shop + "|Kiran|" + manager + "|Meera|" + owner, shop, "Meera", owner},
		{"Owner|Store Phone|Owner's Cell", "Meera|" + shop + "|" + owner, shop, "Meera", owner},
		{"Franchisee|Franchisee E-mail|Mobile|Landline", "Meera|m@example.in|" + owner + "|" + shop, shop, "Meera", owner},
		{"Owner|Manager|Mobile", "Meera|Kiran|" + manager, manager, "Meera", ""},
		{"Manager|Owner|Mobile", "Kiran|Meera|" + owner, owner, "Meera", owner},
		{"Area Manager|Mobile|Proprietor|Prop. Mobile", "Kiran|" + manager + "|Meera|" + owner, "", "Meera", owner},
		{"Manager|Contact Person|Contact Person Mobile", "Kiran|Meera|" + owner, "", "Meera", owner},
		{"Owner|Owner Mobile|Franchisee|Franchisee Mobile", "Kiran|" + manager + "|Meera|" + owner, "", "Meera", owner},
		{"Owner|Mobile (Owner)|Phone", "Meera|" + owner + "|" + shop, shop, "Meera", owner},
		{"Owner Name & Mobile|Manager|Manager No.", "Meera " + owner + "|Kiran|" + manager, manager, "Meera", owner},
		{"Owner Address|Owner Name|Owner No|Franchisee Type", "Camp|Meera|" + owner + "|FOFO", "", "Meera", owner},
		{"Manager (Mobile)|Owner (Mobile)|Phone", "Kiran " + manager + "|Meera " + owner + "|" + shop, shop, "Meera", owner},
		{"Owner|Spouse|Mobile", "Meera|Ravi|" + manager, manager, "Meera", ""},
		{"Owner 1|Mobile|Owner 2|Mobile", "Meera|" + owner + "|Ravi|" + manager, "", "Meera", owner},
		{"Accountant|Mobile|Owner|Owner Mobile", "Kiran|" + manager + "|Meera|" + owner, manager, "Meera", owner},
		{"प्रबंधक|मोबाइल|मालिक|मालिक का मोबाइल", "किरण|" + manager + "|मीरा|" + owner, manager, "मीरा", owner},
		{"मैनेजर का नाम|मैनेजर का मोबाइल|फ्रेंचाइज़ी|फ्रेंचाइज़ी का फोन", "किरण|" + manager + "|मीरा|" + owner, manager, "मीरा", owner},
		{"संपर्क व्यक्ति|फोन नं.|पार्टनर का नाम|मोबाइल", "किरण|" + manager + "|मीरा|" + owner, manager, "मीरा", owner},
	} {
		s, err := outlet.ReadImport([]byte("Outlet|City|"+c.headings+"\nCamp|Pune|"+c.row+"\n"), nil, 0)
		require.NoError(t, err, c.headings)
		require.False(t, s.Asks, c.headings)
		i := openImports(t)
		p, err := i.imports.Check(t.Context(), i.ref, s.Drafts, true)
		require.NoError(t, err, c.headings)
		got := p.Rows[0].Values
		require.Equal(t, []string{c.phone, c.partner, c.mobile},
			[]string{got[outlet.FieldPhone], got[outlet.FieldPartnerName], got[outlet.FieldPartnerMobile]}, "%s: %v", c.headings, s.Columns)
		require.Empty(t, p.Rows[0].Errors, c.headings)
	}
}

func TestReadImport_OtherPeople_AreNotImported(t *testing.T) {
	t.Parallel()
	s, err := outlet.ReadImport([]byte("Outlet,City,Phone,Manager,Manager Mobile,Owner,Owner Mobile\nCamp,Pune,2025431234,Kiran,9845012345,Meera,9845098450\n"), nil, 0)
	require.NoError(t, err)
	require.Equal(t, "name city phone   partner_name partner_mobile", strings.Join(s.Columns, " "))
}

// Given a person's choice of the columns, then the number of another person is not the partner's.
func TestReadImport_ChosenNumberOfAnotherPerson_IsNotThePartners(t *testing.T) {
	t.Parallel()
	s, err := outlet.ReadImport([]byte("Outlet,City,Manager,Manager Mobile,Owner\nCamp,Pune,Kiran,9845012345,Meera\n"), []string{"name", "city", "", "phone", "partner_name"}, 1)
	require.NoError(t, err)
	require.False(t, s.OneNumber)
	require.Empty(t, s.Drafts[0].Values[outlet.FieldPartnerMobile])
}
