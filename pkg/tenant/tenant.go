// Package tenant is a franchiser's store: its name and password, its domains and who is signed in at its own page. Its rules (tenant.go, domain.go) do no I/O.
package tenant

import (
	"context"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/password"
)

// Lengths in characters.
const (
	minName = 2
	maxName = 50
	maxSlug = 40
)

const (
	// SessionLife is how long a sign-in at a store's own page lasts.
	SessionLife = 12 * time.Hour
	// IdleLife is how long it lasts without use.
	IdleLife = 2 * time.Hour
)

const msgCharacters = "Please use at least 2 characters"

// Failures of stores, safe to show.
var (
	// ErrPlanRequired reports that a store needs a running plan or trial.
	ErrPlanRequired = errs.New(errs.KindLimit, "plan_required", "Kindly choose a plan before filling in the store details").
			With("redirect_to", "/pricing")
	// ErrExists reports that the account already has its store.
	ErrExists = errs.New(errs.KindConflict, "store_exists", "Your store is already set up.")
	// ErrDomainTaken reports that another store has proven the domain.
	ErrDomainTaken = errs.New(errs.KindConflict, "domain_taken",
		"Another store already uses this domain. If it is yours, remove it there first.")
	// ErrNoCustomDomain reports that the store has no custom domain to check or remove.
	ErrNoCustomDomain = errs.New(errs.KindConflict, "no_custom_domain", "No custom domain is set.")
	// ErrWrongLogin is the one answer for a wrong store username and a wrong password.
	ErrWrongLogin = errs.New(errs.KindUnauthenticated, "wrong_login", i18n.Mark("Wrong username or password."))
	// ErrNoPassword refuses an act that needs the store's password, if the form has none. It does not count as a guess.
	ErrNoPassword = errs.Invalid(i18n.Mark("Enter the store password.")).Field("store_password", "Enter the store password.")
	// ErrWrongPassword refuses an act that needs the store's password.
	ErrWrongPassword = errs.Invalid(i18n.Mark("The store password is wrong.")).Field("store_password", "The store password is wrong.")
)

// Tenant is a franchiser's store.
type Tenant struct {
	ID           string `db:"id"`
	FranchiserID string `db:"franchiser_id"`
	StoreName    string `db:"store_name"`
	// TypeID is the id of the business type.
	TypeID   string `db:"type_id"`
	Username string `db:"store_username"`
	Slug     string `db:"slug"`
	// Language is the owner's language, empty if they never chose; Service.Store fills it in.
	Language i18n.Language `db:"-"`
}

// Store is a tenant and its addresses.
type Store struct {
	Tenant
	// Domain is the default domain.
	Domain string
	// Custom is the custom domain, nil without one.
	Custom *CustomDomain
	// IPAddress is the address to which a custom domain must point, empty if the operator configured none.
	IPAddress string
	// DashboardURL opens the store's own sign-in: at the custom domain once active, else at the default one.
	DashboardURL string
}

// Config is the operator's configuration of stores.
type Config struct {
	// BaseDomain is the domain below which default domains are.
	BaseDomain string
	// Public is the product's own URL; default domains share its scheme and port.
	Public *url.URL
	// IPs are the addresses to which custom domains point; the first is the one shown.
	IPs []string
	// Brands are words that no store's name may use, besides those of banks and authorities.
	Brands Brands
}

// Brands are words by which customers know a payment company.
type Brands struct {
	// Within are refused anywhere in a name, Words as a whole word. Both are in lower case.
	Within, Words []string
}

// dashboardPath is the path of a store's own sign-in page.
const dashboardPath = "/dashboard/login"

// Host returns the default domain of a slug.
func (c Config) Host(slug string) string { return slug + "." + c.BaseDomain }

func (c Config) store(t Tenant, custom *CustomDomain) Store {
	s := Store{Tenant: t, Domain: c.Host(t.Slug), Custom: custom}
	if len(c.IPs) > 0 {
		s.IPAddress = c.IPs[0]
	}
	u := url.URL{Scheme: c.Public.Scheme, Host: s.Domain, Path: dashboardPath}
	if port := c.Public.Port(); port != "" {
		u.Host += ":" + port
	}
	if custom != nil && custom.State == DomainActive {
		u.Host = custom.Domain
	}
	s.DashboardURL = u.String()
	return s
}

// Owner holds the values that the store copies from its franchiser.
type Owner struct{ Mobile string }

