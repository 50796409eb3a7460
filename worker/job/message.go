package job

import (
	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// afterMessage says what becomes of a job that sent an SMS: a message that came too late, or that the provider refuses for
// good, ends it; a provider that is too busy has it wait as long as it asks.
func afterMessage(err error) error {
	switch errs.KindOf(err) {
	case errs.KindInvalid:
		return river.JobCancel(err)
	case errs.KindRateLimited:
		return river.JobSnooze(errs.As(err).RetryAfter)
	default:
		return err
	}
}
