package invoice_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
)

func TestRates_EachCaseOfSection14_HasItsRate(t *testing.T) {
	t.Parallel()
	rates := invoice.Rates{{From: "2017-07-01", RateBps: 1800}, {From: "2026-12-01", RateBps: 1200}}
	const before, after = "2026-11-30", "2026-12-01"
	for name, tc := range map[string]struct {
		supply invoice.Supply
		want   int64
	}{
		"14(a)(i): supplied before, invoiced and paid after":   {invoice.Supply{Supplied: before, Invoiced: after, Paid: "2026-12-09"}, 1200},
		"14(a)(ii): supplied and invoiced before, paid after":  {invoice.Supply{Supplied: before, Invoiced: before, Paid: after}, 1800},
		"14(a)(iii): supplied and paid before, invoiced after": {invoice.Supply{Supplied: before, Invoiced: after, Paid: before}, 1800},
		"14(b)(i): invoiced before, paid and supplied after":   {invoice.Supply{Supplied: after, Invoiced: before, Paid: after}, 1200},
		"14(b)(ii): invoiced and paid before, supplied after":  {invoice.Supply{Supplied: after, Invoiced: before, Paid: "2026-11-01"}, 1800},
		"14(b)(iii): paid before, invoiced and supplied after": {invoice.Supply{Supplied: after, Invoiced: after, Paid: before}, 1200},
		"everything before": {invoice.Supply{Supplied: before, Invoiced: before, Paid: before}, 1800},
		"everything after":  {invoice.Supply{Supplied: after, Invoiced: after, Paid: after}, 1200},
		"a year that was paid before the change and goes past it": {invoice.Supply{Supplied: before, Invoiced: before, Paid: before}, 1800},
	} {
		require.Equal(t, tc.want, rates.For(tc.supply), name)
	}
}

func TestRates_SeveralChanges_UseTheLastThatApplies(t *testing.T) {
	t.Parallel()
	rates := invoice.Rates{{From: "2017-07-01", RateBps: 1800}, {From: "2026-12-01", RateBps: 1200}, {From: "2027-04-01", RateBps: 500}}
	for day, want := range map[invoice.Date]int64{
		"2016-01-01": 1800, "2026-11-30": 1800, "2026-12-01": 1200, "2027-03-31": 1200, "2027-04-01": 500, "2030-01-01": 500,
	} {
		require.Equal(t, want, rates.For(invoice.Supply{Supplied: day, Invoiced: day, Paid: day}), day)
	}
}

func TestRates_Invalid_AreRefused(t *testing.T) {
	t.Parallel()
	for name, rates := range map[string]invoice.Rates{
		"none":         {},
		"no date":      {{From: "soon", RateBps: 1800}},
		"below zero":   {{From: "2017-07-01", RateBps: -1}},
		"above 100%":   {{From: "2017-07-01", RateBps: 10_001}},
		"out of order": {{From: "2017-07-01", RateBps: 1800}, {From: "2017-07-01", RateBps: 1200}},
	} {
		require.Error(t, rates.Validate(), name)
	}
	require.NoError(t, invoice.Rates{{From: "2017-07-01", RateBps: 1800}, {From: "2026-12-01", RateBps: 0}}.Validate())
}
