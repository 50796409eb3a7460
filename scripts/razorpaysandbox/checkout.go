package main

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

//go:embed page
var pageFiles embed.FS

// handleCheckout accepts the merchant's form post (Hosted Checkout, step 1.2). The page itself has a separate address, so that
// reloading it does not post again.
func (s *server) handleCheckout(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
	if err := r.ParseForm(); err != nil {
		s.refuse(w, http.StatusBadRequest, "The payment form cannot be read.")
		return
	}
	if r.PostForm.Get("key_id") != s.keyID {
		s.refuse(w, http.StatusUnauthorized, "The api key provided is invalid.")
		return
	}
	if err := s.advance(); err != nil {
		s.refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	id := r.PostForm.Get("order_id")
	if err := s.openCheckout(id, r.PostForm); err != nil {
		s.refuse(w, http.StatusBadRequest, err.Error()+".")
		return
	}
	http.Redirect(w, r, "/checkout/"+url.PathEscape(id), http.StatusSeeOther)
}

// openCheckout checks the form against the order. A payment begins only once the customer pays.
func (s *server) openCheckout(id string, form url.Values) error {
	for _, name := range []string{
		"order_id", "name", "amount", "currency", "callback_url", "prefill[email]", "prefill[contact]",
	} {
		if form.Get(name) == "" {
			return fmt.Errorf("the mandatory field %s is missing", name)
		}
	}
	for _, name := range []string{"callback_url", "cancel_url"} {
		u, err := url.Parse(form.Get(name))
		if form.Get(name) != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
			return fmt.Errorf("%s must be an http or https address", name)
		}
	}
	return s.book.change(func(d *draft) error {
		o := d.order(id)
		switch {
		case o == nil:
			return errors.New("the order_id does not exist")
		case o.status() == statusPaid:
			return errPaid
		case o.Limits != nil && (form.Get("customer_id") != o.CustomerID || form.Get("recurring") != "1" && form.Get("recurring") != "preferred"):
			return errors.New("customer_id and recurring are not those of the order with a token")
		case form.Get("amount") != strconv.FormatInt(o.Amount, 10) || form.Get("currency") != o.Currency:
			return errors.New("amount and currency are not those of the order")
		}
		o.Checkout = checkout{
			Name: form.Get("name"), Description: form.Get("description"), Customer: form.Get("prefill[name]"),
			Email: form.Get("prefill[email]"), Contact: form.Get("prefill[contact]"), Method: method(form),
			CallbackURL: form.Get("callback_url"), CancelURL: form.Get("cancel_url"),
		}
		return nil
	})
}

// method returns the merchant's preselected payment method if the page offers it, else card.
func method(form url.Values) string {
	switch asked := form.Get("method") + form.Get("prefill[method]"); asked {
	case "upi", "netbanking":
		return asked
	default:
		return "card"
	}
}

// handlePage shows the payment page.
func (s *server) handlePage(w http.ResponseWriter, r *http.Request) {
	o := s.book.order(r.PathValue("order"))
	if o == nil || o.Checkout.CallbackURL == "" {
		s.refuse(w, http.StatusNotFound, "There is no such payment.")
		return
	}
	s.render(w, http.StatusOK, "payment.html", map[string]any{
		"Order": o, "Status": o.status(), "Paid": o.status() == statusPaid, "Method": o.Checkout.Method,
		"Methods": []struct{ Code, Name string }{{"upi", "UPI"}, {"card", "Card"}, {"netbanking", "Netbanking"}},
	})
}

// handlePay ends the attempt as chosen on the page and sends the browser back.
func (s *server) handlePay(w http.ResponseWriter, r *http.Request) {
	o := s.book.order(r.PathValue("order"))
	if err := r.ParseForm(); err != nil || o == nil {
		s.refuse(w, http.StatusNotFound, "There is no such payment.")
		return
	}
	chosen := decision{
		Outcome: r.PostForm.Get("outcome"), Webhook: r.PostForm.Get("webhook"), Return: r.PostForm.Get("return"),
		Method: r.PostForm.Get("method"), VPA: r.PostForm.Get("vpa"), Mandate: r.PostForm.Get("mandate"),
	}
	switch {
	case chosen.Outcome == "timeout": // charged, but nobody is notified
		chosen.Outcome, chosen.Webhook, chosen.Return = "success", webhookLost, "lost"
	case chosen.Outcome == "success" && chosen.Method == "upi" && chosen.VPA == failingVPA:
		chosen.Outcome = "failure"
	}
	o, err := s.conclude(o.ID, chosen)
	if err != nil {
		s.refuse(w, statusOf(err), "The payment was not changed: "+err.Error()+".")
		return
	}
	switch {
	case chosen.Outcome == "cancel" && chosen.Return != "lost":
		s.cancel(w, r, o)
	case chosen.Return == "lost" || o.unanswered():
		s.renderLost(w, o)
	default:
		s.sendBack(w, o)
	}
}