// Entitlement is the current content of the franchiser's plan.
type Entitlement struct {
	// Usable reports that a plan or the trial runs: a store may be created and franchises added.
	Usable bool
	// PlanName and ServiceName are empty before the first plan.
	PlanName, ServiceName string
	// Billed is "monthly" or "annually", empty for the trial.
	Billed string
	// RenewsOn is the first day after the paid time, as 2 Nov 2026, while a paid plan runs. For a trial or an ended plan
	// EndsOn is the last day instead; Ended reports that it has passed.
	RenewsOn, EndsOn string
	Ended            bool
	// Notice is the current notice about the plan, such as its expiry; empty for none.
	Notice string
	// FranchiseLimit is the tier's limit with the extensions.
	FranchiseLimit int
	// Extension describes the size and price of one franchise extension in this term, such as "10 more franchises for ₹84,000 a year,
	// before GST"; empty while it cannot be bought.
	Extension string
	AddOns    []AddOn
}

// AddOn is an add-on that the franchiser owns, with how many units.
type AddOn struct {
	Name  string
	Count int
}

// Plans returns the content of a franchiser's plan; billing implements it.
type Plans interface {
	EntitlementTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (Entitlement, error)
}

// CreateInput is a new store.
type CreateInput struct{ Username, Password, StoreName, TypeID string }

// UpdateInput changes a store; Password is refused while one is set.
type UpdateInput struct{ Username, Password, StoreName, TypeID string }

var storeName = regexp.MustCompile(`^[A-Za-z0-9]+( [A-Za-z0-9]+)*$`)

// cleanStoreName trims the name and collapses spaces. It does not shorten a name that is too long; validation refuses it.
func cleanStoreName(name string) string {
	if utf8.RuneCountInString(name) > maxName {
		return name
	}
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ' ' }), " ")
}

func checkStoreName(v *errs.Validation, name string, brands Brands) {
	checkText(v, typed{
		field: "store_name", label: i18n.Mark("Store Name"), value: name, most: maxName,
		allowed: storeName, hint: i18n.Mark("Please input alphanumeric characters only"),
	})
	v.Check(!impersonates(name, brands), "store_name", "Please choose another name: this one reads like a bank, an authority or Franchise 360.")
}

// check collects the errors of the fields; owner is the account's mobile, which is the store's username.
func (in CreateInput) check(v *errs.Validation, owner string, brands Brands) {
	checkStoreName(v, in.StoreName, brands)
	v.Check(in.Username == owner, "store_username", "The store username is your mobile number")
	v.Check(in.TypeID != "", "store_type", "Kindly choose one")
	password.Check(v, "store_password", "Store password", in.Password, owner)
}

func (in UpdateInput) check(v *errs.Validation, owner string, brands Brands) {
	checkStoreName(v, in.StoreName, brands)
	v.Check(in.Username == owner, "store_username", "The store username is your mobile number")
	v.Check(in.TypeID != "", "store_type", "Kindly choose one")
	if in.Password != "" {
		password.Check(v, "store_password", "Store password", in.Password, owner)
	}
}

// reserved are host names below the base domain that no store may have.
func reserved(slug string) bool {
	switch slug {
	case "www", "api", "app", "admin", "dashboard", "login", "mail", "smtp", "imap", "ftp", "support", "help", "status",
		"blog", "static", "assets", "cdn", "docs", "store", "stores", "pay", "payment", "payments", "billing", "test",
		"staging", "dev", "objects", "metrics", "proxy", "status-page", "ns1", "ns2", "mx", "autodiscover", "wpad", "localhost", "franchise360", "xn":
		return true
	}
	return false
}

// slugs returns the default domains to try for a store name, the plain one first; random makes the last one unique.
func slugs(name, random string) []string {
	base := strings.ReplaceAll(strings.ToLower(name), " ", "-")
	if len(base) > maxSlug {
		base = strings.TrimRight(base[:maxSlug], "-")
	}
	if reserved(base) {
		base += "-store"
	}
	out := []string{base}
	for n := 2; n <= 9; n++ {
		out = append(out, base+"-"+strconv.Itoa(n))
	}
	return append(out, base+"-"+random)
}

// typed is the value of a text field, with its rules.
type typed struct {
	field, label, value string
	// most is the maximum length in characters.
	most int
	// allowed must match the whole text; hint is the message if it does not.
	allowed *regexp.Regexp
	hint    string
}

// checkText adds the error of the text: missing, too short, too long or with invalid characters.
func checkText(v *errs.Validation, t typed) {
	switch n := utf8.RuneCountInString(t.value); {
	case n == 0:
		v.Add(t.field, t.label+" can not be empty.")
	case n < minName:
		v.Add(t.field, msgCharacters)
	case n > t.most:
		v.Add(t.field, t.label+" should be "+strconv.Itoa(t.most)+" characters at most")
	case !t.allowed.MatchString(t.value):
		v.Add(t.field, t.hint)
	}
}
