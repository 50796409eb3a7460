package main

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// order is the merchant's form. The amount stays the string that was posted.
type order struct {
	TxnID       string     `json:"txnid"`
	Amount      string     `json:"amount"`
	ProductInfo string     `json:"productinfo"`
	FirstName   string     `json:"firstname"`
	LastName    string     `json:"lastname"`
	Email       string     `json:"email"`
	Phone       string     `json:"phone"`
	Address     [6]string  `json:"address"` // address1, address2, city, state, country, zipcode
	UDF         [10]string `json:"udf"`     // the first five are signed
	SuccessURL  string     `json:"surl"`
	FailureURL  string     `json:"furl"`
	CancelURL   string     `json:"curl"`
	Method      string     `json:"method"`  // the method preselected on the page
	Methods     []string   `json:"methods"` // those allowed by enforce_paymethod; all if empty
	Terms       *terms     `json:"terms,omitempty"`
	SI          string     `json:"si_details,omitempty"` // as posted, and as signed
}

// addressNames returns the form field names for order.Address, in its order.
func addressNames() []string {
	return []string{"address1", "address2", "city", "state", "country", "zipcode"}
}

// methods returns the payment modes that the page offers, by PayU's codes.
func methods() []string { return []string{"CC", "DC", "UPI", "NB"} }

// parseOrder reads the merchant's form and rejects what PayU rejects; the page shows the message.
func parseOrder(form url.Values) (order, error) {
	o := order{
		TxnID: form.Get("txnid"), Amount: form.Get("amount"), ProductInfo: form.Get("productinfo"),
		FirstName: form.Get("firstname"), LastName: form.Get("lastname"), Email: form.Get("email"), Phone: form.Get("phone"),
		SuccessURL: form.Get("surl"), FailureURL: form.Get("furl"), CancelURL: form.Get("curl"),
	}
	o.Method, o.Methods = offered(form)
	for i := range o.UDF {
		o.UDF[i] = form.Get(fmt.Sprintf("udf%d", i+1))
	}
	for i, name := range addressNames() {
		o.Address[i] = form.Get(name)
	}
	var err error
	if o.Terms, err = parseTerms(form); err != nil {
		return o, err
	}
	if o.Terms != nil {
		o.SI = form.Get("si_details")
	}
	return o, o.validate()
}

// validate checks the form against the published limits of `_payment`. Source: PayU, Additional Info for Payment APIs (txnid
// 25, productinfo 100, firstname 60, email 50, udf 255 characters).
func (o order) validate() error {
	required := []struct {
		name, value string
		limit       int
	}{
		{"txnid", o.TxnID, 25},
		{"amount", o.Amount, 20},
		{"productinfo", o.ProductInfo, 100},
		{"firstname", o.FirstName, 60},
		{"email", o.Email, 50},
		{"phone", o.Phone, 50},
		{"surl", o.SuccessURL, 2000},
		{"furl", o.FailureURL, 2000},
	}
	for _, field := range required {
		if field.value == "" {
			return fmt.Errorf("the mandatory parameter %s is missing", field.name)
		}
		if utf8.RuneCountInString(field.value) > field.limit {
			return fmt.Errorf("%s takes at most %d characters", field.name, field.limit)
		}
	}
	if ok, err := regexp.MatchString(`^[A-Za-z0-9_-]+$`, o.TxnID); err != nil || !ok {
		return errors.New("txnid takes letters, digits, hyphens and underscores")
	}
	if _, err := paise(o.Amount); err != nil && (o.Terms == nil || !errors.Is(err, errZero)) {
		return err
	}
	for i, value := range o.UDF {
		if utf8.RuneCountInString(value) > 255 {
			return fmt.Errorf("udf%d takes at most 255 characters", i+1)
		}
	}
	for _, value := range append(o.UDF[:5:5], o.ProductInfo, o.FirstName, o.Email) {
		if strings.Contains(value, "|") {
			return errors.New("a signed parameter contains the separator |")
		}
	}
	return o.validateReturn()
}

func (o order) validateReturn() error {
	addresses := []string{o.SuccessURL, o.FailureURL}
	if o.CancelURL != "" {
		addresses = append(addresses, o.CancelURL)
	}
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return errors.New("surl, furl and curl must be http or https addresses")
		}
	}
	return nil
}

// offered returns the preselected method and, with enforce_paymethod, the methods the page offers.
func offered(form url.Values) (string, []string) {
	var only []string
	for name := range strings.SplitSeq(form.Get("enforce_paymethod"), "|") {
		code := method(name)
		if code != "" && !slices.Contains(only, code) {
			only = append(only, code)
		}
	}
	switch {
	case len(only) > 0:
		return only[0], only
	case method(form.Get("pg")) != "":
		return method(form.Get("pg")), nil
	default:
		return "CC", nil
	}
}

// method returns the mode for a value of enforce_paymethod or pg, or "" if the sandbox does not offer it.
func method(name string) string {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "creditcard", "cc":
		return "CC"
	case "debitcard", "dc":
		return "DC"
	case "upi":
		return "UPI"
	case "netbanking", "nb":
		return "NB"
	default:
		return ""
	}
}
