package jobadmin

import (
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/timeline"
)

// TimelineSources describe the jobs run for a customer, or for a mobile before it had an account.
func TimelineSources() []timeline.Source {
	return []timeline.Source{
		{Name: "job", Kind: timeline.KindJob, ByMobile: true, SQL: `
			SELECT created_at AS at, id::text AS id, 'Job ' || kind AS title, state::text AS status, id::text AS reference, 'system' AS actor, metadata ->> 'request_id' AS request,
				jsonb_build_object('job_id', id, 'queue', queue, 'attempt', attempt, 'max_attempts', max_attempts, 'arguments', args,
					'scheduled_at', scheduled_at, 'finalized_at', finalized_at,
					'errors', (SELECT jsonb_agg(jsonb_build_object('at', x ->> 'at', 'attempt', x -> 'attempt', 'error', x ->> 'error'))
						FROM unnest(errors) x)) AS details
			FROM job_overview WHERE metadata ->> 'franchiser_id' = $1::text
				OR id = ANY (ARRAY(SELECT j.id FROM (` + account.CodesOfMobileSQL + `) c JOIN job_overview j ON j.args ->> 'code_id' = c.id::text))
			UNION ALL SELECT created_at, job_id::text, 'Job ' || kind, state, job_id::text, 'system', request_ref,
				jsonb_build_object('job_id', job_id, 'queue', queue, 'attempt', attempt, 'max_attempts', max_attempts, 'arguments', args,
					'scheduled_at', scheduled_at, 'finalized_at', finalized_at, 'errors', errors)
			FROM job_outcomes WHERE franchiser_ref = $1::text`},
	}
}
