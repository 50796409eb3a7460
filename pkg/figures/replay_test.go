package figures_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// endless is the day on which a span ends that goes on.
const endless = subscription.Day(1 << 30)

// span is what recurs from one day to before another, in paise a month.
type span struct {
	order    string
	plan     bool
	key      string // plan, billing period and State
	typ      plan.Type
	from, to subscription.Day
	paise    int64
}

// happened is an event of a subscription with one line of its order, if it has any.
type happened struct {
	ID         string           `db:"id"`
	Franchiser string           `db:"franchiser_id"`
	At         time.Time        `db:"at"`
	Kind       string           `db:"kind"`
	To         string           `db:"to_state"`
	Order      string           `db:"order_id"`
	Key        string           `db:"key"`
	Type       plan.Type        `db:"plan_type"`
	Line       string           `db:"line"`
	AddOn      string           `db:"add_on_id"`
	Quantity   int64            `db:"quantity"`
	Amount     int64            `db:"amount_paise"`
	Discount   int64            `db:"discount_paise"`
	From       subscription.Day `db:"period_from"`
	Until      subscription.Day `db:"period_to"`
}

const happenedSQL = `SELECT e.id, e.franchiser_id, e.at, e.kind, e.to_state, coalesce(e.order_id::text, '') AS order_id,
		concat_ws('|', o.plan_id, o.plan_type, coalesce(o.recipient->>'state_code', '')) AS key, coalesce(o.plan_type, '') AS plan_type,
		coalesce(l.kind, '') AS line, coalesce(l.add_on_id::text, '') AS add_on_id, coalesce(l.quantity, 0) AS quantity,
		coalesce(l.amount_paise, 0) AS amount_paise, coalesce(l.discount_paise, 0) AS discount_paise,
		coalesce(l.period_from, '2000-01-01') AS period_from, coalesce(l.period_to, '2000-01-01') AS period_to
	FROM subscription_events e LEFT JOIN orders o ON o.id = e.order_id LEFT JOIN order_lines l ON l.order_id = o.id AND l.kind <> 'fee'
	ORDER BY e.franchiser_id, e.at, e.id, l.position`

// replayed is one customer's history, rebuilt from the subscription's events alone, without the table of terms.
type replayed struct {
	spans  []span
	prices map[string]plan.AddOn
	state  string
	event  string
}

// term returns the term in which a day lies.
func (r *replayed) term(day subscription.Day) span {
	for _, s := range r.spans {
		if s.plan && s.from <= day && day < s.to {
			return s
		}
	}
	return span{}
}

func (r *replayed) cut(at subscription.Day, which func(span) bool) {
	for i := range r.spans {
		if which(r.spans[i]) && r.spans[i].to > at {
			r.spans[i].to = max(at, r.spans[i].from)
		}
	}
}

func monthly(paise int64, typ plan.Type) int64 {
	if typ == plan.TypeYearly {
		return (paise + 6) / 12 // half up
	}
	return paise
}

func (r *replayed) take(h happened) {
	first := h.ID != r.event
	r.event, r.state = h.ID, h.To
	day := subscription.DayOf(h.At)
	switch h.Kind {
	case "new", "renewal", "upgrade", "downgrade", "switch":
		if first && (h.Kind == "upgrade" || h.Kind == "switch") {
			r.cut(h.From, func(span) bool { return true })
		}
		r.spans = append(r.spans, span{h.Order, h.Line == "plan", h.Key, h.Type, h.From, h.Until, monthly(h.Amount-h.Discount, h.Type)})
	case "add_on":
		t, worth := r.term(h.From), h.Amount
		if h.From != t.from {
			worth = h.Quantity * int64(r.prices[h.AddOn].Price(t.typ))
		}
		r.spans = append(r.spans, span{h.Order, false, t.key, t.typ, h.From, h.Until, monthly(worth, t.typ)})
	case "revoked":
		if first {
			r.revoke(h.Order, day)
		}
	}
}

func (r *replayed) revoke(order string, day subscription.Day) {
	of := func(s span) bool { return s.order == order }
	switch i := slices.IndexFunc(r.spans, func(s span) bool { return of(s) && s.plan }); {
	case i < 0:
		r.cut(day, of)
	case r.state == "active": // the next term, with the add-ons that were bought for it
		term := r.spans[i]
		r.cut(0, func(s span) bool { return s.from >= term.from && s.from < term.to })
	default:
		r.cut(max(day, r.term(day).from+1), func(span) bool { return true })
	}
}

