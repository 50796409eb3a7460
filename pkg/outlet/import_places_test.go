package outlet_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/outlet"
)

// place returns the city, the PIN and the State of a checked row, and the fields with errors.
func place(row outlet.ImportRow) string {
	parts := []string{row.Values[outlet.FieldCity], row.Values[outlet.FieldPIN], row.Values[outlet.FieldState]}
	for _, f := range outlet.ImportFields() {
		if _, wrong := row.Errors[f]; wrong {
			parts = append(parts, "wrong "+string(f))
		}
	}
	return strings.Join(parts, "|")
}

func TestImport_ColumnOfCityAndPIN_GivesBoth(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	for _, heading := range []string{
		"City - PIN", "City-Pincode", "City & Pincode", "City/Pin", "City (PIN)", "Town with Zip", "Place & Pincode", "शहर व पिन", "शहर - पिन कोड",
	} {
		sheet := "Outlet\tAddress\t" + heading + "\n" +
			"A1\tKarve Road\tPune - 411038\nB1\tPaud Road\tPUNE – 411 028\nC1\tCamp\tPune (411001)\nD1\tBytco\tNashik 422101\nE1\tMG Road\tपुणे, ४११००१\nF1\tITI Road\tPune 41104\n"
		p, err := i.imports.Check(t.Context(), i.ref, i.read(t, sheet), false)
		require.NoError(t, err, heading)
		got := []string{}
		for _, row := range p.Rows {
			got = append(got, place(row))
		}
		require.Equal(t, []string{
			"Pune|411038|Maharashtra", "Pune|411028|Maharashtra", "Pune|411001|Maharashtra", "Nashik|422101|Maharashtra", "पुणे|411001|Maharashtra",
			"Pune|41104|Maharashtra|wrong pin",
		}, got, heading)
	}
}

func TestImport_ColumnsOfSeveralPlaces_AreReadApart(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	for _, c := range [][3]string{
		{"City & State", "Pune, Maharashtra", "Pune||Maharashtra"},
		{"City/State/PIN", "Pune, Maharashtra - 411001", "Pune|411001|Maharashtra"},
		{"City, State & PIN", "Pune - 411001, Maharashtra", "Pune|411001|Maharashtra"},
		{"City", "Pune - Maharashtra", "Pune||Maharashtra"},
		{"City", "New Delhi, Delhi", "New Delhi||Delhi"},
		{"City", "Kothrud, Pune 411038", "Pune|411038|Maharashtra"},
		{"City", "Pune - Kothrud", "Pune||Maharashtra"},
		{"Area / City", "Whitefield / Bengaluru", "Bengaluru||Karnataka"},
		{"City", "Thane (W)", "Thane||Maharashtra"},
		{"City\tPIN", "Pune\tPune - 411038", "Pune|411038|Maharashtra"},
		{"City\tState - PIN", "Pune\tMaharashtra - 411038", "Pune|411038|Maharashtra"},
		{"Address with PIN", "Karve Road, Kothrud, Pune - 411038", "Pune|411038|Maharashtra"},
		{"City\tAddress & Pincode", "Pune\tKarve Road, Kothrud - 411038", "Pune|411038|Maharashtra"},
		{"City\tPIN", "Delhi\t1,10,001", "Delhi|110001|Delhi"},
		{"City\tPIN", "Pune\t411,038", "Pune|411038|Maharashtra"},
	} {
		p, err := i.imports.Check(t.Context(), i.ref, i.read(t, "Code\tOutlet\t"+c[0]+"\nA1\tA One\t"+c[1]+"\nA2\tB Two\t"+c[1]+"\n"), false)
		require.NoError(t, err, c[0])
		require.Equal(t, c[2], place(p.Rows[0]), "%s: %s", c[0], c[1])
	}
}

func TestCheck_PINOfSeveralStates_TakesTheStateOfTheCity(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	for row, want := range map[string]string{
		"Kochi\t682001\t": "Kochi|682001|Kerala", "Calicut\t673001\t": "Kozhikode|673001|Kerala", "Pondicherry\t605001\t": "Puducherry|605001|Puducherry",
		"Chandigarh\t160017\t": "Chandigarh|160017|Chandigarh", "Mohali\t160055\t": "Mohali|160055|Punjab", "Mahe\t673310\t": "Mahe|673310|Puducherry",
		"Haridwar\t249401\t": "Haridwar|249401|Uttarakhand", "Nowhere\t682001\t": "Nowhere|682001|",
	} {
		p, err := i.imports.Check(t.Context(), i.ref, i.read(t, "Outlet\tCity\tPIN\tState\nA One\t"+row+"\n"), false)
		require.NoError(t, err)
		require.Equal(t, want, place(p.Rows[0]), row)
	}
}

