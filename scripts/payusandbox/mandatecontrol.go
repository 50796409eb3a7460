package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// mandateChange is what happens to a mandate at the bank or in the customer's app, as a test or the page chooses it.
type mandateChange struct {
	Status      string `json:"status"`       // active, paused, revoked, failed or expired; empty leaves it
	For         string `json:"for"`          // how long a pause lasts in business time; it then lapses without a notice
	Notice      string `json:"notice"`       // once or lost
	BankRevoked *bool  `json:"bank_revoked"` // the bank knows of an end that PayU does not
	Limit       string `json:"limit"`        // a changed billingAmount
	Next        string `json:"next"`         // how the next debit ends
	NextWebhook string `json:"next_webhook"` // once or lost
}

var errNoMandate = errors.New("no such mandate")

// handleMandates lists the payments with a mandate, newest first; handleMandate shows one.
func (s *server) handleMandates(w http.ResponseWriter, _ *http.Request) {
	sandbox.WriteJSON(w, http.StatusOK, s.mandates())
}

func (s *server) mandates() []payment {
	return slices.DeleteFunc(s.book.all(), func(p payment) bool { return p.Mandate == nil })
}

func (s *server) handleMandate(w http.ResponseWriter, r *http.Request) {
	p, ok := s.book.findByID(r.PathValue("id"))
	if !ok || p.Mandate == nil {
		sandbox.WriteError(w, http.StatusNotFound, errNoMandate)
		return
	}
	sandbox.WriteJSON(w, http.StatusOK, p)
}

// handleChangeMandate changes a mandate and posts the notice that PayU would; the answer is its registration.
func (s *server) handleChangeMandate(w http.ResponseWriter, r *http.Request) {
	var asked mandateChange
	err := sandbox.ReadJSON(w, r, &asked)
	var p payment
	if err == nil {
		p, err = s.changeMandate(r.PathValue("id"), asked)
	}
	if err != nil {
		status := http.StatusBadRequest
		if errors.Is(err, errNoMandate) || errors.Is(err, errUnknown) {
			status = http.StatusNotFound
		}
		sandbox.WriteError(w, status, err)
		return
	}
	sandbox.WriteJSON(w, http.StatusOK, p)
}

func (s *server) changeMandate(id string, asked mandateChange) (payment, error) {
	if asked.Status != "" && !slices.Contains([]string{mandateActive, mandatePaused, mandateRevoked, mandateFailed, mandateExpired}, asked.Status) {
		return payment{}, errors.New("status is one of: active paused revoked failed expired")
	}
	if _, ok := debitEndingOf(asked.Next); !ok && asked.Next != "" {
		return payment{}, errors.New("next is one of: captured insufficient technical declined blank late stuck")
	}
	if asked.For != "" {
		if d, err := time.ParseDuration(asked.For); err != nil || d <= 0 {
			return payment{}, errors.New("for is a duration such as 24h")
		}
	}
	if asked.Limit != "" {
		if _, err := paise(asked.Limit); err != nil {
			return payment{}, err
		}
	}
	now := s.now()
	p, err := s.book.change(id, func(p *payment) error {
		m := p.Mandate
		if m == nil {
			return errNoMandate
		}
		if asked.BankRevoked != nil {
			m.BankRevoked = *asked.BankRevoked
		}
		if asked.Next != "" {
			m.Next = asked.Next
		}
		if asked.NextWebhook != "" {
			m.NextWebhook = asked.NextWebhook
		}
		modified := asked.Limit != "" && asked.Limit != m.Amount
		if modified {
			m.Amount = asked.Limit
		}
		if asked.Status == "" || asked.Status == m.Status {
			if modified && asked.Notice != "lost" {
				s.queueMandateNotice(p, m.Status, now)
			}
			return nil
		}
		was := m.Status
		m.Status, m.ResumesAt = asked.Status, time.Time{}
		if asked.Status == mandatePaused && asked.For != "" {
			m.ResumesAt = now.Add(duration(asked.For))
		}
		if asked.Notice != "lost" {
			s.queueMandateNotice(p, was, now)
		}
		return nil
	})
	s.wake()
	return p, err
}

// queueMandateNotice posts what "Set up WebHook to Receive Cancellation or Modification Update from the Issuer Bank" describes. Only
// what a customer did is told: no notice says that a mandate failed or expired.
func (s *server) queueMandateNotice(p *payment, was string, now time.Time) {
	m := p.Mandate
	var d delivery
	switch {
	case m.Status == mandateFailed || m.Status == mandateExpired || was == mandatePending:
		return
	case m.Kind == kindUPI:
		d = s.upiNotice(p, was, now)
	case m.Kind == kindCard:
		d = s.cardNotice(p, now)
	case m.Status == mandateRevoked:
		d = jsonNotice("mandate", map[string]any{
			"statusCode": 1, "notificationType": "MANDATE_CANCELLATION", "status": "CANCEL_SUCCESS", "authPayuid": p.MihpayID,
		})
	default:
		return
	}
	p.Deliveries = append(p.Deliveries, d)
}

