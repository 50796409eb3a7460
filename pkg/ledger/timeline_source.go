package ledger

import (
	"github.com/franchise360/franchise360/pkg/timeline"
)

// TimelineSources returns the customer's entries.
func TimelineSources() []timeline.Source {
	return []timeline.Source{
		{Name: "ledger", Kind: timeline.KindLedger, SQL: `
			SELECT j.posted_at AS at, j.id::text AS id, j.description AS title, j.kind AS status, j.reference AS reference,
				'system' AS actor, NULL AS request, jsonb_build_object('lines', (SELECT jsonb_agg(jsonb_build_object('account', l.account, 'debit_paise', l.debit_paise,
					'credit_paise', l.credit_paise) ORDER BY l.position) FROM ledger_lines l
					WHERE l.franchiser_id = j.franchiser_id AND l.journal_id = j.id)) AS details
			FROM ledger_journals j WHERE j.franchiser_id = $1`},
	}
}
