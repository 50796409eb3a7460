package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// delivery is one notification, posted or pending, as sent over the wire.
type delivery struct {
	Kind        string    `json:"kind"` // payment, refund, dispute or mandate
	URL         string    `json:"url"`
	ContentType string    `json:"content_type"`
	Signature   string    `json:"signature,omitempty"` // the header of a dispute notification
	Body        string    `json:"body"`
	Once        bool      `json:"once,omitempty"` // never retried: notices about UPI mandates
	Due         time.Time `json:"due"`            // machine time
	Attempts    int       `json:"attempts"`
	Done        bool      `json:"done"`
	TimedOut    bool      `json:"timed_out"` // three attempts failed, and PayU gave up
	Result      string    `json:"result"`
}

// due reports whether to post now; entries without a body, left by an older journal, are never posted.
func (d delivery) due(now time.Time) bool { return !d.Done && d.Body != "" && !now.Before(d.Due) }

const signatureHeader = "X-PayU-Dispute-Webhook-Signature-V1"

// paymentNotice builds a payment's webhook: form-encoded, signed with the response hash.
func (s *server) paymentNotice(p payment) delivery {
	fields := s.merchant.webhookFields(p)
	if s.account.get().Multipart {
		return multipartNotice(fields)
	}
	form := url.Values{}
	for name, value := range fields {
		form.Set(name, value)
	}
	return delivery{Kind: "payment", ContentType: "application/x-www-form-urlencoded", Body: form.Encode(), Due: time.Now()}
}

func multipartNotice(fields map[string]string) delivery {
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		_ = writer.WriteField(name, fields[name]) // a buffer never fails
	}
	_ = writer.Close()
	return delivery{Kind: "payment", ContentType: writer.FormDataContentType(), Body: body.String(), Due: time.Now()}
}

// refundNotice is the JSON for a finished refund. It carries no hash, and has spaces around mihpayid unless it has a bank
// reference; PayU publishes both forms. Source: PayU, Webhook Events and Sample Payloads; refund status callback.
type refundNotice struct {
	AdditionalValue1 *string      `json:"additionalValue1"`
	BankARN          *json.Number `json:"bank_arn"`
	RefundMode       string       `json:"refund_mode"`
	BankRefNum       string       `json:"bank_ref_num"`
	Key              string       `json:"key"`
	Amount           string       `json:"amt"`
	Remark           *string      `json:"remark"`
	Status           string       `json:"status"`
	Token            string       `json:"token"`
	MihpayID         string       `json:"mihpayid"`
	RequestID        string       `json:"request_id"`
	MerchantTxnID    string       `json:"merchantTxnId"`
	AdditionalValue2 *string      `json:"additionalValue2"`
	Action           string       `json:"action"`
}

func (m merchant) refundNotice(p payment, r refund) refundNotice {
	notice := refundNotice{
		RefundMode: "Back to Source", BankRefNum: r.BankReference, Key: m.key, Amount: r.Amount, Status: r.Status,
		Token: r.Token, MihpayID: " " + p.MihpayID + " ", RequestID: r.RequestID, MerchantTxnID: p.TxnID, Action: r.Action,
	}
	if p.Method == "UPI" {
		notice.RefundMode = "Instant Credit through UPI"
	}
	if r.ARN != "" {
		arn := json.Number(r.ARN)
		notice.BankARN, notice.MihpayID = &arn, p.MihpayID
	}
	return notice
}

func (s *server) queueRefundNotice(p *payment, r refund) {
	d := jsonNotice(actionRefund, s.merchant.refundNotice(*p, r))
	d.URL = r.NoticeURL
	p.Deliveries = append(p.Deliveries, repeated(d, s.account.get().RefundNotice)...)
}

// disputeNotice is the JSON for a chargeback; its txn_id is PayU's own id for the payment. Source: PayU, Webhooks for
// Chargeback.
type disputeNotice struct {
	Type       string `json:"type"`
	Event      string `json:"event"`
	ReasonCode string `json:"reason_code"`
	CreatedAt  string `json:"created_at"`
	UpdatedAt  string `json:"updated_at"`
	MID        string `json:"mid"`
	ID         int    `json:"cb_id"`
	TxnID      string `json:"txn_id"`
	CBType     string `json:"cb_type"`
	DueDate    string `json:"due_date"`
	Amount     string `json:"cb_amount"`
	Status     string `json:"cb_status"`
}

func newDisputeNotice(p payment, d dispute) disputeNotice {
	const layout = "2006-01-02T15:04:05.000-07:00"
	return disputeNotice{
		Type: "payments", Event: "dispute", ReasonCode: d.Reason, CreatedAt: indiaTime(d.Created).Format(layout),
		UpdatedAt: indiaTime(d.Updated).Format(layout), MID: "2", ID: d.ID, TxnID: p.MihpayID, CBType: d.Type,
		DueDate: d.DueDate, Amount: d.Amount, Status: d.Status,
	}
}

func (s *server) queueDisputeNotice(p *payment, d dispute, times string) {
	notice := jsonNotice("dispute", newDisputeNotice(*p, d))
	if s.account.get().DisputeSignature {
		notice.Signature = s.merchant.disputeSignature(p.MihpayID, d.Amount, strconv.Itoa(d.ID), d.Type, d.Status)
	}
	p.Deliveries = append(p.Deliveries, repeated(notice, times)...)
}

func jsonNotice(kind string, content any) delivery {
	body, err := json.Marshal(content)
	if err != nil { // these types always marshal
		body = []byte(fmt.Sprintf("%q", err))
	}
	return delivery{Kind: kind, ContentType: "application/json", Body: string(body), Due: time.Now()}
}

func repeated(d delivery, times string) []delivery {
	switch times {
	case "lost":
		return nil
	case "twice":
		return []delivery{d, d}
	default:
		return []delivery{d}
	}
}

// queueWebhooks queues the notifications of a payment's current state. With reordered, an older state's notification arrives
// after this one.
func (s *server) queueWebhooks(p *payment, webhook string, delay time.Duration) {
	if reported(*p) == statusPending && !s.account.get().PendingNotices {
		return
	}
	d := s.paymentNotice(*p)
	switch webhook {
	case "once":
		p.Deliveries = append(p.Deliveries, d)
	case "twice":
		p.Deliveries = append(p.Deliveries, d, d)
	case "late":
		d.Due = d.Due.Add(delay)
		p.Deliveries = append(p.Deliveries, d)
	case "reordered":
		before := *p
		before.Status, before.Unmapped = statusPending, "in progress"
		old := s.paymentNotice(before)
		old.Due = old.Due.Add(delay)
		p.Deliveries = append(p.Deliveries, d, old)
	}
}