// upiNotice tells of a pause, its end or a revocation; it is tried once ("The webhook does not support a retry mechanism").
func (s *server) upiNotice(p *payment, was string, now time.Time) delivery {
	m := p.Mandate
	status, action := "pause", "MANDATE_PAUSE"
	switch {
	case m.Status == mandateRevoked:
		status, action = mandateRevoked, "MANDATE_REVOKE"
	case m.Status == mandateActive && was == mandatePaused:
		status, action = mandateActive, "MANDATE_UNPAUSE"
	}
	at, end := stamp(now), m.End+" 00:00:00"
	content := map[string]any{
		"status": status, "authpayuid": json.Number(p.MihpayID), "action": action, "dateTime": at, "amount": m.Amount, "endDate": end,
		"mandateNumber": "SBX" + p.BankReference + "@okbank", "key": s.merchant.key, "udf1": p.UDF[0], "udf2": p.UDF[1], "udf3": p.UDF[2],
		"udf5": p.UDF[4], "hash": s.merchant.upiMandateHash(status, action, p.MihpayID, at, m.Amount, end),
	}
	if m.Status == mandatePaused {
		content["pauseStartDate"], content["pauseEndDate"] = indiaTime(now).Format(time.DateOnly), m.End
		if !m.ResumesAt.IsZero() {
			content["pauseEndDate"] = indiaTime(m.ResumesAt).Format(time.DateOnly)
		}
	}
	d := jsonNotice("mandate", content)
	if s.account.get().MandateNotices == "form" {
		form := url.Values{}
		for name, value := range content {
			text, _ := value.(string)
			if n, ok := value.(json.Number); ok {
				text = n.String()
			}
			form.Set(name, text)
		}
		d.ContentType, d.Body = "application/x-www-form-urlencoded", form.Encode()
	}
	d.Once = true
	return d
}

func (s *server) cardNotice(p *payment, now time.Time) delivery {
	m := p.Mandate
	status, kind, message := mandateActive, "MANDATE_MODIFICATION", "Mandate modified"
	if m.Status == mandateRevoked {
		status, kind, message = "deleted", "MANDATE_DELETION", "Mandate Deleted"
	}
	amount, event := json.Number(shortest(m.Amount)), indiaTime(now).Format(time.DateOnly)
	return jsonNotice("mandate", map[string]any{
		"status": status, "authPayuId": p.MihpayID, "message": message, "eventDate": event, "notificationType": kind, "key": s.merchant.key,
		"si_details": map[string]any{"billingAmount": amount, "paymentStartDate": m.Start, "paymentEndDate": m.End},
		"udf1":       p.UDF[0], "udf2": p.UDF[1], "udf3": p.UDF[2], "udf4": p.UDF[3], "udf5": p.UDF[4],
		"hash": s.merchant.cardMandateHash(status, p.MihpayID, kind, amount.String(), m.Start, m.End, message, event, p.UDF),
	})
}

// upiMandateHash signs a notice about a UPI mandate: sha512(status|action|authpayuid|dateTime|amount|endDate|salt). The page shows the
// text only; the length of its samples is SHA-512's.
func (m merchant) upiMandateHash(status, action, id, at, amount, end string) string {
	return digest(status, action, id, at, amount, end, m.salt)
}

// cardMandateHash signs a notice about a card's mandate: sha512(status|authPayuId|notificationType|billingAmount|paymentStartDate|
// paymentEndDate|message|eventDate|key|udf1|udf2|udf3|udf4|udf5|salt).
func (m merchant) cardMandateHash(status, id, kind, amount, start, end, message, event string, udf [10]string) string {
	return digest(status, id, kind, amount, start, end, message, event, m.key, udf[0], udf[1], udf[2], udf[3], udf[4], m.salt)
}

// handleApprove records that the customer approved a debit above the limit; `number` is the notice's, the newest if empty.
func (s *server) handleApprove(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Number string `json:"number"`
	}
	err := sandbox.ReadJSON(w, r, &asked)
	if err == nil {
		err = s.approve(r.PathValue("id"), asked.Number)
	}
	if err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	s.handleMandate(w, r)
}

func (s *server) approve(id, number string) error {
	_, err := s.book.change(id, func(p *payment) error {
		if p.Mandate == nil {
			return errNoMandate
		}
		for i := len(p.Mandate.Invoices) - 1; i >= 0; i-- {
			if n := &p.Mandate.Invoices[i]; (number == "" || n.Number == number) && n.Approved == approvalPending {
				n.Approved = approvalGiven
				return nil
			}
		}
		return errors.New("no notice waits for an approval")
	})
	return err
}

// handleMandateForm changes a mandate from the sandbox's own page.
func (s *server) handleMandateForm(w http.ResponseWriter, r *http.Request) {
	var err error
	id := r.PathValue("id")
	switch act := r.PostFormValue("act"); {
	case act == "approve":
		err = s.approve(id, "")
	case strings.HasPrefix(act, "next:"):
		_, err = s.changeMandate(id, mandateChange{Next: strings.TrimPrefix(act, "next:")})
	default:
		_, err = s.changeMandate(id, mandateChange{Status: act, Notice: r.PostFormValue("notice")})
	}
	if err != nil {
		s.refuse(w, http.StatusBadRequest, "The mandate was not changed: "+err.Error()+".")
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
