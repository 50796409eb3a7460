package app

import (
	"context"
	"maps"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/erasure"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/consent"
	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/payment/capture"
	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/devclock"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/revenue"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/timeline"
	"github.com/franchise360/franchise360/pkg/transfer"
	"github.com/franchise360/franchise360/pkg/webhook"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// JobPreviews returns the previews of every kind of job.
func JobPreviews() queue.JobPreviews {
	all := queue.JobPreviews{}
	for _, of := range []func() queue.JobPreviews{
		otp.JobPreviews, team.JobPreviews, profile.JobPreviews, recovery.JobPreviews, erasure.JobPreviews, alert.JobPreviews, contact.JobPreviews, delivery.JobPreviews, einvoice.JobPreviews, figures.JobPreviews, invoice.JobPreviews, jobadmin.JobPreviews, ledger.JobPreviews, capture.JobPreviews, refund.JobPreviews, dispute.JobPreviews, reversal.JobPreviews, revenue.JobPreviews, settlement.JobPreviews,
		staff.JobPreviews, mandate.JobPreviews, plan.JobPreviews,
		subscription.JobPreviews, support.JobPreviews, outlet.JobPreviews, tenant.JobPreviews, transfer.JobPreviews, webhook.JobPreviews, devclock.Effects,
	} {
		maps.Copy(all, of())
	}
	maps.Copy(all, message.JobPreviews(map[string]message.Addressee{
		message.TemplateInvoiceLink: support.InvoiceAddressee, message.TemplateViewConsent: consent.Addressee,
	}))
	return all
}

// StaffMessages returns the contents of the messages that staff can send, by template.
func StaffMessages(keys secret.Keyring) map[string]message.Content {
	return map[string]message.Content{
		message.TemplateInvoiceLink: support.InvoiceContent(), message.TemplateViewConsent: consent.Content(keys),
	}
}

// TimelineSources returns those of every domain.
func TimelineSources() []timeline.Source {
	return slices.Concat(
		account.TimelineSources(), message.TimelineSources(invoice.NumberSQL), subscription.TimelineSources(),
		desk.TimelineSources(Gateways().BankReferences()...), invoice.TimelineSources(), einvoice.TimelineSources(), mandate.TimelineSources(), ledger.TimelineSources(), tenant.TimelineSources(),
		transfer.TimelineSources(),
		outlet.TimelineSources(), delivery.TimelineSources(), connect.TimelineSources(), jobadmin.TimelineSources(), staff.TimelineSources(), support.TimelineSources(),
	)
}

// WorkSources returns the sources of the staff's work list, in its order. Another source is an entry here.
func WorkSources() []worklist.Source {
	return slices.Concat(desk.WorkSources(), mandate.WorkSources(), support.WorkSources(), plan.WorkSources(), transfer.WorkSources(), settlement.WorkSources(), invoice.WorkSources(), einvoice.WorkSources(), alert.WorkSources(), contact.WorkSources(), delivery.WorkSources())
}

// NewTimeline returns the timeline of all domains.
func NewTimeline(db *sqlx.DB) *timeline.Service {
	mobile := func(ctx context.Context, tx *sqlx.Tx, franchiserID string) (string, error) {
		person, err := account.ReachTx(ctx, tx, franchiserID)
		return person.Mobile, err
	}
	return timeline.NewService(db, TimelineSources(), mobile, staff.NameOfRequestSQL, account.MemberOfRequestSQL, message.FailureText)
}
