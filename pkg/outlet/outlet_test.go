package outlet_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/tenant"
)

func TestOutletInput_InvalidField_IsNamed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ref := b.store(t, "9876543210")
	fine := outlet.Input{Name: "Camp", City: "Pune"}
	for field, change := range map[string][]func(in *outlet.Input){
		"name": {
			func(in *outlet.Input) { in.Name = "" }, func(in *outlet.Input) { in.Name = "A" }, func(in *outlet.Input) { in.Name = "<b>x</b>" },
			func(in *outlet.Input) { in.Name = strings.Repeat("x", 51) },
		},
		"city":    {func(in *outlet.Input) { in.City = "P" }, func(in *outlet.Input) { in.City = "Pune 1" }},
		"code":    {func(in *outlet.Input) { in.Code = "A_1" }, func(in *outlet.Input) { in.Code = strings.Repeat("A", 21) }},
		"address": {func(in *outlet.Input) { in.Address = "a<b" }, func(in *outlet.Input) { in.Address = strings.Repeat("x", 121) }},
		"pin": {
			func(in *outlet.Input) { in.PIN = "011001" }, func(in *outlet.Input) { in.PIN = "4110" },
			func(in *outlet.Input) { in.PIN, in.StateID = "411001", "29" },
		},
		"state_id": {func(in *outlet.Input) { in.StateID = "MH" }, func(in *outlet.Input) { in.StateID = "39" }},
		"phone":    {func(in *outlet.Input) { in.Phone = "12345" }, func(in *outlet.Input) { in.Phone = "98765 4321x" }},
		"hours":    {func(in *outlet.Input) { in.Hours = strings.Repeat("9", 101) }, func(in *outlet.Input) { in.Hours = "{9}" }},
	} {
		for i, make := range change {
			in := fine
			make(&in)
			_, err := b.service.Add(t.Context(), ref, in, outlet.StatePlanned, "")
			require.NotEmpty(t, errs.As(err).Fields[field], "%s %d", field, i)
		}
	}
	for _, state := range []outlet.State{outlet.StateClosed, "x", ""} {
		_, err := b.service.Add(t.Context(), ref, fine, state, "")
		require.NotEmpty(t, errs.As(err).Fields["status"], state)
	}
	o, err := b.service.Add(t.Context(), ref, outlet.Input{
		Name: " चाय  पॉइंट ", City: "पुणे", Phone: "020-2612 3456", Hours: "Mon–Sat 9:00–21:00", Address: "Shop 7, FC Road (opp. Vaishali)",
	}, outlet.StateOpen, "")
	require.NoError(t, err)
	require.Equal(t, "चाय पॉइंट", o.Name)
	require.Equal(t, "2026123456", o.Phone)
	require.Equal(t, "Mon–Sat 9:00–21:00", o.Hours)
}

func TestPlacesRefusal_NamesTheWayOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limit, used int
		usable      bool
		extension   string
		want        string
	}{
		"room":                  {10, 9, true, "", ""},
		"full":                  {10, 10, true, "10 more franchises for ₹4,200 a month, before GST", "Buy a franchise extension: 10 more franchises for ₹4,200"},
		"full in the trial":     {18, 18, true, "", "Choose a plan with more franchises."},
		"more than the plan":    {10, 11, true, "", "You have 11 franchises and your plan allows 10. None is removed"},
		"a plan that has ended": {10, 3, false, "", "Renew it to add outlets."},
	} {
		p := outlet.Places{Used: c.used, Plan: tenant.Entitlement{Usable: c.usable, FranchiseLimit: c.limit, Extension: c.extension}}
		if c.want == "" {
			require.Nil(t, p.Refusal(), name)
			require.Equal(t, 1, p.Left(), name)
			continue
		}
		require.Contains(t, p.Refusal().Message, c.want, name)
		require.Zero(t, p.Left(), name)
	}
}
