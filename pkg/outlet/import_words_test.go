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
		"Opening in March": "planned", "Open": "open", "No longer operational": "", "Reopened": "", "Not operational": "", "Non-operational": "", "Not active": "", "नहीं चल रहा": "", "चालू": "open",
	} {
		row := i.checked(t, map[string]string{"City": "Pune", "Status": given})
		_, asked := row.Errors[outlet.FieldStatus]
		require.Equal(t, want == "", asked, given)
		if want != "" {
			require.Equal(t, want, row.Values[outlet.FieldStatus], given)
		}
	}
}

func TestReadImport_RemarkThatAnOutletIsClosed_LeavesTheRowOut(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	for _, remark := range []string{
		"closed", "Closed in 2023", "Shut down since June", "CLOSED PERMANENTLY", "Permanently closed.", "Outlet is now closed since Mar-2023",
		"Rent due; closed since lockdown", "closed on 12-Jan-2023", "Closed on 12/01/2023", "No longer operational", "Shutdown", "closed down due to losses", "Status: Closed",
		"बंद", "बन्द है", "दुकान बंद", "जून २०२३ से बंद है", "बंद हो गई", "स्थायी रूप से बंद", "अब बंद हो चुका है।",
	} {
		for _, heading := range []string{"Remarks", "टिप्पणी", "Comments if any"} {
			row := i.checked(t, map[string]string{"City": "Pune", heading: remark})
			require.True(t, row.Leave, "%s: %s", heading, remark)
			require.Equal(t, "The remark says that this outlet is closed.", row.Doubt.English, remark)
			require.Empty(t, row.Errors, "a person may choose it")
			require.Equal(t, "open", row.Values[outlet.FieldStatus])
		}
	}
}

func TestReadImport_RemarkThatAnOutletOpensLater_IsPlanned(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	for _, remark := range []string{
		"Opening soon", "to open in March", "Will open in Jan 2027", "Yet to open", "not yet opened", "Not open yet", "To be opened", "Coming soon",
		"Deposit paid. Opening after Diwali", "Under construction", "Store opens in April", "expected to open by 15 Jan 2027", "opening shortly, signage pending",
		"जल्द खुलेगा", "मार्च में खुलेगी", "खुलने वाला है", "निर्माणाधीन", "अभी नहीं खुला",
	} {
		row := i.checked(t, map[string]string{"City": "Pune", "Remarks": remark})
		require.Equal(t, "planned", row.Values[outlet.FieldStatus], remark)
		require.False(t, row.Leave || row.Wrong(), remark)
		require.Equal(t, []outlet.Mend{{Field: outlet.FieldStatus, To: "planned", How: outlet.Sentence{English: "Taken from the remark"}}}, mendsOf(row, outlet.FieldStatus), remark)
	}
	row := i.checked(t, map[string]string{"City": "Pune", "Remarks": "Closed for renovation"})
	require.Equal(t, "paused", row.Values[outlet.FieldStatus])
}

func mendsOf(row outlet.ImportRow, f outlet.ImportField) (mends []outlet.Mend) {
	for _, m := range row.Mended {
		if m.Field == f {
			mends = append(mends, m)
		}
	}
	return mends
}

func TestReadImport_UnclearRemark_ChangesNothing(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	for _, remark := range []string{
		"closed on Sundays", "closes at 9", "Monday closed", "never closed", "Sunday: closed", "Closed (Mon)", "Not closed", "Closed 2 pm to 4 pm", "closed for lunch", "closed on holidays",
		"closed on 15 August", "closed on Diwali", "Closed in May for summer vacation", "closed from Jan to March", "Deal closed in 2023", "Account closed", "Closed in 2020, reopened in 2022",
		"To be closed", "Back gate closed", "Parking: closed", "Closed every Tuesday", "shutters painted", "New owner from June", "GST to be updated", "Will send photo",
		"to open bank account", "second counter opening soon", "Opening at 9", "Opened in March 2022", "opening hours to be confirmed", "upcoming renewal in May", "Opening soon on Sundays",
		"रविवार को बंद", "सोमवार बंद", "दोपहर में बंद", "कभी बंद नहीं", "बंद नहीं है", "9 बजे बंद", "रात को बंद होता है", "नया मालिक", "On hold", "ok", "-",
	} {
		row := i.checked(t, map[string]string{"City": "Pune", "Remarks": remark})
		require.Equal(t, "open", row.Values[outlet.FieldStatus], remark)
		require.False(t, row.Leave || row.Wrong(), remark)
		require.Empty(t, mendsOf(row, outlet.FieldStatus), remark)
	}
	for status, want := range map[string]string{"Open": "open", "Planned": "planned", "-": "open"} {
		row := i.checked(t, map[string]string{"City": "Pune", "Status": status, "Remarks": "Closed in 2023"})
		require.Equal(t, []any{want, status == "-"}, []any{row.Values[outlet.FieldStatus], row.Leave}, "a status of its own counts")
	}
}

// Given a closed outlet and its successor of the same name, then only the successor is imported.
func TestReadImport_SuccessorOfAClosedOutlet_IsNoDuplicate(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	drafts := i.read(t, "Outlet,City,Remarks\nCamp,Pune,Closed in 2023\nCamp,Pune,New franchisee\n")
	p, err := i.imports.Check(t.Context(), i.ref, drafts, true)
	require.NoError(t, err)
	require.Equal(t, []bool{true, false}, []bool{p.Rows[0].Leave, p.Rows[1].Leave})
	require.Empty(t, p.Rows[1].Errors)
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
