package alert

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/webhook"
)

// Rule is one condition that raises an alert.
type Rule struct {
	Name string
	// Measures names the measured value, and Setting the setting of its threshold, or is empty.
	Measures, Setting string
	// Runbook is the rule's file in scripts/monitoring/runbooks, unless RunbookOf names another one for the subject. Console is the page
	// for handling the alert; {subject} is replaced.
	Runbook, Console string
	// Anywhere is set for a rule that the api can judge too, without a member of staff and without a worker.
	Anywhere bool

	find func(s Sight, t Thresholds) []Finding
	// limit describes the threshold of the alert in words.
	limit func(t Thresholds) string
}

// Rules are all rules. A new one is an entry here.
func Rules() []Rule {
	return []Rule{
		{"no_workers", "worker processes that report", "", "no-workers", "/support/queues", true, noWorkers, fixed("none for 45 seconds")},
		{"dependency_failing", "failed attempts of the jobs that need one dependency", "", "jobs", "/support/jobs", true, dependencyFailing, shareOrSomebodyWaits},
		{"database_failing", "failed attempts of jobs whose cause is the database", "", "database", "/support/jobs", true, databaseFailing, shareOrSomebodyWaits},
		{ruleDatabaseAway, "looks of this watch itself, which needs the database", "", "database", "/support/alerts", true, unjudged, fixed(fmt.Sprintf("%d looks in a row that fail", looksUntilAway))},
		{"redis_away", "whether Redis answers this process", "", "redis", "/support/alerts", true, awayRedis, fixed(fmt.Sprintf("%d looks in a row without an answer", redisLooks))},
		{"jobs_failing", "the share of failed attempts, and the failing jobs, of one kind", "", "jobs", "/support/jobs?kind={subject}", true, jobsFailing, shareOrNumberFailing},
		{"stuck_job", "jobs that run past the time after which another worker has them", "", "jobs", "/support/jobs?job={subject}", true, stuckJobs, fixed("any")},
		{"hung_queue", "queues whose workers all hold the same jobs while others wait", "", "jobs", "/support/queues", true, hungQueues, func(t Thresholds) string { return span(t.HungAfter) }},
		{"aging_queue", "how long the first job of a queue has waited", "", "jobs", "/support/queues", true, agingQueues, ages},
		{"paused_queue", "queues that are paused", "", "jobs", "/support/queues", true, pausedQueues, fixed("any")},
		{"schedule_missed", "recurring jobs that were due and did not start", "", "jobs", "/support/queues", true, missedSchedules, func(t Thresholds) string { return span(t.ScheduleLate) + " late, or its last run failed" }},
		{"sms_provider", "providers of messages that refuse or fail repeatedly", "", "codes", "/support/queues", true, failingProviders, fixed("three in a row, or one refusal of our account")},
		{"sms_volume", "SMS with codes that were asked for in a day", "SMS_PER_DAY", "codes", "/support/alerts", true, unusualVolume, volumeLimit},
		{"lost_documents", "documents that the object store has lost", "", "documents-lost", "/support", true, lostDocuments, fixed("any")},
		{"debits_refused", "debits of renewals whose request the gateway did not accept", "", "gateway", "/support", true, refusedDebits, fixed("any in six hours")},
		{"payment_held", "payments that brought another amount than was asked for", "", "payment-held", "/support/payments/{subject}", false, heldPayments, fixed("any")},
		{"payments_undecided", "payments that a gateway has not decided", "", "payments-late", "/support", false, undecidedPayments, fixed("any for an hour")},
		{"notices_missing", "notices of the payments that were found paid by asking", "", "gateway", "/support/alerts", false, missingNotices, func(t Thresholds) string {
			return fmt.Sprintf("%d payments in a row without one in %s", unnoticed, span(t.Window))
		}},
		{ruleTrailChanged, "the last check of the audit trail", "", "audit-trail", "/support/audit", false, changedTrail, fixed("any finding")},
		{ruleTrailUnchecked, "the age of the last check of the audit trail", "", "audit-trail", "/support/audit", false, uncheckedTrail, fixed(span(trailUnchecked))},
		{ruleBooksUnsound, "the last check of the books", "", "books", "/support/invariants", false, unsoundBooks, fixed("any finding")},
		{ruleBooksUnchecked, "the age of the last check of the books", "", "books", "/support/invariants", false, uncheckedBooks, func(t Thresholds) string { return span(t.BooksUnchecked) }},
		{"backup_missing", "the age of the last backup", "ALERT_BACKUP_MISSING", "backups", "/support/alerts", false, missingBackup, backupLimit},
		{"archiving_failing", "the archiving of Postgres' log", "", "archiving", "/support/alerts", true, failingArchiving, fixed("no segment for " + span(archivingFails))},
		{"slot_holds_wal", "replication slots without a standby", "", "archiving", "/support/alerts", true, holdingSlots, fixed("more than 1 GiB held")},
		{"site_away", "the site's answer at its public address", "", "proxy", "/support/alerts", false, awaySite, fixed("none for two minutes")},
		{"einvoice_unregistered", "documents that the Invoice Registration Portal has not registered", "", "documents", "/support/e-invoices", false, unregistered, fixed("any for 20 days, critical from 27")},
		{"deliveries_late", "bought features that are not delivered on their promised day", "", "deliveries", "/support/deliveries?state=late", false, lateDeliveries, fixed("any")},
		{"webhook", "connected systems that are not told any more", "", "jobs", "/support/connected", false, stoppedSystems, fixed("any")},
	}
}