// cancel sends the browser to cancel_url with a GET, as documented.
func (s *server) cancel(w http.ResponseWriter, r *http.Request, o *order) {
	if o.Checkout.CancelURL == "" {
		s.renderLost(w, o)
		return
	}
	http.Redirect(w, r, o.Checkout.CancelURL, http.StatusSeeOther) //nolint:gosec // the merchant names its own cancel address
}

// handleReturn sends a browser back to the merchant again, with the payment's current state.
func (s *server) handleReturn(w http.ResponseWriter, r *http.Request) {
	o := s.book.order(r.PathValue("order"))
	if o == nil || o.Checkout.CallbackURL == "" {
		s.refuse(w, http.StatusNotFound, "There is no such payment.")
		return
	}
	if o.unanswered() {
		s.cancel(w, r, o)
		return
	}
	s.sendBack(w, o)
}

// unanswered reports whether there is no result to return: no payment was made, or the bank has not answered.
func (o *order) unanswered() bool { return o.last() == nil || o.last().Status == statusCreated }

func (s *server) renderLost(w http.ResponseWriter, o *order) {
	status := o.status()
	if p := o.last(); p != nil {
		status = p.Status
	}
	s.render(w, http.StatusOK, "lost.html", map[string]any{"Order": o, "Status": status})
}

func (s *server) sendBack(w http.ResponseWriter, o *order) {
	s.render(w, http.StatusOK, "return.html", map[string]any{
		"URL": o.Checkout.CallbackURL, "Fields": s.returnFields(o),
	})
}

// returnFields returns the fields that the browser posts to callback_url: signed after a success, unsigned after a failure.
func (s *server) returnFields(o *order) map[string]string {
	p := o.last()
	if paid := o.paidBy(); paid != nil {
		p = paid
	}
	if p.Status == statusFailed {
		return map[string]string{
			"error[code]": "BAD_REQUEST_ERROR", "error[description]": p.Failure, "error[source]": "gateway",
			"error[step]": "payment_response", "error[reason]": cmp.Or(p.Reason, "payment_failed"),
			"error[metadata]": `{"payment_id":"` + p.ID + `","order_id":"` + o.ID + `"}`,
		}
	}
	return map[string]string{
		"razorpay_payment_id": p.ID, "razorpay_order_id": o.ID,
		"razorpay_signature": paymentSignature(s.keySecret, o.ID, p.ID),
	}
}

func (o *order) paidBy() *payment {
	for _, p := range o.Payments {
		if p.captured() {
			return p
		}
	}
	return nil
}

// handleIndex lists the payments and shows the state of the API and the webhooks.
func (s *server) handleIndex(w http.ResponseWriter, _ *http.Request) {
	const shown = 100
	list := s.book.orders()
	total := len(list)
	if len(list) > shown {
		list = list[:shown]
	}
	s.render(w, http.StatusOK, "index.html", map[string]any{
		"Orders": list, "Total": total, "Mode": s.mode.Current(), "Webhook": s.webhookURL, "Webhooks": s.book.webhooks(),
		"Tokens": s.book.tokens(), "Accounts": s.book.accounts(), "Reasons": debitReasons(),
		"Modes": []struct{ Code, Name string }{
			{sandbox.ModeOK, "Answers normally"},
			{sandbox.ModeError, "Answers 500"},
			{sandbox.ModeHTML, "Answers an HTML page"},
			{sandbox.ModeSlow, "Answers a byte at a time"},
			{sandbox.ModeTimeout, "Does what is asked, never answers"},
			{modeThrottle, "Refuses everything with 429"},
			{modeBalance, "Refuses refunds for want of balance"},
		},
	})
}

// handleModeForm changes the API's mode from the page.
func (s *server) handleModeForm(w http.ResponseWriter, r *http.Request) {
	if err := s.mode.Set(r.PostFormValue("mode"), 0); err != nil {
		s.refuse(w, http.StatusBadRequest, err.Error()+".")
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *server) refuse(w http.ResponseWriter, status int, message string) {
	s.render(w, status, "refused.html", map[string]any{"Message": message})
}

// render writes a page, built in memory first so that a template error is a clean 500.
func (s *server) render(w http.ResponseWriter, status int, name string, data map[string]any) {
	var text bytes.Buffer
	if err := s.pages.ExecuteTemplate(&text, name, data); err != nil {
		s.log.Error("page", slog.String("page", name), slog.String("error", err.Error()))
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // the browser may have gone
}

// parsePages parses the embedded templates.
func parsePages() (*template.Template, error) {
	return template.New("").Funcs(template.FuncMap{
		"rupees": display,
		"stamp":  func(t time.Time) string { return t.In(sandbox.India()).Format(time.DateTime) },
	}).ParseFS(pageFiles, "page/*.html")
}

// display formats paise for people, with Indian grouping: ₹1,59,300.00.
func display(paise int64) string {
	whole := strconv.FormatInt(paise/100, 10)
	grouped := whole
	if len(whole) > 3 {
		head, tail := whole[:len(whole)-3], whole[len(whole)-3:]
		for len(head) > 2 {
			head, tail = head[:len(head)-2], head[len(head)-2:]+","+tail
		}
		grouped = head + "," + tail
	}
	return fmt.Sprintf("₹%s.%02d", grouped, paise%100)
}
