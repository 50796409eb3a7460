// Package alert tells people what needs attention, so that nobody has to look to know: rules judge how queues, jobs, providers and
// books stand, and what they find is delivered, acknowledged, silenced and resolved.
package alert

import "time"

// Severity is how soon somebody is needed.
type Severity string

// Critical wants somebody now, Warning within the day.
const (
	Critical Severity = "critical"
	Warning  Severity = "warning"
)

// Finding is what a rule found. Subject is what it concerns, empty for the whole product, and the same for as long as it lasts.
type Finding struct {
	Rule     string
	Subject  string
	Severity Severity
	Message  string
	// Size counts what is wrong, 0 where that means nothing, and Parts names it. An open alert is told again when Size is ten times what
	// was told, when its severity rises, or when there is a new part.
	Size  int
	Parts []string
	// PartOf is the rule of another finding that causes this one, which therefore has no alert of its own.
	PartOf string
}

// Alert is a finding that lasts, or lasted. Its message names no person.
type Alert struct {
	ID             string     `db:"id"`
	Rule           string     `db:"rule"`
	Subject        string     `db:"subject"`
	Severity       Severity   `db:"severity"`
	Message        string     `db:"message"`
	OpenedAt       time.Time  `db:"opened_at"`
	SeenAt         time.Time  `db:"seen_at"`
	ResolvedAt     *time.Time `db:"resolved_at"`
	Told           bool       `db:"told"`
	AcknowledgedAt *time.Time `db:"acknowledged_at"`
	AcknowledgedBy string     `db:"acknowledged_by"`
	SilencedUntil  *time.Time `db:"silenced_until"`
	SilencedBy     string     `db:"silenced_by"`
	SilenceReason  string     `db:"silence_reason"`
}

// Silenced reports whether the alert is delivered to nobody at that time.
func (a Alert) Silenced(now time.Time) bool {
	return a.SilencedUntil != nil && now.Before(*a.SilencedUntil)
}

// Event is one entry of an alert's history.
type Event struct {
	AlertID string    `db:"alert_id"`
	Kind    string    `db:"kind"`
	At      time.Time `db:"at"`
	By      string    `db:"by_name"`
	Detail  string    `db:"detail"`
}

// The kinds of events.
const (
	eventFired        = "fired"
	eventGrown        = "grown"
	eventDelivered    = "delivered"
	eventNotDelivered = "not_delivered"
	eventAcknowledged = "acknowledged"
	eventSilenced     = "silenced"
	eventUnsilenced   = "unsilenced"
	eventResolved     = "resolved"
)

// Past is an alert with its history.
type Past struct {
	Alert

	Events []Event
}

// Thresholds are the limits beyond which rules raise an alert.
type Thresholds struct {
	// Window is the time over which failures are counted.
	Window time.Duration
	// FailurePercent is the share of failed attempts, and FailureCount the least number of them.
	FailurePercent, FailureCount int
	// FailingJobs is how many jobs of one kind may be failing at once.
	FailingJobs int
	// HungAfter is how long all workers of a queue may be busy with the same jobs while others wait.
	HungAfter time.Duration
	// ScheduleLate is how late a recurring job may be.
	ScheduleLate time.Duration
	// BooksUnchecked is the greatest age of the last check of the books.
	BooksUnchecked time.Duration
	// BackupMissing is the greatest age of the last backup; 0 means that nobody is told.
	BackupMissing time.Duration
	// SMSPerDay is how many SMS unknown browsers may request in a day.
	SMSPerDay int
}

// resolveAfter is how long a finding has to be gone until its alert is resolved, so that one that comes and goes is told once.
const resolveAfter = time.Minute

// keepFor is how long resolved alerts are kept.
const keepFor = 90 * 24 * time.Hour
