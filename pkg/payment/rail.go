package payment

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// railLimit is the most that one payment by a method may be, from a day in India on.
type railLimit struct {
	method Method
	from   time.Time
	most   money.Paise
}

// railLimits returns the dated limits, the newest of a method last. UPI: ₹1,00,000 a payment to ordinary merchants (NPCI, UPI transaction
// limits); the higher ones of 15 September 2025 are for categories such as insurance and securities, which this is not. Cards and net
// banking have no limit of the rail. The limits of mandates are in pkg/mandate.
func railLimits() []railLimit {
	return []railLimit{
		{method: MethodUPI, from: time.Date(2016, time.April, 11, 0, 0, 0, 0, clock.IST), most: 1_00_000 * money.Rupee},
	}
}

// limit returns the most that one payment by the method may be at the time, 0 if there is no limit.
func (m Method) limit(at time.Time) (most money.Paise) {
	for _, l := range railLimits() {
		if l.method == m && !at.Before(l.from) {
			most = l.most
		}
	}
	return most
}

// Within returns the method, or MethodAny if the amount is above the method's limit: the gateway's page then offers the others as well.
func (m Method) Within(amount money.Paise, at time.Time) Method {
	if most := m.limit(at); most > 0 && amount > most {
		return MethodAny
	}
	return m
}

// UPILimit returns the most that one UPI payment may be if the amount is more than that, else 0.
func UPILimit(amount money.Paise, at time.Time) money.Paise {
	if MethodUPI.Within(amount, at) == MethodUPI {
		return 0
	}
	return MethodUPI.limit(at)
}
