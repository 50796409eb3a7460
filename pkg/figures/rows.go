package figures

import (
	"fmt"
	"strconv"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Rows returns a figure as a table with its heading, for a spreadsheet: amounts in rupees, shares in percent, empty cells for missing
// values.
func Rows(f Figure, s Shown) [][]string {
	switch f {
	case FigureRecurring, FigureChurn, FigureAverage:
		return recurringRows(f, s.Months)
	case FigureTrials:
		rows := [][]string{{"Month", "Started", "Converted", "Undecided", "Conversion (%)"}}
		for _, t := range s.Trials {
			rows = append(rows, append([]string{month(t.Month)}, append(numbers(t.Started, t.Converted, t.Undecided), percent(t.Conversion()))...))
		}
		return rows
	case FigureCohorts:
		rows := [][]string{{"Cohort", "Months later", "Started", "Customers", "MRR (INR)"}}
		for _, o := range s.Cohorts {
			rows = append(rows, append([]string{month(o.Cohort)}, append(numbers(int64(o.After), o.Started, o.Customers), o.MRR.Decimal())...))
		}
		return rows
	case FigureFailures:
		rows := [][]string{{"Month", "By", "Failed", "Recovered", "Undecided", "Failed (INR)", "Recovered (INR)", "Recovery (%)"}}
		for _, o := range s.Failures {
			by := "checkout"
			if o.ByMandate {
				by = "mandate"
			}
			rows = append(rows, append([]string{month(o.Month), by}, append(numbers(o.Failed, o.Recovered, o.Undecided),
				o.FailedAmount.Decimal(), o.RecoveredAmount.Decimal(), percent(o.Recovery()))...))
		}
		return rows
	default:
		rows := [][]string{{"Month", "Purpose", "Provider", "Asked for", "Sent", "Delivered", "Failed", "Used", "Delivered (%)", "Used (%)"}}
		for _, o := range s.Codes {
			rows = append(rows, append([]string{month(o.Month), o.Purpose, o.Provider},
				append(numbers(o.Asked, o.Sent, o.Delivered, o.Failed, o.Used), percent(o.Delivery()), percent(o.Usage()))...))
		}
		return rows
	}
}

func recurringRows(f Figure, months []Month) [][]string {
	rows := [][]string{map[Figure][]string{
		FigureRecurring: {
			"Month", "Opening (INR)", "New (INR)", "Expansion (INR)", "Reactivation (INR)", "Moved in (INR)", "Contraction (INR)", "Churn (INR)",
			"Moved out (INR)", "Closing (INR)", "Opening customers", "New customers", "Reactivated customers", "Customers moved in",
			"Churned customers", "Customers moved out", "Closing customers",
		},
		FigureChurn: {
			"Month", "Opening customers", "Churned customers", "Customer churn (%)", "Opening (INR)", "Churn (INR)", "Contraction (INR)",
			"Expansion (INR)", "Reactivation (INR)", "Gross revenue churn (%)", "Net revenue churn (%)",
		},
		FigureAverage: {"Month", "Closing (INR)", "Closing customers", "ARPA (INR)"},
	}[f]}
	for _, m := range months {
		n, row := m.Customers, []string{month(m.Month)}
		switch f {
		case FigureRecurring:
			row = append(row, rupees(m.Opening, m.New, m.Expansion, m.Reactivation, m.MovedIn, m.Contraction, m.Churn, m.MovedOut, m.Closing)...)
			row = append(row, numbers(n.Opening, n.New, n.Reactivated, n.MovedIn, n.Churned, n.MovedOut, n.Closing)...)
		case FigureChurn:
			row = append(append(row, numbers(n.Opening, n.Churned)...), percent(m.CustomerChurn()))
			row = append(append(row, rupees(m.Opening, m.Churn, m.Contraction, m.Expansion, m.Reactivation)...), percent(m.GrossChurn()), percent(m.NetChurn()))
		default:
			average := ""
			if p := m.PerCustomer(); p != nil {
				average = p.Decimal()
			}
			row = append(row, m.Closing.Decimal(), strconv.FormatInt(n.Closing, 10), average)
		}
		rows = append(rows, row)
	}
	return rows
}

func month(d subscription.Day) string { return d.String()[:len("2026-11")] }

func rupees(list ...money.Paise) (cells []string) {
	for _, p := range list {
		cells = append(cells, p.Decimal())
	}
	return cells
}

func numbers(list ...int64) (cells []string) {
	for _, n := range list {
		cells = append(cells, strconv.FormatInt(n, 10))
	}
	return cells
}

// percent writes a share with two decimals.
func percent(b Bps) string {
	if b == nil {
		return ""
	}
	sign := ""
	if *b < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s%d.%02d", sign, abs(*b)/100, abs(*b)%100)
}
