package outlet_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/tenant"
)

type importing struct {
	people
	imports *outlet.Imports
	ref     tenant.Ref
}

func openImports(t *testing.T) importing {
	t.Helper()
	b := meet(t)
	b.plans.set(func(e *tenant.Entitlement) { e.FranchiseLimit = 100 })
	return importing{people: b, imports: outlet.NewImports(b.service, b.partners), ref: b.store(t, "9876543210")}
}

func (i importing) read(t *testing.T, sheet string) []outlet.Draft {
	t.Helper()
	s, err := outlet.ReadImport([]byte(sheet), nil, 0)
	require.NoError(t, err)
	require.False(t, s.Asks)
	return s.Drafts
}

func (i importing) run(t *testing.T, sheet string, invite bool) string {
	t.Helper()
	key := id.New()
	_, err := i.imports.Import(t.Context(), i.ref, i.read(t, sheet), key, invite)
	require.NoError(t, err)
	return key
}

func (i importing) names(t *testing.T) []string {
	t.Helper()
	p, err := i.service.List(t.Context(), i.ref, outlet.Query{Sort: outlet.SortName, Limit: 600})
	require.NoError(t, err)
	names := []string{}
	for _, o := range p.Outlets {
		names = append(names, o.Name)
	}
	return names
}

const twoOutlets = "Outlet\tCity\tPartner\tPartner mobile\nMG Road\tPune\tAsha\t98220 11223\nKothrud\tPune\tAsha\t9822011223\n"

func TestImport_SameKeyTwice_AddsOnce(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	key := id.New()
	drafts := i.read(t, twoOutlets)
	for range 2 {
		_, err := i.imports.Import(t.Context(), i.ref, drafts, key, true)
		require.NoError(t, err)
	}
	require.Equal(t, []string{"Kothrud", "MG Road"}, i.names(t))
	list, err := i.partners.List(t.Context(), i.ref)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, 2, list[0].Outlets)
	require.Equal(t, 1, i.deliver(t), "one invitation to the partner of both outlets")
	_, err = i.imports.Import(t.Context(), i.ref, drafts[:1], key, true)
	require.ErrorIs(t, err, outlet.ErrImportDone)
}

func TestImport_WrongRow_AddsNothing(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	drafts := i.read(t, "Name,City,PIN,Mobile\nMG Road,Pune,411001,9822011223\nCamp,Pune,6.3E+11,9822011224\n")
	p, err := i.imports.Import(t.Context(), i.ref, drafts, id.New(), false)
	require.ErrorIs(t, err, outlet.ErrImportRows)
	require.Contains(t, p.Rows[1].Errors[outlet.FieldPIN].English, "shortened this number")
	require.Empty(t, i.names(t))
	drafts[1].Leave = true
	_, err = i.imports.Import(t.Context(), i.ref, drafts, id.New(), false)
	require.NoError(t, err)
	require.Equal(t, []string{"MG Road"}, i.names(t))
}

func TestImport_WithoutConsent_InvitesNobody(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	i.run(t, twoOutlets, false)
	list, err := i.partners.List(t.Context(), i.ref)
	require.NoError(t, err)
	require.Empty(t, list)
	require.Zero(t, i.deliver(t))
}

func TestImport_MoreRowsThanThePlanAllows_LeavesOutTheRestAndRefusesAll(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	i.plans.set(func(e *tenant.Entitlement) { e.FranchiseLimit = 1 })
	drafts := i.read(t, twoOutlets)
	p, err := i.imports.Check(t.Context(), i.ref, drafts, true)
	require.NoError(t, err)
	require.Equal(t, []bool{false, true}, []bool{p.Rows[0].Leave, p.Rows[1].Leave})
	_, err = i.imports.Import(t.Context(), i.ref, drafts, id.New(), false)
	require.Equal(t, errs.KindLimit, errs.KindOf(err))
	require.Contains(t, errs.As(err).Message, "room for 1 more outlets, and 2 rows are chosen")
	require.Empty(t, i.names(t))
}

