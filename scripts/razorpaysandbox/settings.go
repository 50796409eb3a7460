package main

import (
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// settings are what the account, the banks or NPCI decide about mandates. They last until the sandbox ends.
type settings struct {
	DebitAfter   string `json:"debit_after"`   // business time from a debit to its end, once it is not queued
	EmandateDays int    `json:"emandate_days"` // working days from a netbanking debit to its end
	MandateDays  int    `json:"mandate_days"`  // working days until the bank decides late about a mandate
	PeakHours    string `json:"peak_hours"`    // queue, fail or ignore: UPI debits in NPCI's closed hours
	SaveVPA      bool   `json:"save_vpa"`      // a customer's list of tokens has those of UPI
}

type settingsBook struct {
	mu  sync.Mutex
	now settings
}

func (b *settingsBook) get() settings {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

func (s settings) validate() error {
	if d, err := time.ParseDuration(s.DebitAfter); err != nil || d < 0 {
		return errors.New("debit_after is a duration such as 2s or 10m")
	}
	if min(s.EmandateDays, s.MandateDays) < 0 || max(s.EmandateDays, s.MandateDays) > 30 {
		return errors.New("emandate_days and mandate_days are between 0 and 30")
	}
	if !slices.Contains([]string{"queue", "fail", "ignore"}, s.PeakHours) {
		return errors.New("peak_hours is one of: queue fail ignore")
	}
	return nil
}

// handleSettings shows the settings; handleChangeSettings changes those named in the body.
func (s *server) handleSettings(w http.ResponseWriter, _ *http.Request) {
	sandbox.WriteJSON(w, http.StatusOK, s.settings.get())
}

func (s *server) handleChangeSettings(w http.ResponseWriter, r *http.Request) {
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	draft := s.settings.now
	err := sandbox.ReadJSON(w, r, &draft)
	if err == nil {
		err = draft.validate()
	}
	if err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	s.settings.now = draft
	sandbox.WriteJSON(w, http.StatusOK, draft)
}
