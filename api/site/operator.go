package site

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"
)

// Operator is who runs the site, as every page names it (rule 4(2), Consumer Protection (E-Commerce) Rules 2020).
type Operator struct {
	Name string `json:"name"`
	// Address is one line.
	Address string `json:"address"`
	// Registration is the company's number and GSTIN in one line, as far as there are any.
	Registration string `json:"registration"`
	Email        string `json:"email"`
	Phone        string `json:"phone"`
	// Officer is the grievance officer's name and designation.
	Officer      string `json:"officer"`
	OfficerEmail string `json:"officerEmail"`
	OfficerPhone string `json:"officerPhone"`
	OfficerHours string `json:"officerHours"`
	// Sample says that the data are fictitious; empty in production.
	Sample string `json:"sample"`
}

// operatorMark is the place for all of it as JSON, for scripts; the other marks are single facts, %OPERATOR_EMAIL% and
// so on, in the markup.
const operatorMark = "%OPERATOR%"

// marks lists what replaces each mark in a page. A telephone number has a second one, for links.
func (o Operator) marks() []string {
	facts, err := json.Marshal(o) // escapes <, > and &, so that it cannot end the element that it stands in
	if err != nil {
		facts = []byte("{}")
	}
	pairs := []string{operatorMark, string(facts)}
	for name, fact := range map[string]string{
		"NAME": o.Name, "ADDRESS": o.Address, "REGISTRATION": o.Registration, "EMAIL": o.Email, "PHONE": o.Phone,
		"OFFICER": o.Officer, "OFFICER_EMAIL": o.OfficerEmail, "OFFICER_PHONE": o.OfficerPhone, "OFFICER_HOURS": o.OfficerHours,
		"SAMPLE": o.Sample, "PHONE_DIGITS": dialled(o.Phone), "OFFICER_PHONE_DIGITS": dialled(o.OfficerPhone),
	} {
		pairs = append(pairs, "%OPERATOR_"+name+"%", html.EscapeString(fact))
	}
	return pairs
}

// dialled leaves the digits of a telephone number and a leading plus.
func dialled(phone string) string {
	return strings.Map(func(r rune) rune {
		if r == '+' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, phone)
}

// fill puts the site's address and its operator into a page.
func fill(page []byte, o Options) []byte {
	page = bytes.ReplaceAll(page, []byte(originMark), []byte(o.PublicURL))
	if !bytes.Contains(page, []byte("%OPERATOR")) {
		return page
	}
	return []byte(strings.NewReplacer(o.Operator.marks()...).Replace(string(page)))
}
