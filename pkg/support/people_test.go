package support_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/timeline"
)

// accounts is a fake of the account domain that counts its calls.
type accounts struct {
	asked   []string
	failure error
}

func (a *accounts) note(format string, args ...any) error {
	a.asked = append(a.asked, fmt.Sprintf(format, args...))
	return a.failure
}

func (a *accounts) StaffUnlock(_ context.Context, franchiserID string) error {
	return a.note("unlock %s", franchiserID)
}

func (a *accounts) StaffUnlockMobile(_ context.Context, mobile string) error {
	return a.note("unlock %s", mobile)
}

func (a *accounts) StaffEndSessions(_ context.Context, franchiserID string) (int, error) {
	return 2, a.note("end %s", franchiserID)
}

// bundle is the fixture of most tests.
type bundle struct {
	console.People

	clock     *clock.Fake
	accounts  *accounts
	actions   *support.CustomerActions
	customers *support.Customers
	timeline  *timeline.Service
}

func setup(t *testing.T) bundle {
	t.Helper()
	b := bundle{clock: testkit.NewClock(), accounts: &accounts{}}
	b.People = console.Hire(t, testkit.NewDatabase(t), b.clock)
	jobs, keys := testkit.NewInserter(t, b.DB.API), testkit.NewKeyring(t)
	b.actions = support.NewCustomerActions(b.DB.API, jobs, b.clock, keys, b.Service, b.accounts)
	b.customers = support.NewCustomers(b.DB.API, b.clock, b.Service, nil)
	b.timeline = app.NewTimeline(b.DB.API)
	return b
}
