package job

import (
	"context"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/contact"
)

// ContactReceiver moves an arrived message into its request; contact.Receiver implements it.
type ContactReceiver interface {
	Receive(ctx context.Context, inboundID string) error
}

// ReceiveContactMessage moves one message that arrived by e-mail or WhatsApp into its request.
type ReceiveContactMessage struct {
	river.WorkerDefaults[contact.ReceiveArgs]
	receiver ContactReceiver
}

// NewReceiveContactMessage returns the worker of arrived messages.
func NewReceiveContactMessage(receiver ContactReceiver) *ReceiveContactMessage {
	return &ReceiveContactMessage{receiver: receiver}
}

// Work moves the message.
func (w *ReceiveContactMessage) Work(ctx context.Context, j *river.Job[contact.ReceiveArgs]) error {
	return w.receiver.Receive(ctx, j.Args.InboundID)
}
