package job

import (
	"context"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Waits keeps with a job why it waits, for support to see.
type Waits interface {
	Note(ctx context.Context, jobID int64, attempt int, reason string) error
}

// afterMessage says what becomes of a job that sent an SMS: a message that came too late, or that the provider refuses for
// good, ends it; a provider that is too busy, or the night, has it wait as long as it takes, with the reason noted.
func afterMessage(ctx context.Context, waits Waits, j *rivertype.JobRow, err error) error {
	switch errs.KindOf(err) {
	case errs.KindInvalid:
		return river.JobCancel(err)
	case errs.KindRateLimited:
		if noteErr := waits.Note(context.WithoutCancel(ctx), j.ID, j.Attempt, err.Error()); noteErr != nil {
			return noteErr
		}
		return river.JobSnooze(errs.As(err).RetryAfter)
	default:
		return err
	}
}
