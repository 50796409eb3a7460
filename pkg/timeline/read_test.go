package timeline

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/testkit"
)

const (
	asha = "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"
	usha = "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f51"
)

// told is a service over statements without tables. Rows of both sources happened at the same moments, with ids whose order differs between
// a language's and that of bytes.
func told(t *testing.T) *Service {
	t.Helper()
	rows := func(extra string) string {
		return `SELECT at::timestamptz AS at, id, title, status, 'R-' || id AS reference, actor, request, details::jsonb AS details FROM (VALUES
			('2026-11-02 04:30:00.000001Z', 'a', 'first', 'done', 'system', NULL, '{"error":"sms_refused 21211","note":"otp=482913"}'),
			('2026-11-02 04:30:00.000001Z', 'B', 'second', 'done', 'staff', 'r1', '{}'),
			('2026-11-02 04:30:00.000001Z', '-', 'third', '', 'customer', 'r2', '{}'),
			('2026-11-02 04:30:00.000002Z', 'a-1', 'fourth', 'sent', 'staff', NULL, '{"nested":{"password":"hunter2","otp":482913}}')
		) v (at, id, title, status, actor, request, details) WHERE ` + extra
	}
	mobile := func(_ context.Context, _ *sqlx.Tx, franchiserID string) (string, error) {
		if franchiserID != asha {
			return "", errs.NotFound()
		}
		return "9876543210", nil
	}
	name := func(who string) func(franchiser, request string) string {
		return func(franchiser, request string) string {
			return `CASE WHEN ` + request + ` IS NOT NULL AND ` + franchiser + ` = '` + asha + `' THEN '` + who + ` ' || ` + request + ` END`
		}
	}
	words := func(code string) string { return "told: " + code }
	return NewService(testkit.NewDatabase(t).API, []Source{
		{Name: "notes", Kind: KindNote, ByMobile: true, SQL: rows(`$2 = '9876543210'`)}, {Name: "codes", Kind: KindCode, SQL: rows(`$1 = '` + asha + `'`)},
	}, mobile, name("Sunita"), name("Ravi"), words)
}

func TestRead_AnyPageSize_KeepsTheOrder(t *testing.T) {
	t.Parallel()
	s := told(t)
	ids := func(list []Entry) (all []string) {
		for _, e := range list {
			all = append(all, e.ID)
		}
		return all
	}
	want := []string{"notes.a-1", "codes.a-1", "notes.a", "notes.B", "notes.-", "codes.a", "codes.B", "codes.-"}
	for _, size := range []int{1, 2, 3, 7, 8, 100} {
		q := Query{FranchiserID: asha, Limit: size}
		var got []string
		for range len(want) + 1 {
			page, err := s.Read(t.Context(), q)
			require.NoError(t, err)
			require.LessOrEqual(t, len(page.Entries), size)
			got = append(got, ids(page.Entries)...)
			if q.Before = page.Next; page.Next == "" {
				break
			}
		}
		require.Equal(t, want, got, "%d a page", size)
	}
	for _, size := range []int{0, -1, MaxEntries + 1} {
		page, err := s.Read(t.Context(), Query{FranchiserID: asha, Limit: size})
		require.NoError(t, err)
		require.Len(t, page.Entries, 8, "a size that is none is the usual one")
		require.Empty(t, page.Next)
	}

	// The entries of a mobile alone, and by kind.
	alone, err := s.Read(t.Context(), Query{Mobile: "9876543210"})
	require.NoError(t, err)
	require.Equal(t, want[:1], ids(alone.Entries)[:1])
	require.Len(t, alone.Entries, 4)
	other, err := s.Read(t.Context(), Query{Mobile: "9876543211"})
	require.NoError(t, err)
	require.Empty(t, other.Entries)
	codes, err := s.Read(t.Context(), Query{FranchiserID: asha, Kinds: []Kind{KindCode}})
	require.NoError(t, err)
	require.Equal(t, []string{"codes.a-1", "codes.a", "codes.B", "codes.-"}, ids(codes.Entries))
	none, err := s.Read(t.Context(), Query{FranchiserID: asha, Kinds: []Kind{KindRefund}})
	require.NoError(t, err)
	require.NotNil(t, none.Entries)
	require.Empty(t, none.Entries, "no source tells of it")
	_, err = s.Read(t.Context(), Query{FranchiserID: usha})
	require.ErrorIs(t, err, errs.NotFound())
	_, err = s.Read(t.Context(), Query{FranchiserID: usha, Before: "!"})
	require.Equal(t, errs.KindInvalid, errs.KindOf(err), "a cursor is judged before anybody is looked for")
}

