package main

import (
	"bytes"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"slices"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

//go:embed page
var pageFiles embed.FS

// handleForm accepts the merchant's form post. The page itself has a separate address, so that reloading it does not post
// again.
func (s *server) handleForm(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
	if err := r.ParseForm(); err != nil {
		s.refuse(w, http.StatusBadRequest, "The payment form cannot be read.")
		return
	}
	o, err := parseOrder(r.PostForm)
	if err != nil {
		s.refuse(w, http.StatusBadRequest, "The payment form is not complete: "+err.Error()+".")
		return
	}
	if r.PostForm.Get("key") != s.merchant.key {
		s.refuse(w, http.StatusForbidden, "The merchant key is not known.")
		return
	}
	if !sameHash(r.PostForm.Get("hash"), s.merchant.requestHash(o)) {
		s.refuse(w, http.StatusForbidden, "The hash of the request is wrong, so the payment was not started.")
		return
	}
	p, err := s.book.open(o, s.now())
	if err != nil {
		s.refuse(w, statusOf(err), "This payment cannot be started: "+err.Error()+".")
		return
	}
	http.Redirect(w, r, "/_payment_options/"+url.PathEscape(p.MihpayID), http.StatusSeeOther)
}

// handleOptions shows the payment page.
func (s *server) handleOptions(w http.ResponseWriter, r *http.Request) {
	p, ok := s.book.findByID(r.PathValue("id"))
	if !ok {
		s.refuse(w, http.StatusNotFound, "There is no such payment.")
		return
	}
	counts, _ := s.book.find(p.TxnID)
	others := append(slices.Clone(endings()[1:]), ending{Outcome: "timeout", Name: "Charge, then time out"})
	s.render(w, http.StatusOK, "payment.html", map[string]any{
		"Payment": p, "Display": display(p.Amount), "Paid": counts.Status == statusSuccess,
		"Methods": offeredMethods(p), "Endings": others,
	})
}

type namedMethod struct{ Code, Name string }

// offeredMethods returns the methods that the merchant's form allows.
func offeredMethods(p payment) []namedMethod {
	all := []namedMethod{{"CC", "Credit card"}, {"DC", "Debit card"}, {"UPI", "UPI"}, {"NB", "Netbanking"}}
	return slices.DeleteFunc(all, func(m namedMethod) bool { return len(p.Methods) > 0 && !slices.Contains(p.Methods, m.Code) })
}

// handlePay ends the payment as chosen on the page and sends the browser back to the merchant with a self-submitting form, as
// the gateway does; a lost return ends here.
func (s *server) handlePay(w http.ResponseWriter, r *http.Request) {
	found, ok := s.book.findByID(r.PathValue("id"))
	if err := r.ParseForm(); err != nil || !ok {
		s.refuse(w, http.StatusNotFound, "There is no such payment.")
		return
	}
	chosen := decision{
		Outcome: r.PostForm.Get("outcome"), Webhook: r.PostForm.Get("webhook"),
		Return: r.PostForm.Get("return"), Method: r.PostForm.Get("method"), Mandate: r.PostForm.Get("mandate"),
	}
	if chosen.Outcome == "timeout" { // charged, but nobody is notified
		chosen.Outcome, chosen.Webhook, chosen.Return = "success", "lost", "lost"
	}
	if amount, err := paise(found.Amount); err == nil {
		switch r.PostForm.Get("price") {
		case "charges":
			chosen.AdditionalCharges = rupees(max(portion(amount, feeBasisPoints), 1))
		case "offer":
			chosen.Discount = rupees(max(portion(amount, 100), 1))
		}
	}
	p, err := s.concludeAttempt(found.MihpayID, chosen)
	if err != nil {
		s.refuse(w, statusOf(err), "The payment was not changed: "+err.Error()+".")
		return
	}
	if chosen.Return == "lost" {
		s.render(w, http.StatusOK, "lost.html", map[string]any{"Payment": p})
		return
	}
	s.sendBack(w, p)
}

// handleReturn sends a browser back to the merchant again, with the payment's current state.
func (s *server) handleReturn(w http.ResponseWriter, r *http.Request) {
	p, ok := s.book.findByID(r.PathValue("id"))
	if !ok {
		s.refuse(w, http.StatusNotFound, "There is no such payment.")
		return
	}
	s.sendBack(w, p)
}

func (s *server) sendBack(w http.ResponseWriter, p payment) {
	s.render(w, http.StatusOK, "return.html", map[string]any{
		"URL": returnURL(p), "Fields": s.merchant.returnFields(p),
	})
}

// handleIndex lists the payments and shows the merchant API's mode.
func (s *server) handleIndex(w http.ResponseWriter, _ *http.Request) {
	const shown = 100
	list := s.book.all()
	total := len(list)
	if len(list) > shown {
		list = list[:shown]
	}
	s.render(w, http.StatusOK, "index.html", map[string]any{
		"Payments": list, "Total": total, "Mandates": s.mandates(), "DebitEndings": debitEndings(), "Mode": s.mode.Current(), "Webhook": s.webhookURL,
		"Modes": []struct{ Code, Name string }{
			{sandbox.ModeOK, "Answers normally"},
			{sandbox.ModeError, "Answers 500"},
			{sandbox.ModeHTML, "Answers an HTML page"},
			{sandbox.ModeSlow, "Answers a byte at a time"},
			{sandbox.ModeTimeout, "Does what is asked, never answers"},
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
		"display": display, "stamp": stamp,
	}).ParseFS(pageFiles, "page/*.html")
}
