package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

func TestFirstDay_AnyMonth_HasItsMidnightRow(t *testing.T) {
	t.Parallel()
	for on, last := time.Date(2027, time.November, 2, 0, 0, 0, 0, clock.IST), 5*366; last > 0; on, last = on.AddDate(0, 0, 1), last-1 {
		begin := firstDay(on)
		require.False(t, begin.Before(on))
		require.Less(t, begin.Sub(on), 5*24*time.Hour)
		due := begin.AddDate(0, 2, -1)
		require.Equal(t, due, due.AddDate(0, -1, 0).AddDate(0, 1, 0), "a term of a month that ends with the day before")
		require.Equal(t, begin.AddDate(0, 2, 0), due.AddDate(0, 0, 1), "two months of the renewers end on the day")
	}
}

func TestDay_BeginsAtMidnightInIndia(t *testing.T) {
	t.Parallel()
	for utc, begins := range map[string]string{"2026-11-26T18:29:59Z": "2026-11-26", "2026-11-26T18:30:00Z": "2026-11-27"} {
		at, err := time.Parse(time.RFC3339, utc)
		require.NoError(t, err)
		require.Equal(t, begins+"T00:00:00+05:30", day(at).Format(time.RFC3339))
	}
}

func TestRow_UnjustifiedError_IsNotGood(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		row  row
		good bool
	}{
		{row: row{}, good: true},
		{row: row{errors: 1, kinds: map[string]int{"401": 1}}},
		{row: row{errors: 2, kinds: map[string]int{"401": 2}, fault: fault{justified: []string{"401"}}}, good: true},
		{row: row{errors: 2, kinds: map[string]int{"401": 1, "500": 1}, fault: fault{justified: []string{"401"}}}},
		{row: row{errors: 2, kinds: map[string]int{"503": 2}, fault: fault{ends: true}}, good: true},
		{row: row{verdict: verdict{lost: 1}, fault: fault{ends: true}}},
		{row: row{verdict: verdict{doubled: 1}, fault: fault{ends: true}}},
		{row: row{verdict: verdict{problems: []string{"a reminder was told twice"}}, fault: fault{ends: true}}},
		{row: row{quit: 1}},
		{row: row{verdict: verdict{resent: 1}, struck: 2}},
		{row: row{verdict: verdict{resent: 2}, struck: 2, fault: fault{resends: true}}, good: true},
		{row: row{verdict: verdict{resent: 3}, struck: 2, fault: fault{resends: true}}},
		{row: row{recovery: 16 * time.Second, fault: fault{ends: true, within: 15 * time.Second}}},
		{row: row{recovery: 14 * time.Second, fault: fault{ends: true, within: 15 * time.Second}}, good: true},
		{row: row{unread: 4 * time.Second, fault: fault{ends: true, reads: 3 * time.Second}}},
		{row: row{unread: 2 * time.Second, fault: fault{reads: 3 * time.Second}}, good: true},
	} {
		require.Equal(t, c.good, c.row.good(), "%+v", c.row)
	}
}

func TestEffect_IsCountedPerPayment(t *testing.T) {
	t.Parallel()
	once := effect{Paid: true, Ordered: true, Invoices: 1, Documents: 1, Plans: 1, Journals: 2, Payments: 1}
	require.True(t, once.whole())
	require.False(t, once.doubled(1))
	renewed := once
	renewed.Journals, renewed.Payments = 6, 3
	require.True(t, renewed.whole())
	require.False(t, renewed.doubled(1))
	for _, change := range []func(*effect){
		func(e *effect) { e.Journals = 7 }, func(e *effect) { e.Refunds = 1 }, func(e *effect) { e.Plans = 2 }, func(e *effect) { e.Invoices = 2 },
	} {
		more := renewed
		change(&more)
		require.True(t, more.doubled(1))
	}
	less := renewed
	less.Journals = 5
	require.False(t, less.whole())
	require.True(t, once.doubled(0), "paid without the gateway's money")
}

func TestClockFaults_LastOneMovesTimeForGood(t *testing.T) {
	t.Parallel()
	list := clockFaults()
	for i, one := range list {
		require.True(t, one.clock, one.name)
		require.Equal(t, i == len(list)-1, one.prepare != nil, one.name)
	}
}

func TestMeasure_ErrorAfterTheMend_IsNoRecovery(t *testing.T) {
	t.Parallel()
	struck := time.Now()
	l := &load{heard: []answer{{at: struck.Add(4 * time.Second), failed: "503"}, {at: struck.Add(40 * time.Second), failed: "503"}}}
	r := row{kinds: map[string]int{}, fault: fault{calm: electing, mend: mendCluster}}
	r.measure(l, []time.Time{struck})
	require.Equal(t, 4*time.Second, r.recovery)
	require.Equal(t, 2, r.errors)
}
