package staff

import (
	"github.com/franchise360/franchise360/pkg/timeline"
)

// TimelineSources describe what staff did. A note tells of itself.
func TimelineSources() []timeline.Source {
	return []timeline.Source{
		{Name: "staff", Kind: timeline.KindStaff, SQL: `
			SELECT a.at AS at, a.sequence::text AS id, a.action AS title, 'done' AS status, a.target AS reference,
				m.name AS actor, a.request_id::text AS request, jsonb_build_object('role', m.role, 'reason', a.reason, 'before', nullif(a.before, ''), 'after', nullif(a.after, '')) AS details
			FROM staff_actions a JOIN staff m ON m.id = a.staff_id WHERE a.franchiser_ref = $1 AND a.action <> 'add_note'`},
	}
}

// NameOfRequestSQL returns an expression for other domains' statements: the member of staff who acted on the franchiser in the request,
// or NULL.
func NameOfRequestSQL(franchiser, request string) string {
	return `(SELECT m.name FROM staff_actions a JOIN staff m ON m.id = a.staff_id
		WHERE a.franchiser_ref = ` + franchiser + ` AND a.request_id::text = ` + request + ` LIMIT 1)`
}
