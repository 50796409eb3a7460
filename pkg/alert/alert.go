// Package alert notifies people of problems. Its rules judge the state of queues, jobs, providers and books. Their findings are
// delivered, acknowledged, silenced and resolved.
package alert

import "time"

// Severity is the urgency of an alert.
type Severity string

// Critical needs action now, Warning within the day.
const (
	Critical Severity = "critical"
	Warning  Severity = "warning"
)

// Finding is a problem that a rule found. Subject is the thing concerned, empty for the whole product; it stays the same while the
// problem lasts.
type Finding struct {
	Rule     string
	Subject  string
	Severity Severity
	Message  string
	// Size counts the problems, 0 if a count means nothing, and Parts names them. An open alert is sent again when Size is ten times the
	// size sent, when its severity rises, or when there is a new part.
	Size  int
	Parts []string
	// PartOf is the rule of another finding that causes this one. Such a finding has no separate alert.
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

// Silenced reports whether delivery of the alert is suppressed at that time.
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
	// BackupMissing is the greatest age of the last backup; 0 switches the alert off.
	BackupMissing time.Duration
	// SMSPerDay is how many SMS unknown browsers may request in a day.
	SMSPerDay int
}

// resolveAfter is how long a finding must be gone before its alert is resolved, so that a flapping finding is sent once.
const resolveAfter = time.Minute

// keepFor is how long resolved alerts are kept.
const keepFor = 90 * 24 * time.Hour
