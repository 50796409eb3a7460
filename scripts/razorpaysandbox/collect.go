package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

const (
	accountActive = "active"
	accountClosed = "closed"
	// accountIdle is when an unused account is closed ("Close a Customer Identifier").
	accountIdle = 90 * 24 * time.Hour

	methodTransfer = "bank_transfer"
)

// virtualAccount is a "Customer Identifier": an account number of a customer's own.
type virtualAccount struct {
	ID          string          `json:"id"`
	Description string          `json:"description"`
	CustomerID  string          `json:"customer_id"`
	Notes       json.RawMessage `json:"notes"`
	Status      string          `json:"status"`
	ReceiverID  string          `json:"receiver_id"`
	Number      string          `json:"number"`
	CloseBy     int64           `json:"close_by"`
	ClosedAt    time.Time       `json:"closed_at"`
	UsedAt      time.Time       `json:"used_at"`
	CreatedAt   time.Time       `json:"created_at"`
	Paid        int64           `json:"paid"`
}

// transfer is the bank's message about a payment into an account.
type transfer struct {
	ID        string `json:"id"`
	AccountID string `json:"account_id"`
	Mode      string `json:"mode"`
	UTR       string `json:"utr"`
	PayerID   string `json:"payer_id"`
	PayerName string `json:"payer_name"` // empty: the bank did not tell the payer
	PayerIFSC string `json:"payer_ifsc"`
	PayerBank string `json:"payer_bank"`
	PayerNo   string `json:"payer_no"`
}

func (v *virtualAccount) entity() fields {
	f := fields{
		"id": v.ID, "name": "Franchise 360", "entity": "virtual_account", "status": v.Status, "description": orNull(v.Description),
		"amount_expected": nil, "notes": notesOf(v.Notes), "amount_paid": v.Paid, "customer_id": orNull(v.CustomerID),
		"receivers": []any{fields{
			"id": v.ReceiverID, "entity": "bank_account", "ifsc": "RATN0VAAPIS", "bank_name": "RBL Bank", "name": "Franchise 360",
			"notes": []any{}, "account_number": v.Number,
		}},
		"close_by": nil, "closed_at": nil, "created_at": v.CreatedAt.Unix(),
	}
	if v.CloseBy != 0 {
		f["close_by"] = v.CloseBy
	}
	if !v.ClosedAt.IsZero() {
		f["closed_at"] = v.ClosedAt.Unix()
	}
	return f
}

func (t *transfer) entity(p *payment) fields {
	f := fields{
		"id": t.ID, "entity": "bank_transfer", "payment_id": p.ID, "mode": t.Mode, "bank_reference": t.UTR, "amount": p.Amount,
		"payer_bank_account": nil, "virtual_account_id": t.AccountID,
	}
	if t.PayerName != "" {
		f["payer_bank_account"] = fields{
			"id": t.PayerID, "entity": "bank_account", "ifsc": t.PayerIFSC, "bank_name": t.PayerBank, "name": t.PayerName, "notes": []any{},
			"account_number": t.PayerNo,
		}
	}
	return f
}

// createAccount creates a customer's own account number (Create a Customer Identifier With Bank Account Receiver).
func (s *server) createAccount(r *http.Request) (any, error) {
	given, _, err := body(r, "receivers", "description", "customer_id", "notes", "close_by", "amount_expected")
	if err != nil {
		return nil, err
	}
	var receivers struct {
		Types []string `json:"types"`
	}
	if json.Unmarshal(given["receivers"], &receivers) != nil || !slices.Contains(receivers.Types, "bank_account") {
		return nil, bad("Receivers field is required", "receivers")
	}
	if err := checkNotes(given["notes"]); err != nil {
		return nil, err
	}
	now := s.now()
	v := &virtualAccount{
		ID: newID("va_"), Notes: given["notes"], Status: accountActive, ReceiverID: newID("ba_"), Number: "222333" + digits(10), CreatedAt: now,
		UsedAt: now,
	}
	v.Description, _ = text(given["description"])
	v.CustomerID, _ = text(given["customer_id"])
	if raw := given["close_by"]; len(raw) > 0 && string(raw) != "null" {
		if json.Unmarshal(raw, &v.CloseBy) != nil || v.CloseBy < now.Add(15*time.Minute).Unix() {
			return nil, bad("close_by should be at least 15 minutes after current time", "close_by")
		}
	}
	var answer fields
	err = s.book.change(func(d *draft) error {
		if v.CustomerID != "" && d.before.Customers[v.CustomerID] == nil {
			return errNoID
		}
		d.change.Accounts[v.ID] = v
		teller{draft: d, now: now, webhook: webhookOnce}.account("virtual_account.created", v)
		answer = v.entity()
		return nil
	})
	return answer, err
}

