package tenant

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns the previews of this domain's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddSweepPreview[SweepDomainsArgs](l, "put a look into the queue for", "custom domains", `SELECT count_due_domain_checks($1)`, 0)
	queue.AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, args VerifyDomainArgs, _ time.Time) (queue.JobPreview, error) {
		e := queue.JobPreview{Again: "It only asks DNS; the answer of the last look is the one that counts."}
		d, err := domainByID(ctx, tx, args.DomainID)
		if err != nil {
			return e, err
		}
		if d == nil {
			e.Nothing, e.Summary = true, "Would look for the domain: it was removed → nothing."
			return e, nil
		}
		e.Summary = fmt.Sprintf("Would ask DNS about %s: it is now `%s`.", d.Domain, d.State)
		return e, nil
	})
	return l
}
