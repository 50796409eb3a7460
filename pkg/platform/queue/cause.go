package queue

import (
	"errors"
	"fmt"
	"strings"

	"github.com/riverqueue/river/rivertype"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// The beginnings of an attempt's error that say who caused it. Alerts count failures by them.
const (
	ProviderFailed = "provider failed: "
	DatabaseFailed = "database failed: "
)

// ByCause returns the error of an attempt with the words for its cause before it: the database, or a provider outside, which an adapter
// reports as errs.KindUnavailable. A fault of the job itself, and what River needs to see unchanged, stay as they are.
func ByCause(err error) error {
	var cancelled *rivertype.JobCancelError
	var snoozed *rivertype.JobSnoozeError
	if err == nil || errors.As(err, &cancelled) || errors.As(err, &snoozed) {
		return err
	}
	cause := ""
	switch {
	case postgres.Failed(err):
		cause = DatabaseFailed
	case errs.KindOf(err) == errs.KindUnavailable:
		cause = ProviderFailed
	}
	if cause == "" || strings.HasPrefix(err.Error(), cause) {
		return err
	}
	return fmt.Errorf("%s%w", cause, err)
}
