package settlement

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
)

// settledKnown has our records of the payments and refunds that lines name.
type settledKnown struct {
	byTransaction, byGateway, byDispute map[string]*settled
	byRefund                            map[string]*payment.SettledRefund
}

// of returns the payment and the refund that a line refers to, or nil. A line without our transaction may name the gateway's payment or
// the dispute.
func (k settledKnown) of(l StoredLine) (*settled, *payment.SettledRefund) {
	r := k.byRefund[l.RefundID]
	for _, p := range []*settled{k.byTransaction[l.TransactionID], k.byGateway[l.GatewayPaymentID], k.byDispute[l.RefundID]} {
		if p != nil {
			if r != nil && r.PaymentID != p.PaymentID {
				r = nil // of another payment
			}
			return p, r
		}
	}
	return nil, nil
}

// knownTx reads our records of the transactions, payments, disputes and refunds named by the lines.
func (s *Service) knownTx(ctx context.Context, tx *sqlx.Tx, gateway string, lines []StoredLine) (settledKnown, error) {
	known := settledKnown{
		byTransaction: map[string]*settled{}, byGateway: map[string]*settled{}, byDispute: map[string]*settled{},
		byRefund: map[string]*payment.SettledRefund{},
	}
	var names payment.SettledNames
	for _, l := range lines {
		names.Transactions = named(names.Transactions, l.TransactionID)
		names.Captures = named(names.Captures, l.GatewayPaymentID)
		names.References = named(names.References, l.RefundID)
	}
	payments, refunds, err := s.payments.SettledTx(ctx, tx, gateway, names)
	if err != nil {
		return known, err
	}
	for _, found := range payments {
		p := &settled{Settled: found, Booked: map[string]string{}}
		known.byTransaction[p.TransactionID] = p
		if p.GatewayPaymentID != "" {
			known.byGateway[p.GatewayPaymentID] = p
		}
		for dispute := range p.Disputes {
			known.byDispute[dispute] = p
		}
	}
	for i := range refunds {
		known.byRefund[refunds[i].GatewayRefundID] = &refunds[i]
	}
	return known, s.store.settledBefore(ctx, tx, gateway, known.byTransaction)
}

func named(list []string, name string) []string {
	if name == "" {
		return list
	}
	return append(list, name)
}
