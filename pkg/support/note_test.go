package support_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/testkit/member"
	"github.com/franchise360/franchise360/pkg/timeline"
)

func (b bundle) note(t *testing.T, p staff.Principal, franchiserID, text string, pinned bool) {
	t.Helper()
	b.clock.Advance(time.Minute)
	_, err := b.actions.AddNote(p.Sign(t.Context()), p, support.Request{FranchiserID: franchiserID, Key: id.New()}, text, pinned)
	require.NoError(t, err)
}

func (b bundle) notes(t *testing.T, p staff.Principal, franchiserID string) support.Notes {
	t.Helper()
	n, err := b.customers.Notes(p.Sign(t.Context()), franchiserID)
	require.NoError(t, err)
	return n
}

// Given notes of two members of staff, then pinned notes are first, only the author and admins can delete a note, and an auditor can only
// read.
func TestNotes_OnlyTheAuthorOrAnAdminDeletes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha, other := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao"), console.Customer(t, b.DB, b.clock, "9876543211", "Ravi", "Rao")
	b.note(t, b.Sunita, asha, "  Calls after six\r\nonly ", true)
	b.note(t, b.Ravi, asha, "Asked for GST help", false)
	b.note(t, b.Sunita, other, "Somebody else", false)
	in := support.Request{FranchiserID: asha, Key: "key-00001"}
	for range 2 {
		_, err := b.actions.AddNote(b.Sunita.Sign(t.Context()), b.Sunita, in, "Once", false)
		require.NoError(t, err)
	}
	_, err := b.actions.AddNote(b.Sunita.Sign(t.Context()), b.Sunita, in, "Another text", false)
	require.Equal(t, "idempotency_key_reused", errs.As(err).Code)

	list := b.notes(t, b.Sunita, asha).Notes
	require.Len(t, list, 3, "sent twice, noted once")
	require.Equal(t, "Calls after six\nonly", list[0].Text)
	require.Equal(t, []string{"Sunita", "Sunita", "Ravi"}, []string{list[0].Author, list[1].Author, list[2].Author})
	require.True(t, list[0].MayDelete(b.Sunita) && list[0].MayDelete(b.Ravi), "its author, and an admin")
	require.False(t, list[2].MayDelete(b.Sunita))

	ctx := b.Sunita.Sign(t.Context())
	require.NoError(t, b.actions.PinNote(ctx, b.Sunita, asha, list[2].ID, true))
	require.NoError(t, b.actions.PinNote(ctx, b.Sunita, asha, list[2].ID, true))
	require.Equal(t, list[2].ID, b.notes(t, b.Sunita, asha).Notes[0].ID)
	require.Equal(t, errs.KindNotFound, errs.KindOf(b.actions.PinNote(ctx, b.Sunita, other, list[2].ID, false)), "another customer's page")
	require.Equal(t, errs.KindNotFound, errs.KindOf(b.actions.DeleteNote(ctx, b.Sunita, asha, list[2].ID, "Not mine")))
	require.Contains(t, errs.As(b.actions.DeleteNote(ctx, b.Sunita, asha, list[0].ID, " ")).Fields, "reason")
	require.NoError(t, b.actions.DeleteNote(ctx, b.Sunita, asha, list[1].ID, "Out of date"))
	require.NoError(t, b.actions.DeleteNote(b.Ravi.Sign(t.Context()), b.Ravi, asha, list[0].ID, "Rude"))
	require.Len(t, b.notes(t, b.Sunita, asha).Notes, 1)
	require.Equal(t, []string{"add_note", "add_note", "add_note", "add_note", "pin_note", "delete_note", "delete_note"}, b.Actions(t))
	require.Zero(t, console.Count(t, b.DB, `SELECT count(*) FROM staff_actions a WHERE row_to_json(a)::text LIKE '%Calls after%'`), "the trail keeps no text")

	for _, bad := range []string{" \n", strings.Repeat("क", 2001), "a\x00b"} {
		_, err := b.actions.AddNote(ctx, b.Sunita, support.Request{FranchiserID: asha, Key: id.New()}, bad, false)
		require.Contains(t, errs.As(err).Fields, "text")
	}
	b.note(t, b.Sunita, asha, strings.Repeat("क", 2000), false)

	vera, err := member.Add(t.Context(), b.DB.Owner, "Vera", staff.RoleAuditor, b.clock.Now())
	require.NoError(t, err)
	require.Len(t, b.notes(t, vera, asha).Notes, 2)
	left := list[2].ID
	_, err = b.actions.AddNote(vera.Sign(t.Context()), vera, support.Request{FranchiserID: asha, Key: id.New()}, "I was here", false)
	require.Error(t, err)
	require.Error(t, b.actions.PinNote(vera.Sign(t.Context()), vera, asha, left, false))
	require.Error(t, b.actions.DeleteNote(vera.Sign(t.Context()), vera, asha, left, "No longer true"))
	require.Error(t, b.actions.Tag(vera.Sign(t.Context()), vera, asha, "vip", true))
}

