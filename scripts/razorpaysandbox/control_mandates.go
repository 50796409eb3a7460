package main

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// tokenChange is what happens to a mandate at the bank or in the customer's app.
type tokenChange struct {
	Status      string `json:"status"`       // confirmed, rejected, paused or cancelled; empty leaves it
	For         string `json:"for"`          // how long a pause lasts in business time; it then lapses without an event
	Webhook     string `json:"webhook"`      // once, twice or lost
	MaxAmount   int64  `json:"max_amount"`   // in paise
	Next        string `json:"next"`         // a failure reason, late (fails, then succeeds after 60 hours) or stuck (waits for an outcome call)
	NextNotice  string `json:"next_notice"`  // failed: the next notice is not delivered
	NextWebhook string `json:"next_webhook"` // of the next debit
}

var errNoToken = errors.New("no token has this id")

func (s *server) handleTokens(w http.ResponseWriter, _ *http.Request) {
	sandbox.WriteJSON(w, http.StatusOK, s.book.tokens())
}

// tokens returns copies of all tokens, newest first.
func (b *book) tokens() []token {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := make([]token, 0, len(b.state.Tokens))
	for _, t := range b.state.Tokens {
		list = append(list, *t)
	}
	slices.SortFunc(list, func(a, b token) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return list
}

// accounts returns copies of all virtual accounts, newest first.
func (b *book) accounts() []virtualAccount {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := make([]virtualAccount, 0, len(b.state.Accounts))
	for _, v := range b.state.Accounts {
		list = append(list, *v)
	}
	slices.SortFunc(list, func(a, b virtualAccount) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return list
}

// handleChangeToken changes a token and sends its event; the answer is the token.
func (s *server) handleChangeToken(w http.ResponseWriter, r *http.Request) {
	var asked tokenChange
	err := sandbox.ReadJSON(w, r, &asked)
	var changed token
	if err == nil {
		changed, err = s.changeToken(r.PathValue("id"), asked)
	}
	switch {
	case errors.Is(err, errNoToken):
		sandbox.WriteError(w, http.StatusNotFound, err)
	case err != nil:
		sandbox.WriteError(w, http.StatusBadRequest, err)
	default:
		sandbox.WriteJSON(w, http.StatusOK, changed)
	}
}

func (s *server) changeToken(id string, asked tokenChange) (token, error) {
	if asked.Webhook == "" {
		asked.Webhook = webhookOnce
	}
	if asked.Status != "" && !slices.Contains([]string{tokenConfirmed, tokenRejected, tokenPaused, tokenCancelled}, asked.Status) {
		return token{}, errors.New("status is one of: confirmed rejected paused cancelled")
	}
	lasts, err := time.ParseDuration(asked.For)
	if asked.For != "" && (err != nil || lasts <= 0) {
		return token{}, errors.New("for is a duration such as 24h")
	}
	now := s.now()
	var changed token
	err = s.book.change(func(d *draft) error {
		t := d.token(id)
		if t == nil {
			return errNoToken
		}
		for from, into := range map[*string]*string{
			&asked.Next: &t.Next, &asked.NextNotice: &t.NextNotice, &asked.NextWebhook: &t.NextWebhook,
		} {
			if *from != "" {
				*into = *from
			}
		}
		if asked.MaxAmount > 0 {
			t.MaxAmount = asked.MaxAmount
		}
		if was := t.Status; asked.Status != "" && asked.Status != was {
			t.Status, t.ResumesAt = asked.Status, time.Time{}
			if asked.For != "" && t.Status == tokenPaused {
				t.ResumesAt = now.Add(lasts)
			}
			// token.resumed appears only with the custom checkout, so that the end of a pause is not told.
			if was != tokenPaused || t.Status != tokenConfirmed {
				teller{draft: d, now: now, webhook: asked.Webhook}.token(t)
			}
		}
		changed = *t
		return nil
	})
	s.wake()
	return changed, err
}

// handleTokenForm changes a token from the sandbox's own page.
func (s *server) handleTokenForm(w http.ResponseWriter, r *http.Request) {
	asked := tokenChange{Status: r.PostFormValue("act"), Webhook: r.PostFormValue("webhook")}
	switch name, value, _ := strings.Cut(asked.Status, ":"); name {
	case "next":
		asked.Status, asked.Next = "", value
	case "notice":
		asked.Status, asked.NextNotice = "", value
	}
	if _, err := s.changeToken(r.PathValue("id"), asked); err != nil {
		s.refuse(w, http.StatusBadRequest, "The mandate was not changed: "+err.Error()+".")
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
