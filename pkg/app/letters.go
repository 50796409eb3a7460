package app

import (
	"maps"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/receipt"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// LetterParts are what messages to customers are written from. Site is the site's URL without a trailing slash.
type LetterParts struct {
	DB        *sqlx.DB
	Clock     clock.Clock
	Keys      secret.Keyring
	Documents transfer.Shelf
	// Subscriptions price the renewals in reminders.
	Subscriptions *subscription.Service
	// Providers word how long refunds take.
	Providers payment.Providers
	Site      string
}

// CustomerLetters returns the contents of the messages that the product sends to customers unprompted, by template.
func CustomerLetters(p LetterParts) map[string]message.Letter {
	all := profile.Letters(p.Keys, p.Site)
	for _, of := range []map[string]message.Letter{
		recovery.Letters(p.Keys, p.Site), receipt.Letters(transfer.Deductions{}), refund.Letters(p.Providers), mandate.Letters(p.Keys, p.Site), invoice.Letters(p.DB, p.Clock, p.Documents), transfer.Letters(p.DB, p.Documents),
		subscription.Letters(p.Subscriptions, p.Keys, p.Site), delivery.Letters(),
	} {
		maps.Copy(all, of)
	}
	return all
}

// CustomerNotes returns the dashboard's text of those messages, by template: one template for each event, and no template that contains a
// code or a secret link.
func CustomerNotes(providers payment.Providers) map[string]message.Notes {
	all := profile.Notes()
	for _, of := range []map[string]message.Notes{receipt.Notes(transfer.Deductions{}), refund.Notes(providers), invoice.Notes(), subscription.Notes(), mandate.Notes(), transfer.Notes(), delivery.Notes()} {
		maps.Copy(all, of)
	}
	return all
}