// RuleOf returns the rule of that name, or nil if this release does not know it.
func RuleOf(name string) *Rule {
	rules := Rules()
	if i := slices.IndexFunc(rules, func(r Rule) bool { return r.Name == name }); i >= 0 {
		return &rules[i]
	}
	return nil
}

// RunbookOf returns the runbook, a file of scripts/monitoring/runbooks without its .md, for an alert of this rule and subject; it is
// empty for a rule that this release does not know.
func RunbookOf(rule, subject string) string {
	r := RuleOf(rule)
	if r == nil {
		return ""
	}
	if special := runbooks()[rule][subject]; special != "" {
		return special
	}
	return r.Runbook
}

// runbooks are those of single subjects, by rule.
func runbooks() map[string]map[string]string {
	return map[string]map[string]string{
		"dependency_failing": {"object store": "documents", "SMS provider": "codes", "payment gateway": "gateway", dependencyPortal: "documents"},
		"aging_queue":        {queue.QueueOTP: "codes", queue.QueuePayments: "payments-late", queue.QueueDocuments: "documents"},
		"sms_provider":       {message.EmailProvider: "email", message.WhatsAppProvider: "whatsapp"},
	}
}

// PageOf returns the page of the console where an alert of this rule and subject is seen to.
func PageOf(rule, subject string) string {
	r := RuleOf(rule)
	if r == nil {
		return "/support"
	}
	return strings.ReplaceAll(r.Console, "{subject}", url.QueryEscape(subject))
}

// Judge returns the rules' findings in the sight. It marks findings that another one causes as its parts.
func Judge(rules []Rule, s Sight, t Thresholds) []Finding {
	var found []Finding
	for _, r := range rules {
		for _, f := range r.find(s, t) {
			f.Rule = r.Name
			found = append(found, f)
		}
	}
	return withCauses(found)
}

// unjudged is for rules that a look cannot judge.
func unjudged(Sight, Thresholds) []Finding { return nil }

func awayRedis(s Sight, _ Thresholds) []Finding {
	if !s.RedisAway {
		return nil
	}
	return []Finding{{Severity: Warning, Message: "Redis does not answer. Everything works through Postgres meanwhile, a little slower."}}
}

// Just after an outage of the database every worker is silent, because no worker could report to it.
func noWorkers(s Sight, _ Thresholds) []Finding {
	if s.Workers > 0 || s.Unsteady {
		return nil
	}
	return []Finding{{Severity: Critical, Message: "No worker is running: nothing is sent, verified or rendered."}}
}

func stuckJobs(s Sight, _ Thresholds) []Finding {
	var found []Finding
	for _, j := range s.Stuck {
		found = append(found, Finding{Subject: fmt.Sprint(j.ID), Severity: Critical, Message: fmt.Sprintf(
			"Job %d (%s) has been running for %s; after %s another worker should have it.", j.ID, j.Kind, span(seconds(j.Age)), span(queue.RescueAfter))})
	}
	return found
}

func hungQueues(s Sight, t Thresholds) []Finding {
	var found []Finding
	for _, q := range s.Queues {
		if q.Capacity > 0 && q.Running >= q.Capacity && q.Depth > 0 && seconds(q.YoungestRun) >= t.HungAfter {
			found = append(found, Finding{Subject: q.Name, Severity: Critical, Message: fmt.Sprintf(
				"Queue %s hangs: all %d workers have held their jobs for %s or longer, and %d jobs wait.", q.Name, q.Capacity, span(seconds(q.YoungestRun)), q.Depth)})
		}
	}
	return found
}

func agingQueues(s Sight, _ Thresholds) []Finding {
	var found []Finding
	for _, q := range s.Queues {
		if limit := queue.AgesAfter(q.Name); q.Depth > 0 && seconds(q.OldestAge) > limit {
			found = append(found, Finding{Subject: q.Name, Severity: Critical, Message: fmt.Sprintf(
				"The first of %d jobs in queue %s has waited for %s; more than %s is too long.", q.Depth, q.Name, span(seconds(q.OldestAge)), span(limit))})
		}
	}
	return found
}

func pausedQueues(s Sight, _ Thresholds) []Finding {
	var found []Finding
	for _, q := range s.Queues {
		if q.Paused {
			found = append(found, Finding{Subject: q.Name, Severity: Warning, Message: fmt.Sprintf("Queue %s is paused: its jobs wait until an admin resumes it.", q.Name)})
		}
	}
	return found
}