func TestImport_Duplicates_AreFoundInTheSheetAndTheStore(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	i.run(t, "Name,City,Code\nMG Road,Pune,P1\n", false)
	p, err := i.imports.Check(t.Context(), i.ref, i.read(t, strings.Join([]string{
		"Name,City,Code", "mg road,Pune,", "M.G. Road,Pune,", "MG Road,Nashik,", "Camp,Pune,P1", "Baner,Pune,P9", "Aundh,Pune,p9", "Baner,Pune,",
	}, "\n")), true)
	require.NoError(t, err)
	require.Equal(t, "You already have an outlet with this name.", p.Rows[0].Errors[outlet.FieldName].English)
	require.Equal(t, "You already have an outlet with nearly this name in this city.", p.Rows[1].Doubt.English)
	require.True(t, p.Rows[1].Leave)
	require.Equal(t, "MG Road, Nashik", p.Rows[2].Values[outlet.FieldName])
	require.Equal(t, "You already have an outlet with this code.", p.Rows[3].Errors[outlet.FieldCode].English)
	require.False(t, p.Rows[4].Wrong())
	require.Equal(t, "Line {1} has the same code.", p.Rows[5].Errors[outlet.FieldCode].English)
	require.Equal(t, []string{"6"}, p.Rows[6].Errors[outlet.FieldName].Values)
}

func TestUndo_OutletThatChanged_Stays(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	key := i.run(t, twoOutlets, true)
	found, err := i.imports.Find(t.Context(), i.ref, key)
	require.NoError(t, err)
	require.Equal(t, []int{2, 2, 1}, []int{len(found.Outlets), found.Undoable, found.Invited})
	latest, err := i.imports.Latest(t.Context(), i.ref)
	require.NoError(t, err)
	require.Equal(t, key, latest)
	_, err = i.service.Move(t.Context(), i.ref, found.Outlets[0].ID, 1, outlet.StatePaused)
	require.NoError(t, err)

	require.NoError(t, i.imports.Undo(t.Context(), i.ref, key))
	require.NoError(t, i.imports.Undo(t.Context(), i.ref, key), "a second undo changes nothing")
	require.Equal(t, []string{found.Outlets[0].Name}, i.names(t))
	after, err := i.imports.Find(t.Context(), i.ref, key)
	require.NoError(t, err)
	require.Equal(t, []int{1, 1, 0, 1}, []int{len(after.Outlets), after.Removed, after.Undoable, after.Invited})
	require.Equal(t, "It was changed since.", after.Outlets[0].Stays())
	_, err = i.imports.Import(t.Context(), i.ref, i.read(t, twoOutlets), key, true)
	require.ErrorIs(t, err, outlet.ErrImportDone, "a key runs once")
}

func TestUndo_AfterADay_IsRefused(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	key := i.run(t, twoOutlets, true)
	i.clock.Advance(outlet.UndoLife)
	require.ErrorIs(t, i.imports.Undo(t.Context(), i.ref, key), outlet.ErrImportOld)
	require.Len(t, i.names(t), 2)
}

func TestUndo_WithdrawsInvitations(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	key := i.run(t, twoOutlets, true)
	require.NoError(t, i.imports.Undo(t.Context(), i.ref, key))
	require.Zero(t, i.deliver(t))
	list, err := i.partners.List(t.Context(), i.ref)
	require.NoError(t, err)
	require.Empty(t, list)
}

func TestImport_OfAnotherStore_IsNotFound(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	key := i.run(t, twoOutlets, false)
	other := i.store(t, "9876543211")
	_, err := i.imports.Find(t.Context(), other, key)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	require.Equal(t, errs.KindNotFound, errs.KindOf(i.imports.Undo(t.Context(), other, key)))
	require.Len(t, i.names(t), 2)
}

// A store without a payment may send five invitations in a day. The others of its import follow on later days.
func TestImport_InvitationsBeyondTheDailyLimit_GoOutLater(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	var sheet strings.Builder
	sheet.WriteString("Name,City,Partner,Partner mobile\n")
	for n := range 7 {
		fmt.Fprintf(&sheet, "Outlet %d,Pune,Asha %d,982201122%d\n", n, n, n)
	}
	key := i.run(t, sheet.String(), true)
	found, err := i.imports.Find(t.Context(), i.ref, key)
	require.NoError(t, err)
	require.Equal(t, []int{7, 2}, []int{found.Invited, found.Later})
	require.Equal(t, i.clock.Now().Add(24*time.Hour).UTC(), found.LastAt.UTC())
	_, err = i.partners.Invite(t.Context(), i.ref, outlet.PartnerInput{Name: "Ravi", Mobile: "9822099999", Role: outlet.RoleViewer})
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err), "the limit holds for single invitations too")

	require.NoError(t, i.imports.Undo(t.Context(), i.ref, key))
	five, _, _ := strings.Cut(sheet.String(), "Outlet 5")
	again, err := i.imports.Find(t.Context(), i.ref, i.run(t, strings.ReplaceAll(five, "98220", "98330"), true))
	require.NoError(t, err)
	require.Equal(t, found.LastAt.UTC(), again.LastAt.UTC(), "the two that waited give their places back")
}

