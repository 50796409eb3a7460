package razorpay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// SmartCollect is Razorpay's Smart Collect: a bank account number for each customer, into which transfers of any amount are paid.
type SmartCollect struct{ gateway *Gateway }

// SmartCollect returns Smart Collect for the same merchant.
func (g *Gateway) SmartCollect() *SmartCollect { return &SmartCollect{gateway: g} }

// Account is a customer's own account number.
type Account struct{ ID, Number, IFSC, Beneficiary string }

// Credit is a transfer that arrived. UTR is the bank's number of it.
type Credit struct {
	ID, AccountID, UTR            string
	Amount                        money.Paise
	PaidAt                        time.Time
	PayerName, PayerAccountMasked string
}

// CreditNotice is a signed notice that an account was credited; Key stays the same when it is resent.
type CreditNotice struct{ AccountID, PaymentID, Key string }

// Name returns razorpay.
func (*SmartCollect) Name() string { return Name }

const (
	// collectPage is the most entries of a page.
	collectPage = 100
	// maxCollectPages limits the pages read of one list.
	maxCollectPages = 200
	// noteCustomer names our customer in the notes of an account.
	noteCustomer = "customer"
)

// virtualAccount is a "Customer Identifier" of Razorpay's.
type virtualAccount struct {
	ID        string          `json:"id"`
	Status    string          `json:"status"`
	Notes     json.RawMessage `json:"notes"`
	Receivers []struct {
		Entity string `json:"entity"`
		Name   string `json:"name"`
		IFSC   string `json:"ifsc"`
		Number string `json:"account_number"`
	} `json:"receivers"`
}

func (v virtualAccount) account() (Account, error) {
	for _, r := range v.Receivers {
		if r.Entity == "bank_account" && r.Number != "" && r.IFSC != "" {
			return Account{ID: v.ID, Number: r.Number, IFSC: r.IFSC, Beneficiary: r.Name}, nil
		}
	}
	return Account{}, errs.Unavailable(errors.New("virtual account: no bank account in the answer"))
}

func (v virtualAccount) customer() string {
	var notes map[string]any
	if json.Unmarshal(v.Notes, &notes) != nil { // without notes it is an array
		return ""
	}
	named, _ := notes[noteCustomer].(string)
	return named
}

// Open returns the customer's active account, or creates one ("Create a Customer Identifier With Bank Account Receiver"). known is the id
// of the account opened last, or empty. The call has no idempotency key, so the customer's id is stored in the notes and looked up among
// the newest accounts, which include an account whose answer was lost a moment ago. The API has no search: reading all accounts would take
// longer with each customer.
func (c *SmartCollect) Open(ctx context.Context, customerID, name, known string) (Account, error) {
	if customerID == "" {
		return Account{}, errs.Internal(errors.New("virtual account: no customer"))
	}
	if known != "" {
		var last virtualAccount
		err := c.gateway.call(c.gateway.client.R().SetContext(ctx), http.MethodGet, "/v1/virtual_accounts/"+url.PathEscape(known), &last)
		switch {
		case err != nil && !missing(err):
			return Account{}, err
		case err == nil && last.Status == "active" && last.customer() == customerID:
			return last.account()
		}
	}
	var open *virtualAccount
	seen := 0
	err := pages(ctx, c.gateway, "/v1/virtual_accounts", nil, func(v virtualAccount) bool {
		if v.Status == "active" && v.customer() == customerID {
			open = &v
		}
		seen++
		return open == nil && seen < collectPage
	})
	if err != nil {
		return Account{}, err
	}
	if open != nil {
		return open.account()
	}
	var made virtualAccount
	body := map[string]any{
		"receivers":   map[string]any{"types": []string{"bank_account"}},
		"description": words(name), "notes": map[string]string{noteCustomer: customerID},
	}
	if err := c.gateway.call(c.gateway.client.R().SetContext(ctx).SetBody(body), http.MethodPost, "/v1/virtual_accounts", &made); err != nil {
		return Account{}, unavailable(err)
	}
	return made.account()
}

// Close closes an account: Razorpay returns later payments into it. A closed account is no error.
func (c *SmartCollect) Close(ctx context.Context, accountID string) error {
	var closed virtualAccount
	path := "/v1/virtual_accounts/" + url.PathEscape(accountID)
	err := c.gateway.call(c.gateway.client.R().SetContext(ctx), http.MethodPost, path+"/close", &closed)
	if !missing(err) {
		return err
	}
	if look := c.gateway.call(c.gateway.client.R().SetContext(ctx), http.MethodGet, path, &closed); look == nil && closed.Status == "closed" {
		return nil
	}
	return unavailable(err)
}

