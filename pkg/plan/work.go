package plan

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/worklist"
)

// WorkSources returns the waiting changes of the catalogue, for the work list. Only admins decide them.
func WorkSources() []worklist.Source {
	return []worklist.Source{{
		Kind: "catalogue_change", Title: "Changes of the catalogue that wait for a second admin", Link: "/support/catalogue", Read: proposalWork,
	}}
}

func proposalWork(ctx context.Context, tx *sqlx.Tx, _ time.Time, _ int) ([]worklist.Item, int, error) {
	c, err := changeStore{}.maybe(ctx, tx, changeSQL+` WHERE c.state = 'proposed'`) // one at most
	if err != nil || c == nil {
		return nil, 0, err
	}
	return []worklist.Item{{
		Key: c.ID, Title: "Catalogue " + c.Content.Version, Since: *c.ProposedAt, Link: "/support/catalogue/" + c.ID,
		Wrong: c.ProposedByName + " proposed it for " + moment(*c.EffectiveFrom) + "; nobody has decided.",
		ToDo:  "An admin other than " + c.ProposedByName + " looks at it and approves or rejects it before that time.",
	}}, 1, nil
}
