// Package job holds the worker of every kind of job, a file a kind; each only calls the service that does the work.
package job

import (
	"time"

	"github.com/riverqueue/river"
)

// Periodic is one line of the schedule: what runs how often, and in which queue.
type Periodic struct {
	Every time.Duration
	Queue string
	Args  river.JobArgs
}