func (t teller) account(event string, v *virtualAccount) {
	t.event(event, v.ID, "virtual_account", fields{"virtual_account": v.entity()})
}

func (s *server) listAccounts(r *http.Request) (any, error) {
	s.book.mu.Lock()
	list := make([]*virtualAccount, 0, len(s.book.state.Accounts))
	for _, v := range s.book.state.Accounts {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b *virtualAccount) int {
		if c := b.CreatedAt.Compare(a.CreatedAt); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	var items []fields
	for _, v := range list {
		items = append(items, v.entity())
	}
	s.book.mu.Unlock()
	return listed(items, r)
}

func (s *server) fetchAccount(r *http.Request) (any, error) {
	return s.look(func(st *state) (fields, bool) {
		v := st.Accounts[r.PathValue("id")]
		if v == nil {
			return nil, false
		}
		return v.entity(), true
	})
}

// closeAccount closes an account; the error text for a closed account is not published.
func (s *server) closeAccount(r *http.Request) (any, error) {
	var answer fields
	now := s.now()
	err := s.book.change(func(d *draft) error {
		v := d.account(r.PathValue("id"))
		switch {
		case v == nil:
			return errNoID
		case v.Status == accountClosed:
			return apiError{description: "The virtual account is already closed"}
		}
		v.close(now, teller{draft: d, now: now, webhook: webhookOnce})
		answer = v.entity()
		return nil
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

func (v *virtualAccount) close(now time.Time, tell teller) {
	v.Status, v.ClosedAt = accountClosed, now
	tell.account("virtual_account.closed", v)
}

// account returns a copy to modify, or nil for an unknown id.
func (d *draft) account(id string) *virtualAccount {
	if v, ok := d.change.Accounts[id]; ok {
		return v
	}
	v, ok := d.before.Accounts[id]
	if !ok {
		return nil
	}
	c := *v
	d.change.Accounts[id] = &c
	return &c
}

// advanceAccounts closes accounts whose time has come or that are unused.
func (d *draft) advanceAccounts(now time.Time, tell teller) {
	for id, v := range d.before.Accounts {
		if v.Status == accountActive && (v.CloseBy != 0 && now.Unix() >= v.CloseBy || now.Sub(v.UsedAt) >= accountIdle) {
			d.account(id).close(now, tell)
		}
	}
}

// accountPayments lists an account's payments, newest first (Fetch Payments for a Customer Identifier).
func (s *server) accountPayments(r *http.Request) (any, error) {
	id := r.PathValue("id")
	s.book.mu.Lock()
	known := s.book.state.Accounts[id] != nil
	s.book.mu.Unlock()
	if !known {
		return nil, errNoID
	}
	return listed(s.transfers(func(t *transfer) bool { return t.AccountID == id }), r)
}

// listPayments lists what arrived with a UTR (Fetch Payments Using UTR Number); the sandbox offers no other list of payments.
func (s *server) listPayments(r *http.Request) (any, error) {
	utr := r.URL.Query().Get("va_transaction_id")
	if utr == "" || r.URL.Query().Get("virtual_account") != "1" {
		return nil, bad("va_transaction_id and virtual_account are required", "")
	}
	return listed(s.transfers(func(t *transfer) bool { return t.UTR == utr }), r)
}

func (s *server) transfers(chosen func(t *transfer) bool) []fields {
	var items []fields
	for _, o := range s.book.orders() {
		for _, p := range o.Payments {
			if p.Transfer != nil && chosen(p.Transfer) {
				items = append(items, p.entity())
			}
		}
	}
	return items
}

func (s *server) fetchTransfer(r *http.Request) (any, error) {
	return s.look(func(st *state) (fields, bool) {
		_, p := st.findPayment(r.PathValue("id"))
		if p == nil || p.Transfer == nil {
			return nil, false
		}
		f := p.Transfer.entity(p)
		f["virtual_account"] = st.Accounts[p.Transfer.AccountID].entity()
		return f, true
	})
}

// incomingTransfer is a transfer from a customer's bank.
type incomingTransfer struct {
	Amount  string `json:"amount"` // in rupees, such as "10.00"
	UTR     string `json:"utr"`
	Payer   string `json:"payer"` // empty: the bank does not tell it
	Account string `json:"account"`
	IFSC    string `json:"ifsc"`
	Mode    string `json:"mode"`
	Webhook string `json:"webhook"`
}

func newTransfer() incomingTransfer {
	return incomingTransfer{UTR: digits(12), Account: "765432123456789", IFSC: "KKBK0000007", Mode: "NEFT", Webhook: webhookOnce}
}

// handleCredit makes a transfer arrive; the answer is its payment.
func (s *server) handleCredit(w http.ResponseWriter, r *http.Request) {
	asked := newTransfer()
	err := sandbox.ReadJSON(w, r, &asked)
	var made fields
	if err == nil {
		made, err = s.credit(r.PathValue("id"), asked)
	}
	switch {
	case errors.Is(err, errNoID):
		sandbox.WriteError(w, http.StatusNotFound, err)
	case err != nil:
		sandbox.WriteError(w, http.StatusBadRequest, err)
	default:
		sandbox.WriteJSON(w, http.StatusOK, made)
	}
}

// handleCreditForm makes a transfer arrive from the sandbox's own page.
func (s *server) handleCreditForm(w http.ResponseWriter, r *http.Request) {
	asked := newTransfer()
	asked.Amount, asked.Payer = r.PostFormValue("amount"), r.PostFormValue("payer")
	if _, err := s.credit(r.PathValue("id"), asked); err != nil {
		s.refuse(w, http.StatusBadRequest, "The transfer did not arrive: "+err.Error()+".")
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// credit makes a transfer arrive: any amount is accepted. One into a closed account is given back.
func (s *server) credit(accountID string, asked incomingTransfer) (fields, error) {
	value, err := rupees(asked.Amount)
	if err != nil {
		return nil, err
	}
	if value < 100 || !slices.Contains([]string{"NEFT", "RTGS", "IMPS"}, asked.Mode) {
		return nil, errors.New("amount is a rupee or more, and mode is NEFT, RTGS or IMPS")
	}
	now := s.now()
	var made fields
	err = s.book.change(func(d *draft) error {
		v := d.account(accountID)
		if v == nil {
			return errNoID
		}
		o := &order{
			ID: newID("hidden_"), Amount: value, Currency: "INR", CreatedAt: now, Hidden: true,
			Capture: capture{How: captureAutomatic, AutomaticWithin: automaticDefault, ManualWithin: manualDefault},
		}
		p := &payment{
			ID: newID("pay_"), OrderID: o.ID, Amount: value, Currency: "INR", Status: statusAuthorized, Method: methodTransfer,
			CustomerID: v.CustomerID, Description: "NA", Reference: asked.UTR, CreatedAt: now, Transfer: &transfer{
				ID: newID("bt_"), AccountID: v.ID, Mode: asked.Mode, UTR: asked.UTR, PayerID: newID("ba_"), PayerName: asked.Payer,
				PayerIFSC: asked.IFSC, PayerBank: "Kotak Mahindra Bank", PayerNo: asked.Account,
			},
		}
		o.Payments = []*payment{p}
		d.change.Orders[o.ID] = o
		quiet := teller{draft: d, now: now, webhook: webhookLost}
		tell := teller{draft: d, now: now, webhook: asked.Webhook}
		o.take(p, now, quiet)
		if v.Status == accountClosed {
			p.giveBack(&refund{Amount: value, Speed: "normal"}, now, tell)
		} else {
			v.Paid, v.UsedAt = v.Paid+value, now
			tell.event("virtual_account.credited", v.ID, "payment virtual_account bank_transfer", fields{
				"payment": tell.paymentEntity(p), "virtual_account": v.entity(), "bank_transfer": p.Transfer.entity(p),
			})
		}
		made = p.entity()
		return nil
	})
	s.wake()
	return made, err
}
