package cashfree

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// amount is a JSON number of rupees with at most two decimals, read without a float. Given is false for null.
type amount struct {
	Paise money.Paise
	Given bool
}

// UnmarshalJSON returns an error for anything else than null or such a number.
func (a *amount) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	p, err := money.Parse(string(b))
	if err != nil {
		return fmt.Errorf("amount %.40s: %w", b, err)
	}
	a.Paise, a.Given = p, true
	return nil
}

// rupees writes an amount as Cashfree reads it.
func rupees(p money.Paise) json.Number { return json.Number(p.Decimal()) }

// name is Cashfree's id of something. Version 2023-08-01 describes ids as strings, but its samples and webhooks also write numbers.
type name string

var errNotAName = errors.New("neither a text nor a whole number")

// UnmarshalJSON accepts a text, a whole number or null.
func (n *name) UnmarshalJSON(b []byte) error {
	var s string
	switch {
	case string(b) == "null":
		return nil
	case len(b) > 0 && b[0] == '"':
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
	default:
		if s = string(b); strings.Trim(s, "0123456789") != "" {
			return errNotAName
		}
	}
	*n = name(s)
	return nil
}

// at parses a time, zero if it is absent. Some times of disputes have no zone; they are not read.
func at(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	return t.UTC(), err
}