func TestReadImport_UnknownHeadings_AsksForColumns(t *testing.T) {
	t.Parallel()
	const text = "A;B;C\nMG Road;Pune;x\nCamp;Pune;y\n"
	s, err := outlet.ReadImport([]byte(text), nil, 0)
	require.NoError(t, err)
	require.True(t, s.Asks)
	require.Len(t, s.Columns, 3)
	s, err = outlet.ReadImport([]byte(text), []string{"name", "city", ""}, 1)
	require.NoError(t, err)
	require.False(t, s.Asks)
	require.Len(t, s.Drafts, 2)
	require.Equal(t, "Camp", s.Drafts[1].Values[outlet.FieldName])
	_, err = outlet.ReadImport([]byte(text), []string{"nothing", "of", "this"}, 1)
	require.NoError(t, err, "unknown columns are asked again")
}

func TestReadImport_TooLargeOrNoList_IsRefused(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"empty": " \n", "bytes": strings.Repeat("x", outlet.MaxImportBytes+1), "rows": "Name,City\n" + strings.Repeat("Camp,Pune\n", outlet.MaxImportRows+1),
		"pdf": "%PDF-1.7", "headings only": "Name,City\n",
	} {
		_, err := outlet.ReadImport([]byte(file), nil, 0)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), name)
	}
}

