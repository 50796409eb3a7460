package checkout

import (
	"context"
	"errors"
	"net/url"
	"regexp"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// PayLinkState is the state of a pay link's renewal.
type PayLinkState string

// The states of a link: it can be paid, a payment is being confirmed, or there is nothing to pay any more.
const (
	PayLinkOpen       PayLinkState = "open"
	PayLinkConfirming PayLinkState = "confirming"
	PayLinkPaid       PayLinkState = "paid"
)

// LinkedReturn is what became of the payment with which a browser came back to a link.
type LinkedReturn string

// ReturnedNone means that the link's renewal has no payment, or that its payment is being confirmed. ReturnedReceived means that the
// payment renewed the plan. ReturnedFailed means that it failed or expired. ReturnedGivenBack means that it was refunded because another
// payment already renewed the plan.
const (
	ReturnedNone      LinkedReturn = "none"
	ReturnedReceived  LinkedReturn = "received"
	ReturnedFailed    LinkedReturn = "failed"
	ReturnedGivenBack LinkedReturn = "given_back"
)

// LinkedPayment is the view of a pay link's bearer. It contains no identity or contact data of the customer.
type LinkedPayment struct {
	State PayLinkState
	// Shop is the customer's name, masked. All below is empty unless the state is PayLinkOpen.
	Shop string
	// Offer is the renewal as of now.
	Offer *subscription.Offer
	Link  subscription.PayLink
	// Debit is an undecided debit that may also pay for the renewal, or nil.
	Debit *payment.OpenDebit
	// UPILimit is the limit of one UPI payment if the renewal exceeds it, else 0.
	UPILimit money.Paise
	// Returned is what became of the payment with which the browser came back.
	Returned LinkedReturn
}

// PayLinks lets the bearer of a reminder's link pay that renewal without a log-in; it runs in the API.
type PayLinks struct {
	payments *Service
	keys     secret.Keyring
}

// NewPayLinks returns the pay-links of the service's payments.
func NewPayLinks(s *Service, keys secret.Keyring) *PayLinks {
	return wiring.Complete(&PayLinks{payments: s, keys: keys})
}

// Look returns the state of the link's renewal. returned is the transaction with which the browser returned, or empty; a payment of
// another renewal is ignored. It fails with subscription.ErrPayLink, and as Preview does.
func (l *PayLinks) Look(ctx context.Context, code, returned string) (LinkedPayment, error) {
	s := l.payments
	link, err := s.subscriptions.FindPayLink(ctx, l.keys, code)
	if err != nil {
		return LinkedPayment{}, err
	}
	var offer subscription.Offer
	var debit *payment.OpenDebit
	state, became := PayLinkOpen, ReturnedNone
	err = postgres.InTenantTx(ctx, s.db, link.FranchiserID, func(tx *sqlx.Tx) error {
		offer, debit, err = s.offeredTx(ctx, tx, link.FranchiserID, link.Intent(), s.clock.Now())
		done := errors.Is(err, subscription.ErrPayLinkDone)
		if err != nil && !done {
			return err
		}
		if done {
			state = PayLinkPaid
		}
		if returned == "" {
			return nil
		}
		came, err := history.FindResult(ctx, tx, s.providers, link.FranchiserID, returned)
		if err != nil || came == nil || came.Kind != subscription.KindRenewal || came.CreatedAt.Before(link.CreatedAt) ||
			!done && came.OrderID != offer.OpenOrderID() {
			return err
		}
		outcome, _, charged := came.Outcome()
		switch {
		case outcome == history.ResultConfirming && !done:
			state = PayLinkConfirming
		case outcome == history.ResultPaid:
			became = ReturnedReceived
		case outcome == history.ResultFailed && charged == history.Charged:
			became = ReturnedGivenBack
		case outcome == history.ResultFailed || outcome == history.ResultExpired:
			became = ReturnedFailed
		}
		return nil
	})
	if err != nil {
		return LinkedPayment{}, forBearer(err)
	}
	seen := LinkedPayment{State: state, Link: link, Returned: became}
	if state == PayLinkOpen {
		seen.Shop, seen.Offer, seen.Debit, seen.UPILimit = maskedName(offer), &offer, debit, payment.UPILimit(offer.Payable(), l.payments.clock.Now())
	}
	return seen, nil
}

// errPayLinkHeld tells no more of a held payment than that it is there.
var errPayLinkHeld = errs.New(errs.KindConflict, "payment_held", "A payment for this is being looked at by our staff. Please do not pay again.")

// forBearer returns the error without what only the customer may read.
func forBearer(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrHeld):
		return errPayLinkHeld
	case errors.Is(err, subscription.ErrErasureScheduled), errs.KindOf(err) == errs.KindNotFound:
		return subscription.ErrPayLink // the account is leaving, or the subscription is gone
	default:
		return err
	}
}

// Request opens the payment of the link's renewal, or resumes the open one: two people who pay at once pay the same charge. in has the
// total that the bearer saw, the method, and whether to pay despite an undecided debit. mobile is the bearer's own number, which the
// gateway requires. The gateway receives no data of the customer. Request fails as Service.Request does, and with
// subscription.ErrPayLink and ErrPayLinkDone.
func (l *PayLinks) Request(ctx context.Context, code, mobile string, in Input) (Requested, error) {
	link, err := l.payments.subscriptions.FindPayLink(ctx, l.keys, code)
	if err != nil {
		return Requested{}, err
	}
	in.Intent, in.bearer = link.Intent(), &bearer{code: code, mobile: mobile}
	r, err := l.payments.Request(ctx, link.FranchiserID, in)
	return r, forBearer(err)
}

// bearer is a person who pays by a link.
type bearer struct{ code, mobile string }

// person is the payer's data for the gateway, with the language of the pages after payment.
func (b bearer) person(publicURL string, language i18n.Language) subscription.Person {
	host := ""
	if u, err := url.Parse(publicURL); err == nil {
		host = u.Hostname()
	}
	return subscription.Person{Email: "no-reply@" + host, Mobile: b.mobile, Language: language}
}

// payLinkForm is the form of a link's code.
var payLinkForm = regexp.MustCompile(`^[A-Za-z0-9_-]{38}$`)

// PayLinkParameter is the return address's parameter that names the pay link.
const PayLinkParameter = "link"

// LanguageParameter is the parameter of the return address that names the language of the page on which the browser comes out.
const LanguageParameter = "language"

// PayLinkPath returns the page of a pay-link; false for what cannot be its code.
func PayLinkPath(code string) (path string, ok bool) {
	return "/p/" + code, payLinkForm.MatchString(code)
}

// maskedName returns enough of the customer's name for who knows it to recognise: the first two letters of each word.
func maskedName(o subscription.Offer) string {
	name := o.Person.StoreName
	if name == "" {
		name = o.Recipient.Name
	}
	words := strings.Fields(name)
	for i, word := range words {
		letters := []rune(word)
		words[i] = string(letters[:min(len(letters), maskedLetters(len(letters)))]) + "•••"
	}
	return strings.Join(words, " ")
}

// maskedLetters is how many letters of a word are shown: two, or one of a short one.
func maskedLetters(length int) int {
	if length <= 3 {
		return 1
	}
	return 2
}
