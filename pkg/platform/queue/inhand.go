package queue

import (
	"context"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// missedAfter is how long a job may run in the name of a worker that does not work it. River tries for up to 40 seconds to store the
// end of an attempt.
const missedAfter = time.Minute

// inHand knows which jobs this process works, as a middleware of River.
type inHand struct {
	river.MiddlewareDefaults

	mu sync.Mutex
	// ended is when the work of a job ended; zero while the job is worked.
	ended map[int64]time.Time
}

// Work works the job.
func (h *inHand) Work(ctx context.Context, j *rivertype.JobRow, work func(context.Context) error) error {
	h.note(j.ID, time.Time{})
	defer func() { h.note(j.ID, time.Now()) }() //nolint:forbidigo // elapsed time, not business time
	return work(ctx)
}

func (h *inHand) note(job int64, ended time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended[job] = ended
}

// jobs returns the jobs that are worked, or whose work ended within missedAfter, and forgets the others.
func (h *inHand) jobs(now time.Time) []int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	jobs := make([]int64, 0, len(h.ended))
	for job, ended := range h.ended {
		if !ended.IsZero() && now.Sub(ended) > missedAfter {
			delete(h.ended, job)
			continue
		}
		jobs = append(jobs, job)
	}
	return jobs
}
