package staff_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
)

// noted returns the kinds of recorded reads, in order.
func (b *bundle) noted(t *testing.T) (kinds []string) {
	t.Helper()
	require.NoError(t, b.db.Owner.Select(&kinds, `SELECT action FROM staff_actions ORDER BY sequence`))
	return kinds
}

// Given a page that staff read again, then it is a new visit once the last record is older than a visit lasts.
func TestVisit_LaterRead_StartsANewOne(t *testing.T) {
	t.Parallel()
	asha, document := id.New(), id.New()
	for name, tc := range map[string]struct {
		read  staff.Read
		kind  string
		lasts time.Duration
	}{
		"an account":  {staff.ReadAccount(asha), "read_account", 30 * time.Minute},
		"a timeline":  {staff.ReadTimeline(asha), "read_timeline", 30 * time.Minute},
		"a document":  {staff.ReadDocument(asha, document), "open_document", 5 * time.Minute},
		"a payment":   {staff.ReadTrail(asha, id.New()), "read_trail", 30 * time.Minute},
		"a sign-up":   {staff.ReadMobile("9876543210"), "read_mobile", 30 * time.Minute},
		"a list":      {staff.ReadList("work"), "read_list", 30 * time.Minute},
		"a file":      {staff.ExportList("work"), "export_list", 0},
		"a tampering": {staff.ReadList("' OR true --"), "read_list", 30 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			look := func(want int) {
				t.Helper()
				require.NoError(t, b.service.NoteRead(b.sunita.Sign(t.Context()), b.sunita, tc.read))
				got := b.noted(t)
				require.Len(t, got, want)
				require.Equal(t, tc.kind, got[want-1])
			}
			look(1)
			if tc.lasts > 0 {
				b.clock.Advance(tc.lasts - time.Microsecond)
				look(1)
				b.clock.Advance(time.Microsecond)
			}
			look(2)
			b.clock.Advance(tc.lasts / 2)
			if tc.lasts > 0 {
				look(2)
			}
		})
	}
}

// A customer's timeline belongs to the visit of the customer's page; a read of the ledger does not.
func TestVisit_Timeline_BelongsToTheCustomersVisit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha, ravi := id.New(), id.New()
	b.record(t, "open_customer", &asha, "Opened the customer")
	b.tamper(t, `UPDATE staff_actions SET target = 'customer:`+asha+`'`)
	b.clock.Advance(29*time.Minute - 24*time.Hour) // a day passes after each record
	note := func(r staff.Read) {
		require.NoError(t, b.service.NoteRead(b.sunita.Sign(t.Context()), b.sunita, r))
	}
	note(staff.ReadTimeline(asha))
	require.Equal(t, []string{"open_customer"}, b.noted(t))
	note(staff.ReadAccount(asha))
	note(staff.ReadTimeline(ravi))
	note(staff.ReadAccount(asha))
	require.Equal(t, []string{"open_customer", "read_account", "read_timeline"}, b.noted(t))
	var customers []string
	require.NoError(t, b.db.Owner.Select(&customers, `SELECT franchiser_ref FROM staff_actions ORDER BY sequence`))
	require.Equal(t, []string{asha, asha, ravi}, customers, "each is told of what was theirs")
}

// Given colleagues, then each one's visits are their own.
func TestVisit_Colleagues_HaveTheirOwn(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	before := len(o.noted(t))
	asha := id.New()
	for range 2 {
		require.NoError(t, o.service.NoteRead(o.sunita.Sign(t.Context()), o.sunita, staff.ReadAccount(asha)))
		require.NoError(t, o.service.NoteRead(o.ravi.Sign(t.Context()), o.ravi, staff.ReadAccount(asha)))
	}
	require.Len(t, o.noted(t), before+2)
	forged := o.ravi
	forged.StaffID = o.sunita.StaffID
	o.clock.Advance(31 * time.Minute)
	require.Error(t, o.service.NoteRead(t.Context(), forged, staff.ReadAccount(asha)), "nobody reads under a colleague's name")
	require.Error(t, o.service.NoteRead(t.Context(), staff.Principal{StaffID: o.sunita.StaffID}, staff.ReadAccount(asha)), "nor without a proof")
	require.Len(t, o.noted(t), before+2)
}

func TestListNames_AreWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for list, want := range map[string]string{
		"reversals": "requests for money to go back", "acts": "what waits for a second person", "money": "money that waits",
		"catalogue": "renewals at other prices", "jobs": "failed jobs", "transfers": "proformas", "e invoices": "e-invoices",
		"tds": "deducted tax", "contacts": "contact requests", "work": "work that waits for staff", "credit notes": "credit notes",
	} {
		require.NoError(t, b.service.NoteRead(b.sunita.Sign(t.Context()), b.sunita, staff.ReadList(list)))
		require.NoError(t, b.service.NoteRead(b.sunita.Sign(t.Context()), b.sunita, staff.ExportList(list)))
		var reasons []string
		require.NoError(t, b.db.Owner.Select(&reasons, `SELECT reason FROM staff_actions WHERE target = $1 ORDER BY sequence`, "list:"+list))
		require.Equal(t, []string{"Read the list of " + want, "Took out the list of " + want}, reasons)
	}
}
