package main

import (
	"bytes"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// apiError is an error response in the documented envelope (About Errors).
type apiError struct {
	status      int // 400 when not set
	code        string
	description string
	field       string
	reason      string // input_validation_failed when not set
	bare        bool   // source, step and reason are NA, as in the samples of calls that started nothing
}

func (e apiError) Error() string { return e.description }

// bad rejects the input, naming the offending field if there is one.
func bad(description, field string) error { return apiError{description: description, field: field} }

var (
	errNoID    = apiError{description: "The id provided does not exist"}
	errNoRoute = apiError{status: http.StatusNotFound, description: "The requested URL was not found on the server.", bare: true}
	errKeys    = apiError{status: http.StatusUnauthorized, description: "Authentication failed", bare: true}
	errTooMany = apiError{status: http.StatusTooManyRequests, description: "Request failed. Please try after sometime.", bare: true}
)

func errorBody(e apiError) fields {
	code := e.code
	if code == "" {
		code = "BAD_REQUEST_ERROR"
	}
	inner := fields{
		"code": code, "description": e.description, "source": "business", "step": "payment_initiation",
		"reason": "input_validation_failed", "metadata": fields{},
	}
	if e.bare {
		inner["source"], inner["step"], inner["reason"] = "NA", "NA", "NA"
	}
	if e.reason != "" {
		inner["reason"] = e.reason
	}
	if e.field != "" {
		inner["field"] = e.field
	}
	return fields{"error": inner}
}

// Misbehaviour specific to Razorpay. In these modes the call is refused.
const (
	modeThrottle = "throttle" // 429
	modeBalance  = "balance"  // refunds: 400, the account's balance is too small
)

// api registers an API call with Basic authentication and the mode; all answers are written here. Time advances first, so that
// every answer is current.
func (s *server) api(mux *http.ServeMux, pattern string, call func(r *http.Request) (any, error)) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
		if !s.authentic(r) {
			s.refuseCall(w, errKeys)
			return
		}
		content, err := io.ReadAll(r.Body)
		if err != nil {
			s.refuseCall(w, apiError{description: "The request body is too large."})
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(content)) // it outlives a caller that is gone
		about := r.URL.Path + "\n" + string(content)
		s.hold.Before(s.closing, pattern, about)
		if err := s.advance(); err != nil {
			s.refuseCall(w, apiError{status: http.StatusInternalServerError, code: "SERVER_ERROR", description: err.Error(), bare: true})
			return
		}
		name := s.mode.Next()
		refunding := strings.HasSuffix(r.URL.Path, "/refund")
		switch {
		case name == modeThrottle:
			s.refuseCall(w, errTooMany)
			return
		case name == modeBalance && refunding:
			s.refuseCall(w, apiError{description: "Your account does not have enough balance to carry out the refund operation."})
			return
		}
		if key := r.Header.Get(idempotencyHeader); refunding && key != "" {
			if _, busy := s.refunding.LoadOrStore(key, true); busy {
				s.refuseCall(w, errInProgress)
				return
			}
			defer s.refunding.Delete(key)
		}
		answer, err := call(r)
		s.wake()
		s.hold.After(s.closing, pattern, about)
		// The call has already taken effect: a misbehaving gateway loses the answer, not the action.
		var refused apiError
		switch {
		case errors.As(err, &refused):
			s.answer(w, r, name, max(refused.status, http.StatusBadRequest), errorBody(refused))
		case err != nil:
			s.answer(w, r, sandbox.ModeError, 0, nil)
		default:
			s.answer(w, r, name, http.StatusOK, answer)
		}
	})
}

// answer writes what a call returned, altered as the mode requires.
func (s *server) answer(w http.ResponseWriter, r *http.Request, mode string, status int, body any) {
	s.mode.Write(w, r, mode, s.closing, sandbox.Answer{
		Body: body, Write: func(w http.ResponseWriter) { sandbox.WriteJSON(w, status, body) },
		Fault: func(w http.ResponseWriter) {
			sandbox.WriteJSON(w, http.StatusInternalServerError, errorBody(apiError{
				code:        "SERVER_ERROR",
				description: "We are facing some trouble completing your request at the moment. Please try again shortly.",
			}))
		},
	})
}

func (s *server) authentic(r *http.Request) bool {
	id, secret, ok := r.BasicAuth()
	return ok && subtle.ConstantTimeCompare([]byte(id), []byte(s.keyID)) == 1 &&
		subtle.ConstantTimeCompare([]byte(secret), []byte(s.keySecret)) == 1
}

func (s *server) refuseCall(w http.ResponseWriter, e apiError) {
	sandbox.WriteJSON(w, max(e.status, http.StatusBadRequest), errorBody(e))
}

// body reads a JSON object and rejects fields unknown to the call, as documented.
func body(r *http.Request, known ...string) (map[string]json.RawMessage, []byte, error) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, nil, bad("The request body is too large.", "")
	}
	given := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(raw)) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, nil, bad("The request body is not a valid JSON object.", "")
		}
	}
	var extra []string
	for name := range given {
		if !contains(known, name) {
			extra = append(extra, name)
		}
	}
	if len(extra) > 0 {
		sort.Strings(extra)
		return nil, nil, bad(strings.Join(extra, ", ")+" is/are not required and should not be sent", "")
	}
	return given, raw, nil
}

func contains(list []string, name string) bool {
	return slices.Contains(list, name)
}

// amount reads whole paise, one rupee or more.
func amount(raw json.RawMessage) (int64, error) {
	value, err := strconv.ParseInt(strings.Trim(string(raw), `"`), 10, 64)
	if err != nil {
		return 0, bad("The amount must be an integer.", "amount")
	}
	if value < 100 {
		return 0, bad("The amount must be at least INR 1.00", "amount")
	}
	return value, nil
}

func text(raw json.RawMessage) (string, bool) {
	var value string
	if len(raw) == 0 || string(raw) == "null" {
		return "", true
	}
	err := json.Unmarshal(raw, &value)
	return value, err == nil
}

// page returns the part of a list that count and skip select.
func page(items []fields, query url.Values, otherwise, most int) ([]fields, error) {
	count, err := number(query, "count", otherwise)
	if err != nil {
		return nil, err
	}
	skip, err := number(query, "skip", 0)
	if err != nil {
		return nil, err
	}
	switch {
	case count < 1:
		return nil, bad("The count must be at least 1.", "count")
	case count > most:
		return nil, bad("The count may not be greater than "+strconv.Itoa(most)+".", "count")
	case skip < 0:
		return nil, bad("The skip must be at least 0.", "skip")
	}
	skip = min(skip, len(items))
	return items[skip:min(skip+count, len(items))], nil
}

func number(query url.Values, name string, otherwise int) (int, error) {
	if query.Get(name) == "" {
		return otherwise, nil
	}
	value, err := strconv.Atoi(query.Get(name))
	if err != nil {
		return 0, bad("The "+name+" must be an integer.", name)
	}
	return value, nil
}

// between returns the items created in the time span given by from and to.
func between(items []fields, query url.Values) ([]fields, error) {
	from, err := number(query, "from", 0)
	if err != nil {
		return nil, err
	}
	to, err := number(query, "to", 1<<60)
	if err != nil {
		return nil, err
	}
	var kept []fields
	for _, item := range items {
		if at, ok := item["created_at"].(int64); ok && at >= int64(from) && at <= int64(to) {
			kept = append(kept, item)
		}
	}
	return kept, nil
}
