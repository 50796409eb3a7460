package tenant

import (
	"github.com/franchise360/franchise360/pkg/timeline"
)

// TimelineSources describe the history of the customer's domain.
func TimelineSources() []timeline.Source {
	return []timeline.Source{
		{Name: "domain", Kind: timeline.KindDomain, SQL: `
			SELECT first_at AS at, id::text AS id, 'Domain checked: ' || domain AS title, state AS status, domain AS reference,
				'system' AS actor, NULL AS request, jsonb_build_object('reason', reason, 'found_txt', found_txt, 'found_ips', found_ips, 'checks', checks,
					'last_checked_at', last_at) AS details
			FROM domain_checks WHERE franchiser_id = $1`},
		{Name: "claim", Kind: timeline.KindDomain, SQL: `
			SELECT claimed_at AS at, id::text AS id, 'Domain claimed: ' || domain AS title, state AS status, domain AS reference,
				'customer' AS actor, request_id::text AS request, jsonb_build_object('domain_id', id, 'next_check_at', next_check_at, 'verified_at', verified_at) AS details
			FROM custom_domains WHERE franchiser_id = $1`},
	}
}
