package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// amountPattern is rupees with at most two decimals; the string itself is passed on unchanged throughout.
const amountPattern = `^[0-9]{1,10}(\.[0-9]{1,2})?$`

var errZero = errors.New("the amount is zero")

// paise parses an amount in rupees, such as "10.00", exactly; zero is rejected, as by PayU.
func paise(amount string) (int64, error) {
	if ok, err := regexp.MatchString(amountPattern, amount); err != nil || !ok {
		return 0, errors.New("the amount is not a number of rupees with at most two decimals")
	}
	whole, fraction, _ := strings.Cut(amount, ".")
	value, err := strconv.ParseInt(whole+(fraction + "00")[:2], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read the amount: %w", err)
	}
	if value == 0 {
		return 0, errZero
	}
	return value, nil
}

// rupees formats paise for the wire, such as "10.00".
func rupees(paise int64) string {
	sign := ""
	if paise < 0 {
		sign, paise = "-", -paise
	}
	return fmt.Sprintf("%s%d.%02d", sign, paise/100, paise%100)
}

// offByOnePaisa returns an amount that is wrong by one paisa.
func offByOnePaisa(amount string) (string, error) {
	value, err := paise(amount)
	if err != nil {
		return "", err
	}
	if value == 1 {
		return rupees(2), nil
	}
	return rupees(value - 1), nil
}

// display formats an amount for people, with Indian grouping: ₹1,59,300.00.
func display(amount string) string {
	whole, fraction, _ := strings.Cut(amount, ".")
	grouped := whole
	if len(whole) > 3 {
		head, tail := whole[:len(whole)-3], whole[len(whole)-3:]
		for len(head) > 2 {
			head, tail = head[:len(head)-2], head[len(head)-2:]+","+tail
		}
		grouped = head + "," + tail
	}
	return "₹" + grouped + "." + (fraction + "00")[:2]
}
