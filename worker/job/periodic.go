// Package job has the worker of every kind of job, one file per kind; each only calls the service that does the work.
package job

import (
	"time"

	"github.com/riverqueue/river"
)

// Periodic is an entry of the schedule: what runs, how often, and in which queue.
type Periodic struct {
	Every time.Duration
	Queue string
	Args  river.JobArgs
}
