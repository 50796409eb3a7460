package mandate

import "github.com/franchise360/franchise360/pkg/timeline"

// TimelineSources returns the mandates, their events and their debits.
func TimelineSources() []timeline.Source {
	return []timeline.Source{
		{Name: "mandate", Kind: timeline.KindPayment, SQL: `
			SELECT created_at AS at, id::text AS id, 'Automatic renewal by ' || method || ' at ' || gateway AS title, state AS status,
				transaction_id AS reference, 'customer' AS actor, NULL AS request, jsonb_build_object('limit_paise', cap_paise, 'until', ends_on,
					'instrument', masked, 'consent_version', consent_version, 'consented_at', consented_at, 'active_at', active_at,
					'paused_here_at', held_at, 'stop_asked_at', stop_asked_at, 'ended_at', ended_at, 'reason', reason) AS details
			FROM mandates WHERE franchiser_id = $1`},
		{Name: "mandate_event", Kind: timeline.KindPayment, SQL: `
			SELECT at, id::text AS id, 'Automatic renewal: ' || kind AS title, state AS status, mandate_id::text AS reference, actor,
				request_id::text AS request, jsonb_build_object('renew_on', renew_on, 'amount_paise', amount_paise, 'cause', nullif(cause, '')) AS details
			FROM mandate_events WHERE franchiser_id = $1 AND kind <> 'requested'`},
		{Name: "mandate_debit", Kind: timeline.KindPayment, SQL: `
			SELECT created_at AS at, id::text AS id, 'Debit by mandate, attempt ' || number AS title, state AS status,
				coalesce(payment_id::text, '') AS reference, 'system' AS actor, NULL AS request, jsonb_build_object('renew_on', renew_on,
					'amount_paise', amount_paise, 'debit_at', debit_at, 'noticed_at', noticed_at, 'asked_at', asked_at,
					'decided_at', decided_at, 'cause', cause, 'reason', reason, 'next_step_at', next_at) AS details
			FROM mandate_debits WHERE franchiser_id = $1`},
	}
}