func TestEntry_NamesTheActorAndHidesSecrets(t *testing.T) {
	t.Parallel()
	s := told(t)
	for entryID, c := range map[string]struct{ actor, request string }{
		"notes.a": {"system", ""}, "notes.B": {"Sunita r1", "r1"}, "codes.-": {"Ravi r2", "r2"}, "codes.a-1": {"staff", ""},
	} {
		e, err := s.Entry(t.Context(), asha, entryID)
		require.NoError(t, err, entryID)
		require.Equal(t, entryID, e.ID)
		require.Equal(t, c.actor, e.Actor, entryID)
		require.Equal(t, c.request, e.RequestID, entryID)
		require.Equal(t, "R-"+entryID[strings.IndexByte(entryID, '.')+1:], e.Reference)
		require.Equal(t, time.UTC, e.At.Location())
		page, err := s.Read(t.Context(), Query{FranchiserID: asha})
		require.NoError(t, err)
		require.Equal(t, e, page.Entries[slices.IndexFunc(page.Entries, func(other Entry) bool { return other.ID == entryID })], "as in the list")
	}
	e, err := s.Entry(t.Context(), asha, "codes.a")
	require.NoError(t, err)
	require.Equal(t, map[string]any{"error": "told: sms_refused 21211", "note": "otp=••••••"}, e.Details)
	e, err = s.Entry(t.Context(), asha, "codes.a-1")
	require.NoError(t, err)
	require.Equal(t, map[string]any{"nested": map[string]any{"password": "••••••", "otp": "••••••"}}, e.Details)
	for _, unknown := range []string{"", ".", "codes", "codes.", "codes.x", "code.a", "codes.a' OR true --", "CODES.a", "notes.a.b"} {
		_, err = s.Entry(t.Context(), asha, unknown)
		require.ErrorIs(t, err, errs.NotFound(), unknown)
	}
	_, err = s.Entry(t.Context(), usha, "notes.a")
	require.ErrorIs(t, err, errs.NotFound(), "of nobody there is no entry")
}

// A source without details breaks the timeline instead of omitting an entry.
func TestRead_SourceWithoutDetails_Fails(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	mobile := func(context.Context, *sqlx.Tx, string) (string, error) { return "", nil }
	none := func(string, string) string { return "NULL" }
	row := func(details string) string {
		return `SELECT now() AS at, '1' AS id, '' AS title, '' AS status, '' AS reference, 'system' AS actor, NULL AS request, ` + details + ` AS details`
	}
	for name, statement := range map[string]string{"a list": row(`'[1]'::jsonb`), "a text": row(`'"x"'::jsonb`), "no table": `SELECT * FROM nothing`} {
		s := NewService(db.API, []Source{{Name: "one", Kind: KindNote, SQL: statement}}, mobile, none, none, strings.ToUpper)
		_, err := s.Read(t.Context(), Query{FranchiserID: asha})
		require.ErrorContains(t, err, "read timeline", name)
	}
	gone := errors.New("no such table")
	s := NewService(db.API, []Source{{Name: "one", Kind: KindNote, SQL: row(`'{}'::jsonb`)}},
		func(context.Context, *sqlx.Tx, string) (string, error) { return "", gone }, none, none, strings.ToUpper)
	_, err := s.Read(t.Context(), Query{FranchiserID: asha})
	require.ErrorIs(t, err, gone)
	_, err = s.Entry(t.Context(), asha, "one.1")
	require.ErrorIs(t, err, gone)
}
