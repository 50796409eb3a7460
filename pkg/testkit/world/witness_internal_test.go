package world

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// The witness must report each forbidden debit, or the histories prove nothing.
func TestWitness_EachForbiddenDebit_IsReported(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, time.November, 20, 6, 0, 0, 0, clock.IST)
	for want, arrange := range map[string]func(g *Mandates, at *time.Time, d *mandate.Debit){
		"": func(*Mandates, *time.Time, *mandate.Debit) {},
		"without a notice": func(g *Mandates, _ *time.Time, _ *mandate.Debit) {
			clear(g.notices)
		},
		"less than a day after its notice": func(_ *Mandates, at *time.Time, _ *mandate.Debit) {
			*at = day.AddDate(0, 0, -3).Add(23 * time.Hour)
		},
		"of another amount than its notice": func(_ *Mandates, _ *time.Time, d *mandate.Debit) { d.Charge.Amount++ },
		"by a notice that was withdrawn": func(g *Mandates, _ *time.Time, _ *mandate.Debit) {
			g.withdrew = append(g.withdrew, "N1")
		},
		"in closed hours":            func(_ *Mandates, at *time.Time, _ *mandate.Debit) { *at = day.Add(4 * time.Hour) },
		"after the customer stopped": func(g *Mandates, _ *time.Time, _ *mandate.Debit) { g.CustomerStops("M1") },
		"while the customer pauses":  func(g *Mandates, _ *time.Time, _ *mandate.Debit) { g.CustomerHolds("M1", true) },
		"although the customer skip": func(g *Mandates, _ *time.Time, _ *mandate.Debit) { g.CustomerSkips("M1", day) },
		"while another one is undecid": func(g *Mandates, _ *time.Time, _ *mandate.Debit) {
			g.made("M0", day.AddDate(0, 0, -1), payment.StatusPending)
		},
		"a second time in a month": func(g *Mandates, _ *time.Time, _ *mandate.Debit) {
			g.made("M1", day.AddDate(0, 0, -19), payment.StatusPaid)
		},
		"a second time in a cycle": func(g *Mandates, _ *time.Time, _ *mandate.Debit) {
			g.made("M0", day.AddDate(0, 0, -3), payment.StatusPaid)
		},
		"a fifth time": func(g *Mandates, _ *time.Time, _ *mandate.Debit) {
			for i := range 4 {
				g.made("M1", day.AddDate(0, 0, i-5), payment.StatusFailed)
			}
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			clk := clock.NewFake(day.AddDate(0, 0, -3))
			g := newMandates(newGateway(clk), clk)
			g.states["M1"] = mandate.ProviderActive
			m := mandate.Reference{MandateID: "M1", Method: mandate.MethodUPI}
			n := mandate.Notice{Token: "N1", Amount: 100 * money.Rupee}
			_, err := g.Notify(t.Context(), m, n)
			require.NoError(t, err)
			at := day
			d := mandate.Debit{Charge: payment.Charge{TransactionID: "T1", Amount: n.Amount, Mobile: "9811111111"}, Notice: n}
			arrange(g, &at, &d)
			clk.Set(at)
			_, err = g.Debit(t.Context(), m, d)
			require.NoError(t, err)
			if want == "" {
				require.Empty(t, g.Broken())
				return
			}
			require.Len(t, g.Broken(), 1)
			require.Contains(t, g.Broken()[0], want)
		})
	}
}

// made adds a debit of the same customer.
func (g *Mandates) made(id string, at time.Time, status payment.Status) {
	txn := id + at.String()
	g.debits[txn] = Debited{
		Debit: mandate.Debit{Charge: payment.Charge{TransactionID: txn, Mobile: "9811111111"}}, MandateID: id, At: at, Status: status,
	}
}
