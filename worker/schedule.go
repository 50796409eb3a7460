package main

import (
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/account/erasure"
	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment/capture"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/revenue"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/transfer"
	"github.com/franchise360/franchise360/pkg/webhook"
	"github.com/franchise360/franchise360/worker/job"
)

// schedule is every periodic job of the product. All of them are sweeps over due rows: running one more often than
// needed, or twice at once, changes nothing.
func schedule() []job.Periodic {
	return []job.Periodic{
		{Every: time.Minute, Queue: queue.QueueDefault, Args: subscription.ExpireSubscriptionsArgs{}},
		{Every: time.Minute, Queue: queue.QueueDefault, Args: plan.ApplyArgs{}},
		{Every: 5 * time.Minute, Queue: queue.QueueDefault, Args: subscription.EndAddOnsArgs{}},
		{Every: time.Hour, Queue: queue.QueueDefault, Args: subscription.EnqueueRemindersArgs{}},
		{Every: time.Hour, Queue: queue.QueueDefault, Args: subscription.TellPricesArgs{}},
		{Every: 5 * time.Minute, Queue: queue.QueueDefault, Args: delivery.KeepArgs{}},
		{Every: time.Hour, Queue: queue.QueuePayments, Args: capture.SweepArgs{}},
		{Every: 15 * time.Minute, Queue: queue.QueuePayments, Args: transfer.SweepArgs{}},
		{Every: time.Minute, Queue: queue.QueuePayments, Args: mandate.RunArgs{}},
		{Every: 24 * time.Hour, Queue: queue.QueuePayments, Args: settlement.CompareArgs{}},
		{Every: time.Minute, Queue: queue.QueueDefault, Args: tenant.SweepDomainsArgs{}},
		{Every: time.Hour, Queue: queue.QueueDefault, Args: erasure.EraseArgs{}},
		{Every: 6 * time.Hour, Queue: queue.QueueDefault, Args: erasure.PurgeArgs{}},
		{Every: time.Hour, Queue: queue.QueueDefault, Args: revenue.RecogniseArgs{}},
		{Every: 24 * time.Hour, Queue: queue.QueueDefault, Args: ledger.VerifyArgs{}},
		{Every: 24 * time.Hour, Queue: queue.QueueDefault, Args: figures.CountArgs{}},
		{Every: time.Hour, Queue: queue.QueueDefault, Args: staff.VerifyArgs{}},
		{Every: 10 * time.Minute, Queue: queue.QueueDocuments, Args: invoice.VerifyDocumentsArgs{}},
		{Every: 24 * time.Hour, Queue: queue.QueueDefault, Args: jobadmin.PruneOutcomesArgs{}},
		{Every: time.Hour, Queue: queue.QueueDefault, Args: webhook.PruneArgs{}},
		{Every: 24 * time.Hour, Queue: queue.QueueDefault, Args: alert.PruneArgs{}},
	}
}

// periodic turns the schedule into River's: the elected leader inserts each job at its interval, and once at start, and
// records in the table when it will.
func periodic(entries []job.Periodic, table *timetable) []*river.PeriodicJob {
	jobs := make([]*river.PeriodicJob, 0, len(entries))
	for _, e := range entries {
		jobs = append(jobs, river.NewPeriodicJob(
			table.of(e),
			func() (river.JobArgs, *river.InsertOpts) {
				return e.Args, &river.InsertOpts{Queue: e.Queue, UniqueOpts: river.UniqueOpts{ByPeriod: min(e.Every, time.Minute)}}
			},
			&river.PeriodicJobOpts{RunOnStart: true},
		))
	}
	return jobs
}
