package pkg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// owners says which package owns which tables: only its SQL names them, but for foreign.
func owners() map[string][]string {
	return map[string][]string{
		"account": {
			"code_attempts", "code_sends", "failed_sign_ins", "franchisers", "one_time_codes", "pending_sign_ups",
			"refresh_tokens", "sessions", "totp_challenges", "totp_recovery_codes", "trial_mobiles", "verifications",
		},
		"address": {
			"business_addresses", "cities", "countries", "states",
		},
		"consent": {
			"support_views",
		},
		"contact": {
			"contact_requests", "newsletter_consents", "newsletter_subscriptions",
		},
		"invoice": {
			"invoice_counters", "invoice_documents", "invoice_lines", "invoices",
		},
		"jobadmin": {
			"job_operation_items", "job_operations", "job_outcomes", "job_schedules", "worker_processes",
		},
		"ledger": {
			"book_locks", "ledger_accounts", "ledger_journals", "ledger_lines",
		},
		"message": {
			"sms_deliveries", "sms_providers", "support_messages",
		},
		"payment": {
			"bank_holidays", "disputes", "idempotency_keys", "input_tax_states", "payment_events", "payments", "refunds",
			"reversals", "settlement_days", "settlement_differences", "settlement_lines",
		},
		"plan": {
			"catalogue_revisions", "plan_add_on_revisions", "plan_add_ons", "plan_features", "plan_revisions",
			"plan_service_revisions", "plan_services", "plans",
		},
		"platform/guard": {
			"spent_work",
		},
		"platform/ratelimit": {
			"rate_limits",
		},
		"platform/secret": {
			"kept_keys",
		},
		"staff": {
			"staff", "staff_actions", "staff_audit_checks", "staff_sessions",
		},
		"subscription": {
			"order_credits", "order_lines", "orders", "renewal_reminders", "subscription_add_ons", "subscription_events",
			"subscriptions", "terms",
		},
		"support": {
			"support_requests",
		},
		"tenant": {
			"business_types", "custom_domains", "domain_checks", "franchises", "store_sessions", "tenants",
		},
	}
}

// foreign are the tables that a package still names although another one owns them. The auditor of the books (ledger) judges from
// the rows themselves; of the others none may be added, and one that is gone is taken off the list.
func foreign() map[string][]string {
	return map[string][]string{
		"account": {
			"business_addresses", "tenants",
		},
		"invoice": {
			"payments", "refunds",
		},
		"ledger": {
			"input_tax_states", "invoice_counters", "invoice_lines", "invoices", "orders", "payments", "refunds",
			"settlement_days", "settlement_differences", "settlement_lines",
		},
		"payment": {
			"franchisers", "invoices", "ledger_journals", "orders", "staff", "subscription_events", "subscriptions",
			"tenants", "terms",
		},
		"staff": {
			"contact_requests",
		},
		"subscription": {
			"franchisers", "invoices", "payments", "plans",
		},
		"tenant": {
			"franchisers",
		},
	}
}

var (
	createsTable = regexp.MustCompile(`CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)`)
	namesTable   = regexp.MustCompile(`\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:ONLY\s+)?(?:public\.)?(\w+)`)
)

func TestEveryTableHasOneOwner(t *testing.T) {
	t.Parallel()
	owner := map[string]string{}
	for domain, tables := range owners() {
		for _, table := range tables {
			require.NotContains(t, owner, table)
			owner[table] = domain
		}
	}
	created := map[string]string{}
	files, err := filepath.Glob("../migrations/*.sql")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, found := range createsTable.FindAllStringSubmatch(string(text), -1) {
			created[found[1]] = file
		}
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(created)), slices.Collect(maps.Keys(owner)), "each table of the migrations, and no other")

	strangers := map[string][]string{}
	for domain, tables := range tablesNamed(t) {
		for _, table := range tables {
			if of, known := owner[table]; known && of != domain && !slices.Contains(strangers[domain], table) {
				strangers[domain] = append(strangers[domain], table)
			}
		}
	}
	for domain := range strangers {
		slices.Sort(strangers[domain])
	}
	require.Equal(t, foreign(), strangers, "ask the owner's package for its rows instead")
}

// tablesNamed are the words behind FROM, JOIN, INTO and UPDATE in the texts of each package's product code.
func tablesNamed(t *testing.T) map[string][]string {
	t.Helper()
	named := map[string][]string{}
	require.NoError(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && path == "testkit" {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		domain := filepath.ToSlash(filepath.Dir(path))
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				text, err := strconv.Unquote(literal.Value)
				require.NoError(t, err)
				for _, found := range namesTable.FindAllStringSubmatch(text, -1) {
					named[domain] = append(named[domain], found[1])
				}
			}
			return true
		})
		return nil
	}))
	return named
}
