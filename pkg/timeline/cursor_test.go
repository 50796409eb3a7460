package timeline

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func TestCursor_RoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := Entry{At: time.UnixMicro(rapid.Int64Range(0, 1<<53).Draw(t, "at")).UTC(), ID: rapid.StringMatching(`[a-z_]{1,20}\.[a-z0-9.-]{1,40}`).Draw(t, "id")}
		at, entryID, err := parseCursor(cursorOf(e))
		require.NoError(t, err)
		require.Equal(t, e.At, *at)
		require.Equal(t, e.ID, entryID)
	})
	at, entryID, err := parseCursor("")
	require.NoError(t, err)
	require.Nil(t, at)
	require.Empty(t, entryID)
}

// A cursor's content goes into a statement, so it must be something that Postgres can store.
func TestCursor_Broken_IsRefused(t *testing.T) {
	t.Parallel()
	for name, inside := range map[string]string{
		"no id": "1", "no time": ".x", "before 1970": "-1.x", "no number": "one.x", "beyond what a time takes": fmt.Sprint(1<<53+1) + ".x",
		"beyond 64 bits": "9223372036854775808.x", "far too long": "1." + strings.Repeat("x", 199), "NUL": "1.jobs.\x00", "no UTF-8": "1.jobs.\xff",
		"turned directions": "1.jobs.\u202e1",
	} {
		_, _, err := parseCursor(base64.RawURLEncoding.EncodeToString([]byte(inside)))
		require.Contains(t, errs.As(err).Fields, "before", name)
	}
	for _, text := range []string{"!", "MS54=", "MS5 4", "ü"} {
		_, _, err := parseCursor(text)
		require.Contains(t, errs.As(err).Fields, "before", text)
	}
}

func TestQuery_KindsAndSubject_SelectTheSources(t *testing.T) {
	t.Parallel()
	s := &Service{sources: []Source{
		{Name: "codes", Kind: KindCode, ByMobile: true}, {Name: "payments", Kind: KindPayment}, {Name: "refunds", Kind: KindRefund}, {Name: "payment_notices", Kind: KindPayment},
	}}
	for want, q := range map[string]Query{
		"codes payments refunds payment_notices": {FranchiserID: "f"},
		"codes":                                  {Mobile: "9876543210"},
		"payments payment_notices":               {FranchiserID: "f", Kinds: []Kind{KindPayment}},
		"payments refunds payment_notices":       {FranchiserID: "f", Kinds: []Kind{KindRefund, KindPayment, KindPayment}},
		"":                                       {Mobile: "9876543210", Kinds: []Kind{KindPayment}},
	} {
		chosen, err := s.choose(q)
		require.NoError(t, err)
		var names []string
		for _, one := range chosen {
			names = append(names, one.Name)
		}
		require.Equal(t, want, strings.Join(names, " "))
	}
	for _, kind := range []Kind{"", "payments", "'; --", "Payment"} {
		_, err := s.choose(Query{FranchiserID: "f", Kinds: []Kind{KindPayment, kind}})
		require.Contains(t, errs.As(err).Fields, "kind", kind)
	}
	seen := map[Kind]bool{}
	for _, kind := range Kinds() {
		require.False(t, seen[kind], kind)
		seen[kind] = true
	}
}