// Credits returns the transfers into an account since an instant, newest first ("Fetch Payments for a Customer Identifier"), without fully
// refunded ones. A transfer that cannot be read does not block the others: they are returned with the error.
func (c *SmartCollect) Credits(ctx context.Context, accountID string, since time.Time) ([]Credit, error) {
	query := url.Values{}
	if !since.IsZero() {
		query.Set("from", strconv.FormatInt(since.Unix(), 10))
	}
	return c.credits(ctx, "/v1/virtual_accounts/"+url.PathEscape(accountID)+"/payments", query)
}

// CreditsByUTR returns what arrived with a bank's number, in any account ("Fetch Payments Using UTR Number").
func (c *SmartCollect) CreditsByUTR(ctx context.Context, utr string) ([]Credit, error) {
	return c.credits(ctx, "/v1/payments", url.Values{"va_transaction_id": {utr}, "virtual_account": {"1"}})
}

func (c *SmartCollect) credits(ctx context.Context, path string, query url.Values) ([]Credit, error) {
	var paid []attempt
	err := pages(ctx, c.gateway, path, query, func(a attempt) bool {
		if a.Status == "captured" && a.Currency == payment.Currency {
			paid = append(paid, a)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	list := make([]Credit, 0, len(paid))
	var failed error
	for _, a := range paid {
		one, err := c.credit(ctx, a)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		list = append(list, one)
	}
	if failed != nil {
		return list, errs.Unavailable(failed)
	}
	return list, nil
}

// credit fetches the transfer of a payment, which names the account, the bank's number and the payer ("Fetch Payments Made Using Bank
// Transfer"). Number and payer are null if the bank does not tell them.
func (c *SmartCollect) credit(ctx context.Context, a attempt) (Credit, error) {
	var transfer struct {
		PaymentID string `json:"payment_id"`
		Reference string `json:"bank_reference"`
		Amount    int64  `json:"amount"`
		AccountID string `json:"virtual_account_id"`
		Payer     struct {
			Name   string `json:"name"`
			Number string `json:"account_number"`
		} `json:"payer_bank_account"`
	}
	path := "/v1/payments/" + url.PathEscape(a.ID) + "/bank_transfer"
	if err := c.gateway.call(c.gateway.client.R().SetContext(ctx), http.MethodGet, path, &transfer); err != nil {
		return Credit{}, unavailable(err)
	}
	if transfer.PaymentID != a.ID || transfer.Amount != a.Amount {
		return Credit{}, errs.Unavailable(fmt.Errorf("bank transfer of %s: the answer does not agree with the payment", cut(a.ID)))
	}
	return Credit{
		ID: a.ID, AccountID: transfer.AccountID, UTR: cut(transfer.Reference), Amount: money.Paise(a.Amount),
		PaidAt: time.Unix(a.CreatedAt, 0).UTC(), PayerName: cut(transfer.Payer.Name), PayerAccountMasked: masked(transfer.Payer.Number),
	}, nil
}

// masked keeps the last four characters of an account number.
func masked(number string) string {
	number = strings.TrimSpace(number)
	if len(number) <= 4 {
		return ""
	}
	return "XXXX" + number[len(number)-4:]
}

// ReadCredit parses the event virtual_account.credited. It is a reason to fetch the account's credits, and nothing else is taken from
// it; every other event is payment.ErrSignature.
func (c *SmartCollect) ReadCredit(p payment.Incoming) (CreditNotice, error) {
	h, err := c.gateway.event(p)
	if err != nil {
		return CreditNotice{}, err
	}
	n := CreditNotice{AccountID: cut(h.Payload.Account.Entity.ID), PaymentID: cut(h.Payload.Payment.Entity.ID), Key: p.Headers[eventID]}
	if h.Event != "virtual_account.credited" || n.AccountID == "" || n.PaymentID == "" {
		return CreditNotice{}, payment.ErrSignature
	}
	if n.Key == "" {
		n.Key = "credit/" + n.PaymentID
	}
	return n, nil
}

// pages reads a list page by page while next wants more.
func pages[T any](ctx context.Context, g *Gateway, path string, query url.Values, next func(T) bool) error {
	for page := range maxCollectPages {
		var answer struct {
			Items []T `json:"items"`
		}
		r := g.client.R().SetContext(ctx).SetQueryParamsFromValues(query).
			SetQueryParam("count", strconv.Itoa(collectPage)).SetQueryParam("skip", strconv.Itoa(page*collectPage))
		if err := g.call(r, http.MethodGet, path, &answer); err != nil {
			return unavailable(err)
		}
		for _, item := range answer.Items {
			if !next(item) {
				return nil
			}
		}
		if len(answer.Items) < collectPage {
			return nil
		}
	}
	return errs.Unavailable(fmt.Errorf("%s: more pages than are read", path))
}