// A zip file of some kilobytes that unzips to a gigabyte is refused before it is unzipped.
func TestReadImport_ZipBomb_IsRefused(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	part, err := z.Create("xl/worksheets/sheet1.xml")
	require.NoError(t, err)
	zeros := make([]byte, 1<<20)
	for range 200 {
		_, err = part.Write(zeros)
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	require.Less(t, file.Len(), 1<<20)
	_, err = outlet.ReadImport(file.Bytes(), nil, 0)
	require.ErrorContains(t, err, "too large")
}

func TestMend_DestroyedValue_IsNeverGuessed(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	rows := []string{"Name\tCity\tMobile\tPIN\tCode\tPartner\tPartner mobile"}
	rows = append(rows, []string{
		"A1\tPune\t9.82E+09\t411001\t\t\t", "A2\tPune\t-9822011223\t411001\t\t\t", "A3\tPune\t\t4.11E+05\t\t\t", "A4\tPune\t\t411001\t05-Nov\t\t",
		"A5\tPune\t\t411001\t2026-11-05\t\t", "A6\tPune\t\t411001\t\tAsha\t#NAME?", "A7\tPune\t########\t411001\t\t\t", "??????\tPune\t\t411001\t\t\t",
		"A9\tPune\t982201122\t411001\t\t\t", "A10\tPune\t\t110001\t\t\t", "4111 1111 1111 1111\tPune\t\t\t\t\t",
	}...)
	p, err := i.imports.Check(t.Context(), i.ref, i.read(t, strings.Join(rows, "\n")), false)
	require.NoError(t, err)
	for n, field := range []outlet.ImportField{
		outlet.FieldPhone, outlet.FieldPhone, outlet.FieldPIN, outlet.FieldCode, outlet.FieldCode, outlet.FieldPartnerMobile, outlet.FieldPhone,
		outlet.FieldName, outlet.FieldPhone, "", outlet.FieldName,
	} {
		if field == "" {
			continue // no State is given, so the PIN fits
		}
		require.Contains(t, p.Rows[n].Errors, field, "row %d: %v", n, p.Rows[n].Values)
	}
}

func TestReadImport_HeadingsOfOtherSheets_AreKnown(t *testing.T) {
	t.Parallel()
	for headings, want := range map[string]string{
		"Sl No,Location,Store Address,City Name,State/UT,Zip,Store Contact,Owner Name,Owner Contact,Store Timings,Live/Upcoming": "ignored name address city state pin phone partner_name partner_mobile hours status",
		"Outlet,Location,City,District":                                       "name address city ",
		"Store Name,Franchisee Partner,Partner Contact No.,Locality,City,Pin": "name partner_name partner_mobile address city pin",
		"आउटलेट का नाम,पूरा पता,शहर,प्रदेश,पिनकोड,फ़ोन नं.,पार्टनर का मोबाइल नंबर": "name address city state pin phone partner_mobile",
		"Branch code,Branch,Address 1,Address 2,Town,GST State,Postal Code,Tel.": "code name address address city state pin phone",
	} {
		cells := strings.Repeat("x1,", strings.Count(headings, ",")) + "x1\n"
		s, err := outlet.ReadImport([]byte(headings+"\n"+cells), nil, 0)
		require.NoError(t, err, headings)
		require.Equal(t, want, strings.Join(s.Columns, " "), headings)
	}
}

func TestImport_StateInEachForm_IsRead(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	for given, want := range map[string]string{
		"27": "Maharashtra", "9": "Uttar Pradesh", "29-Karnataka": "Karnataka", "Karnataka (29)": "Karnataka", "T.N.": "Tamil Nadu", "छ.ग.": "Chhattisgarh",
		"Kerela": "Kerala", "Telangana State": "Telangana", "महाराष्ट्र": "Maharashtra", "Orissa": "Odisha", "Delhi NCR": "Delhi",
		"27-Karnataka": "", "Atlantis": "", "99": "",
	} {
		p, err := i.imports.Check(t.Context(), i.ref, []outlet.Draft{{Line: 2, Values: map[outlet.ImportField]string{"name": "Camp", "city": "Camp", "state": given}}}, false)
		require.NoError(t, err)
		if want == "" {
			require.Contains(t, p.Rows[0].Errors, outlet.FieldState, given)
			continue
		}
		require.Equal(t, want, p.Rows[0].Values[outlet.FieldState], given)
		require.False(t, p.Rows[0].Wrong(), given)
	}
}

// Given a sheet with one number for each outlet and a contact person, then the number is the outlet's and the partner's.
func TestReadImport_OneNumberForEachOutlet_IsThePartnersToo(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	for heading, person := range map[string]string{
		"Outlet\tContact Person\tPhone\tCity":               "contact person",
		"Outlet\tName of Contact Person\tPhone\tCity":       "name of contact",
		"Outlet\tContact Name\tContact No.\tCity":           "contact name",
		"Outlet\tPerson In-charge\tMob. No.\tCity":          "in charge",
		"आउटलेट\tसंपर्क व्यक्ति\tफोन नं.\tशहर":              "Hindi",
		"Outlet\tOwner's Name\tMobile No\tCity":             "owner",
		"Outlet\tProp.\tMobile No\tCity":                    "prop",
		"Outlet\tManager\tMobile No\tCity":                  "manager",
		"Outlet\tContact Person Name\tContact Number\tCity": "person name",
	} {
		s, err := outlet.ReadImport([]byte(heading+"\nMG Road\tAsha Kulkarni\t98220-11223\tPune\nKothrud\tRavi\t020-25431234\tPune\n"), nil, 0)
		require.NoError(t, err, person)
		require.True(t, s.OneNumber, person)
		p, err := i.imports.Check(t.Context(), i.ref, s.Drafts, true)
		require.NoError(t, err, person)
		mobile, landline := p.Rows[0], p.Rows[1]
		require.Equal(t, "9822011223", mobile.Values[outlet.FieldPhone], person)
		require.Equal(t, "9822011223", mobile.Values[outlet.FieldPartnerMobile], person)
		require.Equal(t, "Asha Kulkarni", mobile.Values[outlet.FieldPartnerName], person)
		require.Equal(t, "2025431234", landline.Values[outlet.FieldPhone], person)
		require.Empty(t, landline.Values[outlet.FieldPartnerMobile], "a landline gets no SMS")
		require.False(t, mobile.Wrong() || landline.Wrong(), person)
	}
	s, err := outlet.ReadImport([]byte("Outlet\tPartner\tPartner mobile\tPhone\tCity\nMG Road\tAsha\t\t9822011223\tPune\n"), nil, 0)
	require.NoError(t, err)
	require.False(t, s.OneNumber)
	require.Empty(t, s.Drafts[0].Values[outlet.FieldPartnerMobile], "the sheet has another column for it")
}

// Given a column whose heading could be a number's and whose cells have no digits, then another column is the number.
func TestReadImport_ColumnWithoutDigits_IsNoNumber(t *testing.T) {
	t.Parallel()
	s, err := outlet.ReadImport([]byte("Outlet\tContact\tPhone\tCity\nMG Road\tAsha\t9822011223\tPune\nKothrud\tRavi\t\tPune\n"), nil, 0)
	require.NoError(t, err)
	require.Equal(t, []string{"name", "", "phone", "city"}, s.Columns)
	s, err = outlet.ReadImport([]byte("Outlet\tContact\tPhone\tCity\nMG Road\tAsha\t\tPune\n"), []string{"name", "phone", "", "city"}, 1)
	require.NoError(t, err)
	require.Equal(t, []string{"name", "phone", "", "city"}, s.Columns, "a person's choice stands")
}

// Given a sheet without State, then the pincode gives it, unless the city lies in another State.
func TestCheck_RowWithoutState_TakesItFromThePincode(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	p, err := i.imports.Check(t.Context(), i.ref, i.read(t, "Outlet\tTown\tPIN\nA\tIndore\t452001\nB\tIndore 452 001\t\nC\tIndore\t560001\nD\tIndore\t990001\nE\tAurangabad\t431001\n"), true)
	require.NoError(t, err)
	states := []string{}
	for _, row := range p.Rows {
		states = append(states, row.Values[outlet.FieldState])
	}
	require.Equal(t, []string{"Madhya Pradesh", "Madhya Pradesh", "", "", "Maharashtra"}, states)
	last := p.Rows[0].Mended[len(p.Rows[0].Mended)-1]
	require.Equal(t, outlet.FieldState, last.Field)
	require.Equal(t, "Taken from the pincode", last.How.English)
}

// Given two names for one mobile, then the row says who is invited. Digits of Hindi show a destroyed number as English ones do.
func TestCheck_SameMobileWithOtherName_SaysWhoIsInvited(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	p, err := i.imports.Check(t.Context(), i.ref, i.read(t, "Outlet\tCity\tPartner\tPartner mobile\nAundh\tPune\tAsha\t9822011223\nBaner\tPune\tRavi\t9822011223\nCamp\tPune\tMeera\t६.३E+११\n"), true)
	require.NoError(t, err)
	require.Empty(t, p.Rows[0].Notes)
	require.Equal(t, []string{"Asha"}, p.Rows[1].Notes[0].Values)
	require.Equal(t, 1, p.Invited)
	require.Contains(t, p.Rows[2].Errors[outlet.FieldPartnerMobile].English, "shortened")
}

func TestReadImport_NamesOfFranchiseesOnly_AreTheOutlets(t *testing.T) {
	t.Parallel()
	s, err := outlet.ReadImport([]byte("Franchisee;Contact No;Address\nSharma Traders;9822011223;12 MG Road, Pune 411001\n"), nil, 0)
	require.NoError(t, err)
	require.Equal(t, []string{"name", "phone", "address"}, s.Columns)
	s, err = outlet.ReadImport([]byte("Franchisee;Franchisee mobile;City\nSharma Traders;9822011223;Pune\n"), nil, 0)
	require.NoError(t, err)
	require.Equal(t, "Sharma Traders", s.Drafts[0].Values[outlet.FieldPartnerName])
	s, err = outlet.ReadImport([]byte("Contact Person;Contact No;Address\nAsha;9822011223;12 MG Road, Pune 411001\n"), nil, 0)
	require.NoError(t, err)
	require.True(t, s.Asks, "a person is no outlet")
}

func TestImport_StageOfAnOutlet_IsItsStatus(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	p, err := i.imports.Check(t.Context(), i.ref, i.read(t, "Outlet\tCity\tStage\nCamp\tPune\tFit-out\nBaner\tPune\tWIP\nAundh\tPune\tshut\nWakad\tPune\trunning\n"), true)
	require.NoError(t, err)
	got := []string{}
	for _, row := range p.Rows {
		got = append(got, row.Values[outlet.FieldStatus])
	}
	require.Equal(t, []string{"planned", "planned", "shut", "open"}, got)
	require.True(t, p.Rows[2].Leave)
}

// Given a list that was imported, and a plan with room for one more outlet, then pasting the list again with a new row imports just that.
func TestCheck_ListPastedAgain_LeavesOutWhatExists(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	i.run(t, twoOutlets, false)
	i.plans.set(func(e *tenant.Entitlement) { e.FranchiseLimit = 3 })
	p, err := i.imports.Check(t.Context(), i.ref, i.read(t, twoOutlets+"Baner\tPune\t\t\n"), true)
	require.NoError(t, err)
	chosen, wrong, _ := p.Count()
	require.Equal(t, []int{1, 0, 0}, []int{chosen, wrong, p.Beyond})
	require.Nil(t, p.Refusal())
	require.Equal(t, "You already have an outlet with this name.", p.Rows[0].Doubt.English)
}

// Given hours that a spreadsheet made a date of, and an outlet that is closed for a while, then the outlet is added paused and without hours.
func TestImport_PausedOutletWithDamagedHours_IsAdded(t *testing.T) {
	t.Parallel()
	i := openImports(t)
	i.run(t, "Outlet\tCity\tTiming\tStatus\nMall Road\tShimla\t2025-10-09\tClosed till season\n", false)
	p, err := i.service.List(t.Context(), i.ref, outlet.Query{Sort: outlet.SortName, Limit: 10})
	require.NoError(t, err)
	require.Len(t, p.Outlets, 1)
	require.Equal(t, []any{outlet.StatePaused, ""}, []any{p.Outlets[0].State, p.Outlets[0].Hours})
}