// end lets what runs or is in grace go on.
func (r *replayed) end() []span {
	if r.state == "active" || r.state == "grace" {
		var last subscription.Day
		for _, s := range r.spans {
			if s.plan && s.to > s.from {
				last = max(last, s.to)
			}
		}
		for i := range r.spans {
			if r.spans[i].to == last && r.spans[i].from < last {
				r.spans[i].to = endless
			}
		}
	}
	return r.spans
}

// replay returns what each customer had.
func replay(t *testing.T, db *sqlx.DB, c *plan.Catalogue) map[string][]span {
	t.Helper()
	prices := map[string]plan.AddOn{}
	for _, p := range c.Plans {
		for _, tier := range p.Tiers {
			for _, a := range tier.AddOns {
				prices[a.ID] = a
			}
		}
	}
	var all []happened
	require.NoError(t, db.Select(&all, happenedSQL))
	lives := map[string]*replayed{}
	for _, h := range all {
		if lives[h.Franchiser] == nil {
			lives[h.Franchiser] = &replayed{prices: prices}
		}
		lives[h.Franchiser].take(h)
	}
	spans := map[string][]span{}
	for who, r := range lives {
		spans[who] = r.end()
	}
	return spans
}

// held returns the customer's plan and revenue on a day.
func held(spans []span, day subscription.Day) (key string, paise int64) {
	for _, s := range spans {
		if s.from <= day && day < s.to {
			paise += s.paise
			if s.plan {
				key = s.key
			}
		}
	}
	return key, paise
}

// movements are the columns of figure_months by month, plan, billing period and State, from the first month to that of the day.
func movements(lives map[string][]span, first, today subscription.Day) map[string][]int64 {
	const opening, began, more, again, in, less, lost, out, closing, opens, begins, returns, ins, losts, outs, closes = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	sums := map[string][]int64{}
	for month := first; month <= today; month = month.AddMonths(1, 1) {
		add := func(key string, column int, n int64) {
			at := month.String() + "|" + key
			if sums[at] == nil {
				sums[at] = make([]int64, closes+1)
			}
			sums[at][column] += n
		}
		for _, spans := range lives {
			from, before := held(spans, month-1)
			to, after := held(spans, min(month.AddMonths(1, 1)-1, today))
			known := slices.ContainsFunc(spans, func(s span) bool { return s.from < month && s.to > s.from })
			if from != "" {
				add(from, opening, before)
				add(from, opens, 1)
			}
			if to != "" {
				add(to, closing, after)
				add(to, closes, 1)
			}
			switch {
			case from == "" && to == "":
			case from == "" && known:
				add(to, again, after)
				add(to, returns, 1)
			case from == "":
				add(to, began, after)
				add(to, begins, 1)
			case to == "":
				add(from, lost, before)
				add(from, losts, 1)
			default:
				add(to, more, max(after-before, 0))
				add(to, less, max(before-after, 0))
				if from != to {
					add(from, out, before)
					add(from, outs, 1)
					add(to, in, before)
					add(to, ins, 1)
				}
			}
		}
	}
	return sums
}

// kept are the same columns as they are kept.
func kept(t *testing.T, db *sqlx.DB) map[string][]int64 {
	t.Helper()
	rows, err := db.Query(`SELECT concat_ws('|', month, plan_id, plan_type, state_code), opening_paise, new_paise, expansion_paise, reactivation_paise,
		moved_in_paise, contraction_paise, churn_paise, moved_out_paise, closing_paise, opening_customers, new_customers, reactivated_customers,
		moved_in_customers, churned_customers, moved_out_customers, closing_customers FROM figure_months`)
	require.NoError(t, err)
	defer rows.Close()
	all := map[string][]int64{}
	for rows.Next() {
		var at string
		n := make([]int64, 16)
		to := []any{&at}
		for i := range n {
			to = append(to, &n[i])
		}
		require.NoError(t, rows.Scan(to...))
		all[at] = n
	}
	require.NoError(t, rows.Err())
	return all
}

func requireReplayed(t *testing.T, db *sqlx.DB, c *plan.Catalogue, today subscription.Day) {
	t.Helper()
	want, got := movements(replay(t, db, c), subscription.NewDay(2026, 11, 1), today), kept(t, db)
	for at := range got {
		if want[at] == nil {
			require.Failf(t, "more is kept than happened", "%s %v", at, got[at])
		}
	}
	for at := range want {
		require.Equal(t, fmt.Sprint(want[at]), fmt.Sprint(got[at]), at)
	}
}