// Given notes and tags, then the timeline and the export contain them, and erasure removes them.
func TestNotes_AreInTheTimelineAndExportAndAreErased(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha, other := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao"), console.Customer(t, b.DB, b.clock, "9876543211", "Ravi", "Rao")
	b.note(t, b.Sunita, asha, "Her daughter Mira pays", true)
	b.note(t, b.Sunita, other, "He pays himself", false)
	ctx := b.Sunita.Sign(t.Context())
	require.NoError(t, b.actions.Tag(ctx, b.Sunita, asha, "VIP", true))
	require.NoError(t, b.actions.Tag(ctx, b.Sunita, other, "vip", true))

	page, err := b.timeline.Read(ctx, timeline.Query{FranchiserID: asha, Kinds: []timeline.Kind{timeline.KindNote, timeline.KindStaff}, Limit: 10})
	require.NoError(t, err)
	require.Len(t, page.Entries, 2, "a note is told once, and the tag")
	require.Equal(t, timeline.KindNote, page.Entries[1].Kind)
	require.Equal(t, "Sunita", page.Entries[1].Actor)
	require.Equal(t, "Her daughter Mira pays", page.Entries[1].Details["text"])

	export := func() string {
		var raw []byte
		require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.API, asha, func(tx *sqlx.Tx) error {
			_, data, err := support.PersonalData{}.ExportTx(t.Context(), tx, asha)
			if err == nil {
				raw, err = json.Marshal(data)
			}
			return err
		}))
		return string(raw)
	}
	require.Contains(t, export(), "Her daughter Mira pays")
	require.Contains(t, export(), `"vip"`)
	require.NotContains(t, export(), "He pays himself")
	for range 2 {
		require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.Worker, asha, func(tx *sqlx.Tx) error {
			return support.PersonalData{}.EraseTx(t.Context(), tx, asha)
		}))
	}
	require.Equal(t, "null", export())
	require.Equal(t, 1, console.Count(t, b.DB, `SELECT count(*) FROM customer_notes`))
	require.Equal(t, 1, console.Count(t, b.DB, `SELECT count(*) FROM customer_tags`))
}

// Given tagged customers, then the search finds them by tag, and of them those with a name or number.
func TestSearch_Tag_FindsItsCustomers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha, ravi := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao"), console.Customer(t, b.DB, b.clock, "9123456789", "Ravi", "Rao")
	ctx := b.Sunita.Sign(t.Context())
	for _, tag := range []struct{ of, tag string }{{asha, "VIP"}, {ravi, " vip "}, {ravi, "Call first"}, {asha, "vip"}} {
		require.NoError(t, b.actions.Tag(ctx, b.Sunita, tag.of, tag.tag, true))
	}
	names := func(q string) (found []string) {
		hits, _, err := b.customers.Search(ctx, q, false)
		require.NoError(t, err)
		for _, h := range hits {
			require.Equal(t, "tag", h.Kind)
			found = append(found, h.Name)
		}
		return found
	}
	for q, want := range map[string][]string{
		"tag:vip": {"Asha Rao", "Ravi Rao"}, "TAG:vi": {"Asha Rao", "Ravi Rao"}, "tag:vip ravi": {"Ravi Rao"}, "rao tag:call-first": {"Ravi Rao"},
		"tag:vip 6789": {"Ravi Rao"}, "tag:none": nil, "tag:": nil, "tag:vip zoya": nil, "tag:%": nil,
	} {
		require.Equal(t, want, names(q), q)
	}
	n := b.notes(t, b.Sunita, ravi)
	require.Equal(t, []string{"call-first", "vip"}, n.Tags)
	require.Equal(t, []string{"vip", "call-first"}, n.Known, "those of most customers first")
	for range 2 {
		require.NoError(t, b.actions.Tag(ctx, b.Sunita, ravi, "vip", false))
	}
	require.Equal(t, []string{"Asha Rao"}, names("tag:vip"))
	require.Equal(t, []string{"tag_customer", "tag_customer", "tag_customer", "untag_customer"}, b.Actions(t), "what changes nothing is no action")
	for _, bad := range []string{"", "-", "vip!", strings.Repeat("a", 25), "वीआईपी"} {
		require.Contains(t, errs.As(b.actions.Tag(ctx, b.Sunita, asha, bad, true)).Fields, "tag", bad)
	}
	for tag := range strings.FieldsSeq("a b c d e f g h i") {
		require.NoError(t, b.actions.Tag(ctx, b.Sunita, asha, tag, true))
	}
	require.Equal(t, "too_many_tags", errs.As(b.actions.Tag(ctx, b.Sunita, asha, "k", true)).Code)
	require.NoError(t, b.actions.Tag(ctx, b.Sunita, asha, "vip", true), "one that is there is no further one")
}
