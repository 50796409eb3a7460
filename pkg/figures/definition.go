package figures

import "fmt"

// Figure is one of the kept figures, as it is named in addresses and files.
type Figure string

// The figures.
const (
	FigureRecurring Figure = "recurring"
	FigureChurn     Figure = "churn"
	FigureAverage   Figure = "average"
	FigureTrials    Figure = "trials"
	FigureCohorts   Figure = "cohorts"
	FigureFailures  Figure = "failures"
	FigureCodes     Figure = "codes"
)

// Definition describes how a figure is counted; screens print it next to the figure.
type Definition struct {
	Figure Figure
	Title  string
	Text   string
}

// Definitions returns all figures in the order in which they are shown.
func Definitions() []Definition {
	return []Definition{
		{FigureRecurring, "Monthly recurring revenue", "MRR is the price of the paid plans and add-ons after discounts, without GST and the payment gateway charge; a year's price is divided by twelve. Trials do not count. A customer counts while a paid term runs and through its grace; a plan that is not renewed ends with its paid time, on the first day after it, also in months that were shown before. An add-on bought within a term counts with its price for a whole one. A refund changes nothing unless the plan ends with it. " +
			"Opening + new + expansion + reactivation + moved in − contraction − churn − moved out = closing. New customers never had a paid term; reactivated ones had none when the month before closed. Moved in and out are changes of plan, billing period or State; over all of them they are equal."},
		{FigureChurn, "Churn", "Customer churn is the share of the customers at the month's beginning who have no paid term when it closes. Gross revenue churn is churn and contraction as a share of the opening MRR. Net revenue churn takes expansion and reactivation off; below zero, revenue grew without new customers. With a plan or State chosen, who moved to another one is not churn."},
		{FigureAverage, "Average revenue per customer", "ARPA is the closing MRR divided by the customers with a paid term when the month closes."},
		{FigureTrials, "Trial conversion", fmt.Sprintf("Of the trials that started in the month, the share whose customer bought a plan within %d days of the start. Trials that are younger and have not bought are undecided and left out of the share. Trials are all of the first plan and have no State, so neither filter limits them.", trialWindow)},
		{FigureCohorts, "Cohorts", "Customers by the month in which their first paid term began, and what of them is left when each month after it closes: how many have a paid term, and their MRR. Who came back counts again. Plan and State are those of the first term. Month 0 is the cohort's own month."},
		{FigureFailures, "Failed-payment recovery", fmt.Sprintf("A payment or debit that the gateway reports as failed, in the month in which it was tried. Further failures within %[1]d days of the one before, with nothing paid between, belong to it. It is recovered if the customer paid anything within %[1]d days of the first failure, which is longer than the seven days of grace; younger ones that are not are undecided and left out of the share. Payments that were never finished at the gateway's page have not failed.", recoveryWindow)},
		{FigureCodes, "Delivery of one-time codes", "Codes by SMS, by the month in which they were asked for. Sent means that the provider took the code, delivered that it reported the delivery, failed that it was refused or not delivered; of the rest nothing was reported. Used codes were typed in. Codes belong to mobiles, which may have no account yet, so neither filter limits them."},
	}
}
