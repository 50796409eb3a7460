package tenant

import (
	"regexp"
	"strconv"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Franchise is one outlet of a store.
type Franchise struct {
	ID        string    `db:"id"`
	Name      string    `db:"name"`
	City      string    `db:"city"`
	CreatedAt time.Time `db:"created_at"`
}

var (
	franchiseName = regexp.MustCompile(`^[\p{L}\p{M}\p{Nd}]+([ &'./-]{1,3}[\p{L}\p{M}\p{Nd}]+)*$`)
	franchiseCity = regexp.MustCompile(`^[\p{L}\p{M} .'-]+$`)
)

func checkFranchise(name, city string) error {
	var v errs.Validation
	checkText(&v, typed{
		field: "name", label: "Name", value: name, most: maxName,
		allowed: franchiseName, hint: "Please use letters, digits, spaces and & ' . / - only",
	})
	checkText(&v, typed{
		field: "city", label: "City", value: city, most: maxCity,
		allowed: franchiseCity, hint: "Please input alphabet characters only",
	})
	return v.Err()
}

// limitReached says why no franchise can be added, and by which numbers.
func limitReached(current int, e Entitlement) *errs.Error {
	message := "You have reached your plan's limit of " + strconv.Itoa(e.FranchiseLimit) +
		" franchises. Buy a franchise extension to add 10 more."
	switch {
	case !e.Usable:
		message = "Your plan does not run just now. Renew it to add franchises."
	case current > e.FranchiseLimit:
		message = "You have " + strconv.Itoa(current) + " franchises and your plan allows " + strconv.Itoa(e.FranchiseLimit) +
			". None is removed; buy franchise extensions or choose a larger plan to add more."
	}
	return errs.New(errs.KindLimit, "limit_reached", message).With("current", current).With("limit", e.FranchiseLimit)
}
