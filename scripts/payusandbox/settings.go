package main

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// settings are the decisions of a PayU account manager or the banks. They last until the sandbox ends.
type settings struct {
	RefundAfter      string `json:"refund_after"`      // business time from request to end, a Go duration such as "72h"
	RefundEnds       string `json:"refund_ends"`       // the final state of refunds; queued leaves them queued
	ARNAfter         string `json:"arn_after"`         // business time from a refund's success to its bank reference
	RefundNotice     string `json:"refund_notice"`     // once, lost or twice
	SameDayRefunds   bool   `json:"same_day_refunds"`  // false: a refund on the capture's day is told to wait for tomorrow
	PendingNotices   bool   `json:"pending_notices"`   // the account's callback_on_failure
	Multipart        bool   `json:"multipart"`         // payment notices as multipart/form-data
	DisputeSignature bool   `json:"dispute_signature"` // the opt-in header of dispute notices
	UpfrontDebit     bool   `json:"upfront_debit"`     // a chargeback deducts its money as soon as it is raised
	RefundRows       string `json:"refund_rows"`       // negative or positive: the sign of refunds in mer_net_amount
	SettlementDays   int    `json:"settlement_days"`   // working days from capture to settlement
	DebitAfter       string `json:"debit_after"`       // business time from a UPI debit to its end
	ENACHDays        int    `json:"enach_days"`        // working days from a netbanking debit to its end
	MandateDays      int    `json:"mandate_days"`      // working days until the bank decides about a registration by netbanking
	PeakHours        string `json:"peak_hours"`        // queue, fail or ignore: UPI debits in NPCI's closed hours
	UPISequence      string `json:"upi_sequence"`      // page or retries: what a calendar month of a UPI mandate allows after a debit that failed
	StatusType       string `json:"status_type"`       // number, text or mixed: the 1 and 0 of answers about mandates
	MandateNotices   string `json:"mandate_notices"`   // json or form: notices about UPI mandates
}

// Two readings of E9254 and E9256 of "Pre-Debit SI API (Parallel Sequencing)". By the page, a sequence, which is a calendar month of a UPI
// mandate, has one notice and one debit, whatever became of them, and the registration's own payment is the first. By the other, a debit that
// failed allows another notice, and the registration's payment does not count.
const (
	sequencePage    = "page"
	sequenceRetries = "retries"
)

// account guards the settings with a lock.
type account struct {
	mu    sync.Mutex
	now   settings
	turns atomic.Int64 // answers about mandates, whose 1 and 0 are numbers and texts by turns
}

// defaults are short enough to wait for; the settlement and the bank reference take realistic times.
func defaults(env func(string) string) (settings, error) {
	s := settings{
		RefundAfter: "2s", RefundEnds: refundSuccess, ARNAfter: "24h", RefundNotice: "once", SameDayRefunds: true,
		RefundRows: "negative", SettlementDays: 2, DebitAfter: "2s", ENACHDays: 1, MandateDays: 2, PeakHours: "queue", UPISequence: sequenceRetries, StatusType: "mixed",
		MandateNotices: "json",
	}
	if text := env("SANDBOX_REFUND_AFTER"); text != "" {
		s.RefundAfter = text
	}
	if text := env("SANDBOX_ARN_AFTER"); text != "" {
		s.ARNAfter = text
	}
	return s, s.validate()
}

func (s settings) validate() error {
	for _, text := range []string{s.RefundAfter, s.ARNAfter, s.DebitAfter} {
		if d, err := time.ParseDuration(text); err != nil || d < 0 {
			return fmt.Errorf("%q is not a duration such as 2s or 72h", text)
		}
	}
	for _, choice := range []struct {
		name, value string
		allowed     []string
	}{
		{"refund_ends", s.RefundEnds, refundStates()},
		{"refund_notice", s.RefundNotice, []string{"once", "lost", "twice"}},
		{"peak_hours", s.PeakHours, []string{"queue", "fail", "ignore"}},
		{"upi_sequence", s.UPISequence, []string{sequencePage, sequenceRetries}},
		{"status_type", s.StatusType, []string{"number", "text", "mixed"}},
		{"mandate_notices", s.MandateNotices, []string{"json", "form"}},
		{"refund_rows", s.RefundRows, []string{"negative", "positive"}},
	} {
		if !slices.Contains(choice.allowed, choice.value) {
			return fmt.Errorf("%s is not one of: %s", choice.name, strings.Join(choice.allowed, ", "))
		}
	}
	if min(s.SettlementDays, s.ENACHDays, s.MandateDays) < 0 || max(s.SettlementDays, s.ENACHDays, s.MandateDays) > 30 {
		return errors.New("settlement_days, enach_days and mandate_days are between 0 and 30")
	}
	return nil
}

// refundAfter and arnAfter are durations that validate has already parsed.
func (s settings) refundAfter() time.Duration { return duration(s.RefundAfter) }
func (s settings) arnAfter() time.Duration    { return duration(s.ARNAfter) }

func duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return d
}

func (a *account) get() settings {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now
}

// handleSettings shows the settings; handleChangeSettings changes those named in the JSON body.
func (s *server) handleSettings(w http.ResponseWriter, _ *http.Request) {
	sandbox.WriteJSON(w, http.StatusOK, s.account.get())
}

func (s *server) handleChangeSettings(w http.ResponseWriter, r *http.Request) {
	s.account.mu.Lock()
	defer s.account.mu.Unlock()
	draft := s.account.now
	err := sandbox.ReadJSON(w, r, &draft)
	if err == nil {
		err = draft.validate()
	}
	if err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	s.account.now = draft
	sandbox.WriteJSON(w, http.StatusOK, draft)
}
