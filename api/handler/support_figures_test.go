package handler

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// standing is a clock that stands still.
type standing struct{ at time.Time }

func (s standing) Now() time.Time { return s.at }

// The default is the last twelve months. Named months must have begun, and span at most three years.
func TestFigures_MonthRange_DefaultsAndLimits(t *testing.T) {
	t.Parallel()
	h := &SupportFigures{clock: standing{time.Date(2026, time.November, 30, 23, 59, 59, 0, clock.IST)}}
	month := func(year int, m time.Month) subscription.Day { return subscription.NewDay(year, m, 1) }
	for address, want := range map[string]figures.Query{
		"":                             {From: month(2025, 12), To: month(2026, 11)},
		"to=2026-11":                   {From: month(2025, 12), To: month(2026, 11)},
		"to=2026-01":                   {From: month(2025, 2), To: month(2026, 1)},
		"from=2026-11":                 {From: month(2026, 11), To: month(2026, 11)},
		"from=2023-12":                 {From: month(2023, 12), To: month(2026, 11)},
		"from=2024-03&to=2024-03":      {From: month(2024, 3), To: month(2024, 3)},
		"from=2024-02&to=2026-11":      {From: month(2024, 2), To: month(2026, 11)},
		"state=27":                     {From: month(2025, 12), To: month(2026, 11), StateCode: "27"},
		"plan=" + figuresPlan + "&to=": {From: month(2025, 12), To: month(2026, 11), PlanID: figuresPlan},
	} {
		c, _ := asking(t, http.MethodGet, "/?"+address, "")
		q, err := h.query(c)
		require.NoError(t, err, address)
		require.Equal(t, want, q, address)
	}
	for address, fields := range map[string]string{
		"to=2026-12": "to", "to=2026-13": "to", "to=x": "to", "from=2023-11": "from", "from=2026-12": "from", "from=2026-11&to=2026-10": "from",
		"from=2026-11-01": "from", "plan=x": "plan", "state=99": "state", "state=MH": "state", "plan=x&state=x&from=x": "from plan state",
	} {
		c, _ := asking(t, http.MethodGet, "/?"+address, "")
		_, err := h.query(c)
		wrong := errs.As(err).Fields
		for field := range strings.SplitSeq(fields, " ") {
			require.Contains(t, wrong, field, address)
		}
		for field := range wrong {
			require.Contains(t, fields, field, address)
		}
	}
	h.clock = standing{time.Date(2026, time.November, 30, 18, 30, 0, 0, time.UTC)}
	c, _ := asking(t, http.MethodGet, "/", "")
	q, err := h.query(c)
	require.NoError(t, err)
	require.Equal(t, month(2026, 12), q.To, "in India the month has begun")
}

const figuresPlan = "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"

// Figures that were not counted are an empty list without a day, so that a page can distinguish them from zero.
func TestFigures_NotCounted_AreEmptyLists(t *testing.T) {
	t.Parallel()
	raw, err := json.Marshal(viewOf(figures.Shown{}))
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, json.Unmarshal(raw, &got))
	require.Nil(t, got["as_of"])
	require.Nil(t, got["counted_at"])
	for _, list := range []string{"plans", "states", "recurring", "trials", "cohorts", "failures", "codes"} {
		require.Equal(t, []any{}, got[list], list)
	}
	require.Len(t, got["definitions"], len(figures.Definitions()))
	counted := time.Date(2026, 11, 26, 5, 30, 0, 0, clock.IST)
	v := viewOf(figures.Shown{AsOf: subscription.NewDay(2026, 11, 25), Counted: counted, Months: []figures.Month{{Month: subscription.NewDay(2026, 10, 1)}}})
	require.Equal(t, "2026-11-26T00:00:00Z", v.Counted.Format(time.RFC3339))
	require.Equal(t, "2026-10", v.Recurring[0].Month)
	require.Nil(t, v.Recurring[0].Average, "of no customers there is no average")
}
