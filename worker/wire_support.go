package main

import (
	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/worker/job"
)

// addSupportWorkers adds what staff have done in the background; their service only records here, nobody signs in.
func addSupportWorkers(workers *river.Workers, d *deps) {
	people := staff.NewService(staff.Deps{DB: d.DB, Clock: d.Clock})
	workshop := support.NewWorkshop(d.DB, d.Jobs, d.Clock, people)
	river.AddWorker(workers, job.NewChangeJobs(workshop))
	river.AddWorker(workers, job.NewPruneOutcomes(workshop))
}
