package payment

import (
	"context"
	"errors"
	"fmt"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// ErrGatewayMissing reports that a payment's gateway is not configured and cannot be queried now.
var ErrGatewayMissing = errors.New("the payment's gateway is not configured")

// LeastRefund returns the gateway's minimum refund amount, a paisa if it publishes no minimum.
func LeastRefund(g Gateway) money.Paise {
	if m, ok := g.(RefundMinimum); ok {
		return m.LeastRefund()
	}
	return 1
}

// Gateways are the configured gateways.
type Gateways []Gateway

// LeastRefund returns the least amount that the gateway of that name refunds, 0 if it is not configured.
func (list Gateways) LeastRefund(name string) money.Paise {
	for _, g := range list {
		if g.Name() == name {
			return LeastRefund(g)
		}
	}
	return 0
}

// Find returns the adapter with the given name.
func (list Gateways) Find(name string) (Gateway, error) {
	if name == GatewayBank {
		return bank{}, nil
	}
	for _, g := range list {
		if g.Name() == name {
			return g, nil
		}
	}
	return nil, errs.Internal(fmt.Errorf("%w: %s", ErrGatewayMissing, name))
}

// GatewayBank names payments by bank transfer, which no gateway took.
const GatewayBank = "bank"

// bank represents the bank account among the gateways. It starts no payments and answers no queries. pkg/transfer matches transfers;
// staff transfer refunds and book them with their UTR.
type bank struct{}

func (bank) Name() string { return GatewayBank }

func (bank) Begin(context.Context, Charge) (Session, error) {
	return Session{}, fmt.Errorf("%w: %s", ErrGatewayMissing, GatewayBank)
}

func (bank) Read(Incoming) (Notice, error) { return Notice{}, ErrSignature }

func (bank) IsReference(string) bool { return false }

func (bank) Verify(context.Context, string, string) (Outcome, error) {
	return Outcome{Status: StatusUnknown}, nil
}

const reasonByHand = "It was paid by bank transfer. Transfer it back and book the transfer with its UTR."

func (bank) Refund(context.Context, RefundRequest) (RefundOutcome, error) {
	return RefundOutcome{Failed: true, Reason: reasonByHand}, nil
}

func (bank) RefundStatus(context.Context, RefundRequest, string) (RefundOutcome, error) {
	return RefundOutcome{Failed: true, Reason: reasonByHand}, nil
}

func (bank) Refunds(context.Context, string, string) ([]RefundRecord, error) { return nil, nil }