func TestCheck_PINAndCityInDifferentStates_AreNamed(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	check := func(row string) outlet.ImportRow {
		p, err := i.imports.Check(t.Context(), i.ref, i.read(t, "Outlet\tCity\tPIN\tState\nA One\t"+row+"\n"), false)
		require.NoError(t, err)
		return p.Rows[0]
	}
	wrong := check("Pune\t560001\t")
	require.Equal(t, "Pune|560001||wrong pin", place(wrong))
	require.Equal(t, []string{"Karnataka", "Pune", "Maharashtra"}, wrong.Errors[outlet.FieldPIN].Values)
	require.Equal(t, "Pune|682001||wrong pin", place(check("Pune\t682001\t")), "a pincode of two States")
	require.Equal(t, "Pune|560001|Maharashtra|wrong pin", place(check("Pune\t560001\tMH")))
	chosen := check("Pune\t560001\tKarnataka")
	require.False(t, chosen.Wrong(), "a person's choice of the State stands")
	require.Equal(t, []string{"Pune", "Maharashtra", "Karnataka"}, chosen.Notes[0].Values)
	require.Len(t, check("Pune\t\tKarnataka").Notes, 1)
	require.Empty(t, check("Somewhere\t560001\tKarnataka").Notes, "an unlisted city")
	require.Equal(t, "Pune|411000|Maharashtra|wrong pin", place(check("Pune\t411000\t")), "a spreadsheet shortened it")
}

func TestCheck_AddressThatEndsWithADistrict_GivesTheTown(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	for _, c := range [][2]string{
		{"Atta Market, Sector-18, Noida, Gautam Buddha Nagar, UP 201301", "Noida|201301|Uttar Pradesh"},
		{"Station Road, Kalyan, Dist. Thane, Maharashtra", "Kalyan||Maharashtra"},
		{"12 Bazar, Pollachi, Coimbatore Dist, Tamil Nadu 642001", "Pollachi|642001|Tamil Nadu"},
		{"MG Road, Kochi, Ernakulam - 682016", "Kochi|682016|Kerala"},
		{"Camp, Pune, Maharashtra", "Pune||Maharashtra"},
		{"Salem, Pune 411001", "Pune|411001|Maharashtra"},
		{"Karol Bagh, Central Delhi, New Delhi 110005", "New Delhi|110005|Delhi"},
		{"Plot 21, Vashi, Navi Mumbai. Pin: 400703. Ph: 022-27891234", "Navi Mumbai|400703|Maharashtra"},
		{"MG Road, Bengaluru, Karnataka 560001, Mob: 98450 12345, India", "Bengaluru|560001|Karnataka"},
		{"Near bus stand, main bazar, Opp. Pune Bakery", "|||wrong city"},
		{"Shop 3, Khed, Tal. Khed, Dist. Pune, Maharashtra 410501", "Pune|410501|Maharashtra"},
		{"दुकान 3, हजरतगंज, लखनऊ, उत्तर प्रदेश - २२६००१", "लखनऊ|226001|Uttar Pradesh"},
	} {
		p, err := i.imports.Check(t.Context(), i.ref, i.read(t, "Outlet\tAddress\tPhone\nA One\t"+c[0]+"\t9822011223\n"), false)
		require.NoError(t, err)
		require.Equal(t, c[1], place(p.Rows[0]), "%s: %v", c[0], p.Rows[0].Values)
	}
}

func TestCheck_MobileWithManyZeros_IsNamed(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	rows := map[string]bool{
		"919880000000\t": true, "9880000000\t": true, "\t919880000000": true, "\t9820000000.0": true,
		"98200 00000\t": false, "\t+91 98200-00000": false, "9820100000\t": false, "080-25000000\t": false,
	}
	for row, wrong := range rows {
		p, err := i.imports.Check(t.Context(), i.ref, i.read(t, "Outlet\tCity\tPartner\tPartner mobile\tPhone\nA One\tPune\tAsha\t"+row+"\n"), false)
		require.NoError(t, err)
		require.Equal(t, wrong, p.Rows[0].Wrong(), "%s: %v", row, p.Rows[0].Errors)
		p, err = i.imports.Check(t.Context(), i.ref, []outlet.Draft{p.Rows[0].Draft}, false)
		require.NoError(t, err)
		require.Equal(t, wrong, p.Rows[0].Wrong(), "%s at the second check", row)
	}
}
