package tenant

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// Effects tells what the jobs of this domain would do now.
func Effects() queue.Looks {
	l := queue.Looks{}
	queue.AddSweep[SweepDomainsArgs](l, "put a look into the queue for", "custom domains", 0)
	queue.Add(l, func(ctx context.Context, tx *sqlx.Tx, args VerifyDomainArgs, _ time.Time) (queue.Effect, error) {
		e := queue.Effect{Again: "It only asks DNS; the answer of the last look is the one that counts."}
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