func failingProviders(s Sight, _ Thresholds) []Finding {
	var found []Finding
	for _, f := range s.Faults {
		what := map[string]string{
			"account_fault": "refuses our account", "limited": "has its rate limit reached", "unconfirmed": "does not answer",
		}[f.Fault]
		if what == "" {
			what = "fails"
		}
		if f.Code != "" {
			what += " (" + f.Code + ")"
		}
		who, then := "SMS provider "+f.Provider, "codes and messages wait, or go out through another one"
		if f.Provider == message.EmailProvider {
			who, then = "The mail server", "e-mails wait"
		}
		if f.Provider == message.WhatsAppProvider {
			who, then = "WhatsApp", "messages by WhatsApp wait; the same go out by SMS"
		}
		found = append(found, Finding{Subject: f.Provider, Severity: Critical, Size: f.Failures, Message: fmt.Sprintf(
			"%s %s, %d times in a row since %s IST: "+then+".", who, what, f.Failures, f.Since.In(clock.IST).Format("2 Jan 15:04"))})
	}
	return found
}

func lostDocuments(s Sight, _ Thresholds) []Finding {
	if s.Lost == 0 {
		return nil
	}
	what := fmt.Sprintf("%d documents are", s.Lost)
	if s.Lost == 1 {
		what = "1 document is"
	}
	return []Finding{{Severity: Warning, Size: int(s.Lost), Message: what + " missing from the object store: customers cannot download them. Render them again on the console's first page."}}
}

func refusedDebits(s Sight, _ Thresholds) []Finding {
	if s.Refused == 0 {
		return nil
	}
	return []Finding{{Severity: Critical, Size: int(s.Refused), Message: fmt.Sprintf(
		"The gateway did not accept the request for %d debits of renewals: look at its key and salt, and at its status. They are asked for again within the day.", s.Refused)}}
}

// mostHeld is how many held payments have an alert each; staff who have not seen to these need no further one.
const mostHeld = 20

func heldPayments(s Sight, _ Thresholds) []Finding {
	var found []Finding
	for _, p := range s.Payments.Held[:min(len(s.Payments.Held), mostHeld)] {
		found = append(found, Finding{Subject: p.TransactionID, Severity: Critical, Message: "Payment " + p.TransactionID + " is held: " + p.Wrong})
	}
	return found
}

func undecidedPayments(s Sight, _ Thresholds) []Finding {
	var found []Finding
	for _, gateway := range slices.Sorted(maps.Keys(s.Payments.Undecided)) {
		what := fmt.Sprintf("%d payments have", s.Payments.Undecided[gateway])
		if s.Payments.Undecided[gateway] == 1 {
			what = "1 payment has"
		}
		found = append(found, Finding{Subject: gateway, Severity: Warning, Size: s.Payments.Undecided[gateway], Message: what + " not been decided by " + gateway +
			" for an hour: the customers may have been debited. Ask the gateway, from the console's first page."})
	}
	return found
}

// unnoticed is how many payments without any notice are no accident.
const unnoticed = 3

func missingNotices(s Sight, _ Thresholds) []Finding {
	var found []Finding
	for _, h := range s.Payments.Unheard {
		if h.Payments >= unnoticed {
			found = append(found, Finding{Subject: h.Gateway, Severity: Warning, Message: fmt.Sprintf(
				"No notice of %s arrives: its last %d payments were found paid by asking, so plans begin late. Nothing is lost. "+
					"Look at the address and the secret of the webhook in its dashboard.", h.Gateway, h.Payments)})
		}
	}
	return found
}

func unsoundBooks(s Sight, _ Thresholds) []Finding {
	if s.Books == nil || s.Books.Findings == 0 {
		return nil
	}
	return []Finding{{Severity: Critical, Size: s.Books.Findings, Message: fmt.Sprintf("The books are out of order: the last check has %d findings.", s.Books.Findings)}}
}

func uncheckedBooks(s Sight, t Thresholds) []Finding {
	if s.Books == nil || s.Books.Age <= t.BooksUnchecked {
		return nil
	}
	return []Finding{{Severity: Warning, Message: fmt.Sprintf("The books were last checked %s ago.", span(s.Books.Age))}}
}

func stoppedSystems(s Sight, _ Thresholds) []Finding {
	var found []Finding
	for _, e := range s.Stopped {
		why := "every delivery failed for five days"
		if e.DisabledFor == webhook.DisabledForGone {
			why = "it answered that it is gone"
		}
		found = append(found, Finding{Subject: e.ID, Severity: Warning, Message: "The connected system " + e.Description + " is not told of anything: " + why +
			". Enable it on the console's page of connected systems and have what was held sent again."})
	}
	return found
}

func seconds(n int64) time.Duration { return time.Duration(n) * time.Second }

// span formats a time for people.
func span(d time.Duration) string {
	switch n := int64(d / time.Second); {
	case n < 120:
		return fmt.Sprintf("%d s", n)
	case n < 2*3600:
		return fmt.Sprintf("%d min", n/60)
	default:
		return fmt.Sprintf("%d h", n/3600)
	}
}
