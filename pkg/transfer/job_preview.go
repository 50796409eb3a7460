package transfer

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns the previews of this domain's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, previewReceive)
	queue.AddPreview(l, previewUse)
	queue.AddPreview(l, previewPrint)
	queue.AddPreview(l, func(_ context.Context, _ *sqlx.Tx, args CollectArgs, _ time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would ask the collector what came into account " + args.AccountID + ", and store what is new.",
			Again:   "A credit is stored once, under its number (UTR).",
		}, nil
	})
	queue.AddPreview(l, func(_ context.Context, _ *sqlx.Tx, args CloseArgs, _ time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would ask the collector a last time what came into account " + args.AccountID + ", and have it closed.",
			Again:   "An account that is closed stays closed.",
		}, nil
	})
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, SweepArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would ask for credits that were not heard of, end proformas whose time is over, and match open credits again.",
			Again:   "What is booked is booked once; a second run finds nothing left to do.",
		}, nil
	})
	return l
}

func nothing(e queue.JobPreview, what string, err error) (queue.JobPreview, error) {
	if errs.KindOf(err) != errs.KindNotFound {
		return e, err
	}
	e.Nothing, e.Summary = true, "Would look for the "+what+": there is none of this id → nothing."
	return e, nil
}

func previewReceive(ctx context.Context, tx *sqlx.Tx, args ReceiveArgs, _ time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Again: "A credit is booked once, and used only for what is certain; anything else waits for staff."}
	c, err := store{}.credit(ctx, tx, ` WHERE c.id = $1`, args.CreditID)
	if err != nil {
		return nothing(e, "bank credit", err)
	}
	e.Nothing = c.State != CreditOpen
	e.Summary = fmt.Sprintf("Would book the credit %s of %s, and use it if it fits one bill for certain: it is now `%s`.", c.UTR, c.Amount.Display(), c.State)
	return e, nil
}

func previewUse(ctx context.Context, tx *sqlx.Tx, args UseArgs, _ time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Again: "A request has its effect in the transaction that marks it done: it moves money once."}
	u, err := store{}.use(ctx, tx, ` WHERE u.id = $1`, args.UseID)
	if err != nil {
		return nothing(e, "request", err)
	}
	e.Nothing = u.State != UseRequested
	switch u.Kind {
	case UseOrder:
		e.Summary = fmt.Sprintf("Would use %s for proforma %s; once it is paid in full, its order is activated and invoiced.", u.Amount.Display(), u.Number)
	case UseReturn:
		e.Summary = fmt.Sprintf("Would book that %s was transferred back with UTR %s.", u.Amount.Display(), u.UTR)
	case UseDismissal:
		e.Summary = fmt.Sprintf("Would dismiss a credit of %s and reverse its entry.", u.Amount.Display())
	case UseRelease:
		e.Summary = fmt.Sprintf("Would take %s from bills that are not paid yet, so that it is free again.", u.Amount.Display())
	}
	if e.Nothing {
		e.Summary += " It is now `" + string(u.State) + "` → nothing."
	}
	return e, nil
}

func previewPrint(ctx context.Context, tx *sqlx.Tx, args PrintArgs, _ time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Again: "A proforma is printed once and sent once."}
	p, err := store{}.proforma(ctx, tx, ` WHERE p.id = $1`, args.ProformaID)
	if err != nil {
		return nothing(e, "proforma", err)
	}
	e.Nothing = p.ObjectKey != ""
	e.Summary = fmt.Sprintf("Would print proforma %s over %s and send it to the customer's address, if that is proved.", p.Number, p.Amount.Display())
	return e, nil
}
