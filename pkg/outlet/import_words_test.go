package outlet_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/outlet"
)

// checked reads a sheet with one row and checks it.
func (i importing) checked(t *testing.T, cells map[string]string) outlet.ImportRow {
	t.Helper()
	headings, values := []string{"Outlet"}, []string{"Camp"}
	for heading, cell := range cells {
		headings, values = append(headings, heading), append(values, cell)
	}
	s, err := outlet.ReadImport([]byte(strings.Join(headings, "\t")+"\n"+strings.Join(values, "\t")+"\n"), nil, 0)
	require.NoError(t, err)
	p, err := i.imports.Check(t.Context(), i.ref, s.Drafts, true)
	require.NoError(t, err)
	require.Len(t, p.Rows, 1)
	return p.Rows[0]
}

func TestReadImport_StatusThatIsNotYetOrNot_IsPlannedOrAsked(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	for given, want := range map[string]string{
		"YET TO OPEN": "planned", "Not yet open": "planned", "Not opened": "planned", "To be opened": "planned", "To open after Diwali": "planned", "शीघ्र शुरू होगा": "planned", "प्रस्तावित": "planned", "Will open in Jan": "planned",
		"Opening in March": "planned", "Open": "open", "Reopened": "", "Not operational": "", "Non-operational": "", "Not active": "", "नहीं चल रहा": "", "चालू": "open",
	} {
		row := i.checked(t, map[string]string{"City": "Pune", "Status": given})
		_, asked := row.Errors[outlet.FieldStatus]
		require.Equal(t, want == "", asked, given)
		if want != "" {
			require.Equal(t, want, row.Values[outlet.FieldStatus], given)
		}
	}
}

func TestReadImport_CellsOfEverydayLists_AreUnderstood(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	for _, c := range []struct {
		cells map[string]string
		field outlet.ImportField
		want  string
	}{
		{map[string]string{"City": "अयोध्या"}, outlet.FieldCity, "अयोध्या"},
		{map[string]string{"City": "बलिया"}, outlet.FieldCity, "बलिया"},
		{map[string]string{"City": "गया"}, outlet.FieldCity, "गया"},
		{map[string]string{"City": "Satara"}, outlet.FieldState, "Maharashtra"},
		{map[string]string{"City": "Aurangabad"}, outlet.FieldState, ""},
		{map[string]string{"Place": "", "District": "Kottayam", "State": "Kerala"}, outlet.FieldCity, "Kottayam"},
		{map[string]string{"City": "Salem", "Phone": "0427 2447788 / 99"}, outlet.FieldPhone, "4272447788"},
		{map[string]string{"City": "Pune", "Phone": "020-25432211/12"}, outlet.FieldPhone, "2025432211"},
		{map[string]string{"City": "Pune", "Phone": "NA"}, outlet.FieldPhone, ""},
		{map[string]string{"City": "Pune", "Owner": "Asha Rao", "Owner Mobile": "-"}, outlet.FieldPartnerMobile, ""},
		{map[string]string{"City": "Surat", "State": "Guj."}, outlet.FieldState, "Gujarat"},
		{map[string]string{"City": "जयपुर", "State": "राज."}, outlet.FieldState, "Rajasthan"},
		{map[string]string{"City": "Silvassa", "State": "D & N H"}, outlet.FieldState, "Dadra and Nagar Haveli and Daman and Diu"},
		{map[string]string{"City": "Pune", "Active Members": "412"}, outlet.FieldStatus, "open"},
		{map[string]string{"City": "Pune", "Address": "4 MG Road", "Area (sft)": "650"}, outlet.FieldAddress, "4 MG Road"},
		{map[string]string{"City": "Pune", "WORKING HRS": "6 AM - 9 PM"}, outlet.FieldHours, "6 AM - 9 PM"},
		{map[string]string{"City": "Pune", "Store Landline": "", "Store Mobile": "9866011111"}, outlet.FieldPhone, "9866011111"},
		{map[string]string{"City": "Pune", "Front Desk": "+91 80 4123 4567", "Studio Manager": "Divya", "Manager Mobile": "9900112233"}, outlet.FieldPhone, "8041234567"},
		{map[string]string{"City": "Pune", "Opening Hrs": "6 AM - 9 PM"}, outlet.FieldHours, "6 AM - 9 PM"},
	} {
		row := i.checked(t, c.cells)
		require.Empty(t, row.Errors, "%v", c.cells)
		require.Equal(t, c.want, row.Values[c.field], "%v", c.cells)
	}
}

// Sums and signatures below a list are no outlets, also where their first cell is in a column that is not read.
func TestReadImport_SumsAndSignatures_AreNoOutlets(t *testing.T) {
	t.Parallel()
	s, err := outlet.ReadImport([]byte("क्र,केंद्र,शहर,पिन\n1,चौक,लखनऊ,226003\nकुल,17 केंद्र,,\nPrepared by: Mani,,Checked by: Anbu,\n"), nil, 0)
	require.NoError(t, err)
	require.Len(t, s.Drafts, 1)
	require.Len(t, s.Left, 2)
}

// A mobile in the cell of the partner's name is the partner's, also where the sheet has one other number.
func TestReadImport_MobileBesideTheName_IsThePartners(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	row := i.checked(t, map[string]string{"City": "Kolkata", "Phone": "9830099999", "Franchisee": "Tapan Ghosh 9830012345"})
	require.Equal(t, []string{"9830012345", "Tapan Ghosh", "9830099999"},
		[]string{row.Values[outlet.FieldPartnerMobile], row.Values[outlet.FieldPartnerName], row.Values[outlet.FieldPhone]})
}

func TestReadImport_OpeningAndClosingTime_AreTheHours(t *testing.T) {
	t.Parallel()
	for _, headings := range []string{"Opens At,Closes At", "Opening Time,Closing Time"} {
		s, err := outlet.ReadImport([]byte("Store,City,"+headings+"\nCamp,Pune,7:00 AM,10:00 PM\n"), nil, 0)
		require.NoError(t, err)
		require.Equal(t, "7:00 AM – 10:00 PM", s.Drafts[0].Values[outlet.FieldHours], headings)
	}
}
