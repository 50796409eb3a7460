package connect

import "github.com/franchise360/franchise360/pkg/timeline"

// TimelineSources describe where the people of the account were signed in to.
func TimelineSources() []timeline.Source {
	return []timeline.Source{{Name: "sign_in", Kind: timeline.KindAccount, SQL: `
		SELECT coalesce(used_at, created_at) AS at, id::text AS id, 'Sign-in to ' || system_label AS title,
			CASE WHEN used_at IS NULL THEN 'not finished' ELSE 'done' END AS status, system_id::text AS reference,
			'customer' AS actor, request_id::text AS request,
			jsonb_build_object('person_id', person_id, 'session_id', session_id) AS details
		FROM sign_in_codes WHERE franchiser_id = $1`}}
}
