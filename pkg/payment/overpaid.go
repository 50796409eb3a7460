package payment

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// overpaidTx gives back what of an accepted capture is more than is due on its day: somebody who pays late has fewer days of
// what he bought, and is invoiced for those. That part is owed to him from the capture on, and has no credit note, because it
// was never invoiced.
func (s *Service) overpaidTx(ctx context.Context, tx *sqlx.Tx, p *Payment, due money.Paise, now time.Time) error {
	more := p.Captured - due
	if more <= 0 {
		return nil
	}
	p.Reason = fmt.Sprintf("%s was due on the day this payment arrived. The other %s is being refunded.", due.Display(), more.Display())
	if err := s.store.save(ctx, tx, *p, 0); err != nil {
		return err
	}
	return s.refundUninvoicedTx(ctx, tx, *p, p.GatewayPaymentID, p.ID, more, now)
}
