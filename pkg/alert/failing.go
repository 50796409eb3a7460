package alert

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

const (
	dependencySMS         = "SMS provider"
	dependencyMessages    = "message providers"
	dependencyMail        = "mail server"
	dependencyGateway     = "payment gateway"
	dependencyObjectStore = "object store"
	dependencySystems     = "connected systems"
	dependencyNameServers = "name servers"
	dependencyPortal      = "invoice registration portal"
)

// Dependency names what a kind of job needs outside the product, or returns "".
func Dependency(kind string) string { return dependencies()[kind] }

// dependencies names what each kind of job needs outside the product; jobs that need nothing are judged by their kind alone.
func dependencies() map[string]string {
	return map[string]string{
		"render_invoice": dependencyObjectStore, "verify_documents": dependencyObjectStore, "restore_documents": dependencyObjectStore,
		"print_proforma": dependencyObjectStore, "register_invoice": dependencyPortal, "recheck_einvoice": dependencyPortal,
		"send_otp": dependencySMS, "send_support_message": dependencySMS, "send_partner_message": dependencySMS,
		"send_team_invitation": dependencySMS, "send_customer_message": dependencyMessages,
		"send_staff_invitation": dependencyMail, "send_staff_notice": dependencyMail, "send_contact_reply": dependencyMessages, "send_newsletter_link": dependencyMail,
		"verify_payment": dependencyGateway, "refund_payment": dependencyGateway, "compare_settlements": dependencyGateway,
		"check_dispute": dependencyGateway, "renew_by_mandate": dependencyGateway, "collect_transfers": dependencyGateway,
		"close_account_number": dependencyGateway, "deliver_webhook": dependencySystems, "verify_domain": dependencyNameServers,
	}
}

// waitedFor are the jobs whose outcome a customer waits for on the screen or with the phone in hand.
func waitedFor(kind string) bool {
	return kind == "send_otp" || kind == "verify_payment" || kind == "render_invoice"
}

// waitsAfter is how long such a job may fail, in seconds.
const waitsAfter = 30

// plus adds the counts of another kind, or of another cause.
func (k Kind) plus(other Kind) Kind {
	k.Failing, k.Failed, k.Done = k.Failing+other.Failing, k.Failed+other.Failed, k.Done+other.Done
	if other.LastFailed.After(k.LastFailed) {
		k.LastFailed, k.Sample = other.LastFailed, other.Sample
	}
	if k.Sample == "" {
		k.Sample = other.Sample
	}
	if other.LastDone.After(k.LastDone) {
		k.LastDone = other.LastDone
	}
	if waitedFor(other.Kind) {
		k.FailingFor = max(k.FailingFor, other.FailingFor)
	}
	return k
}

// causedBy returns the counts without failures of another cause.
func (k Kind) causedBy(cause string) Kind {
	if k.Cause == cause {
		return k
	}
	return Kind{Kind: k.Kind, Done: k.Done, LastDone: k.LastDone}
}

// over reports whether no job still fails, and the last attempt succeeded.
func (k Kind) over() bool { return k.Failing == 0 && k.LastDone.After(k.LastFailed) }

// fails reports whether the failed attempts exceed the thresholds.
func (k Kind) fails(t Thresholds) bool {
	return k.Failed >= t.FailureCount && k.Failed*100 >= t.FailurePercent*(k.Failed+k.Done)
}

// urgent reports whether the failures of one cause outside the job need action now.
func (k Kind) urgent(t Thresholds) bool {
	return !k.over() && (k.fails(t) || k.FailingFor >= waitsAfter || k.Failing >= t.FailingJobs)
}

// sums are counts by a name, in the order in which the names came first.
type sums struct {
	names []string
	of    map[string]Kind
	parts map[string][]string
}

func (s *sums) add(name string, k Kind) {
	if s.of == nil {
		s.of, s.parts = map[string]Kind{}, map[string][]string{}
	}
	sum, known := s.of[name]
	if !known {
		s.names = append(s.names, name)
	}
	s.of[name] = sum.plus(k)
	if k.Failing+k.Failed > 0 && !slices.Contains(s.parts[name], k.Kind) {
		s.parts[name] = append(s.parts[name], k.Kind)
	}
}

// dependencyFailing counts only failures that the provider caused: a lock in the database or a job with useless arguments says nothing about
// the gateway.
func dependencyFailing(s Sight, t Thresholds) []Finding {
	needs := dependencies()
	var all sums
	for _, k := range s.Kinds {
		if name := needs[k.Kind]; name != "" {
			all.add(name, k.causedBy(byProvider))
		}
	}
	var found []Finding
	for _, name := range all.names {
		if k := all.of[name]; k.urgent(t) {
			found = append(found, Finding{Subject: name, Severity: Critical, Size: max(k.Failing, 1), Parts: all.parts[name], Message: fmt.Sprintf(
				"%d of %d attempts that need the %s failed in %s; %s.%s", k.Failed, k.Failed+k.Done, name, span(t.Window), failingNow(k), sample(k.Sample))})
		}
	}
	return found
}

// databaseFailing judges all kinds of jobs together.
func databaseFailing(s Sight, t Thresholds) []Finding {
	var all sums
	for _, k := range s.Kinds {
		all.add("", k.causedBy(byDatabase))
	}
	k := all.of[""]
	if k.Failed+k.Failing == 0 || !k.urgent(t) {
		return nil
	}
	return []Finding{{Severity: Critical, Size: max(k.Failing, 1), Parts: all.parts[""], Message: fmt.Sprintf(
		"%d of %d attempts of jobs failed in %s because of the database; %s.%s", k.Failed, k.Failed+k.Done, span(t.Window), failingNow(k), sample(k.Sample))}}
}

func failingNow(k Kind) string {
	now := fmt.Sprintf("%d jobs are failing now", k.Failing)
	if k.Failing == 1 {
		now = "1 job is failing now"
	}
	if k.FailingFor >= waitsAfter {
		now += ", and a customer has waited for " + span(seconds(k.FailingFor))
	}
	return now
}

// jobsFailing judges each kind by the failures that neither its provider nor the database caused. A kind that needs no provider counts
// those of providers too.
func jobsFailing(s Sight, t Thresholds) []Finding {
	needs := dependencies()
	var all sums
	for _, k := range s.Kinds {
		if k.Cause == "" || k.Cause == byProvider && needs[k.Kind] == "" {
			all.add(k.Kind, k)
		}
	}
	var found []Finding
	for _, kind := range all.names {
		f := Finding{Subject: kind, Size: 1}
		switch k := all.of[kind]; {
		case k.Failing >= t.FailingJobs:
			f.Severity, f.Size = Critical, k.Failing
			f.Message = fmt.Sprintf("%d jobs of the kind %s are failing now; %d is too many.%s", k.Failing, kind, t.FailingJobs, sample(k.Sample))
		case k.fails(t) && !k.over():
			f.Severity, f.Size = Warning, max(k.Failing, 1)
			f.Message = fmt.Sprintf("%d of %d attempts at %s failed in %s.%s", k.Failed, k.Failed+k.Done, kind, span(t.Window), sample(k.Sample))
		case waitedFor(kind) && k.Failing > 0 && k.FailingFor >= waitsAfter:
			f.Severity, f.Size = Warning, k.Failing
			f.Message = fmt.Sprintf("%d of the jobs of the kind %s fail, the first for %s; no provider is the cause.%s", k.Failing, kind,
				span(seconds(k.FailingFor)), sample(k.Sample))
		default:
			continue
		}
		found = append(found, f)
	}
	return found
}

// missedSchedules has one finding for all that are late: after a planned stop every recurring job is.
func missedSchedules(s Sight, t Thresholds) []Finding {
	if s.Workers == 0 {
		return nil // that alert says it
	}
	var found []Finding
	var late []Schedule
	for _, one := range s.Schedules {
		switch {
		case seconds(one.Late) > t.ScheduleLate:
			late = append(late, one)
		case one.LastFailed && (one.Kind != kindVerifyTrail || s.trailIsSound()):
			found = append(found, Finding{
				Subject: one.Kind, Severity: Warning,
				Message: fmt.Sprintf("The last run of the recurring job %s failed.%s", one.Kind, sample(one.Sample)),
			})
		}
	}
	if len(late) == 0 {
		return found
	}
	parts := make([]string, 0, len(late))
	said := make([]string, 0, len(late))
	for _, one := range late {
		parts = append(parts, one.Kind)
		said = append(said, fmt.Sprintf("%s, due every %s, is %s late", one.Kind, span(seconds(one.Every)), span(seconds(one.Late))))
	}
	message := "The recurring job " + said[0] + "."
	if len(late) > 1 {
		message = fmt.Sprintf("%d recurring jobs are late: %s.", len(late), strings.Join(said, "; "))
	}
	return append([]Finding{{Severity: Warning, Size: len(late), Parts: parts, Message: message}}, found...)
}

// The forms of personal data that an error of a provider might repeat.
var (
	anAddress = regexp.MustCompile(`[^\s<>"'(:,]+@[^\s<>"'):,]+`)
	aNumber   = regexp.MustCompile(`\+?\d[\d -]{5,}\d`)
	anID      = regexp.MustCompile(`[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`)
	quotation = regexp.MustCompile(`"[^"]*"`)
)

// sampleLength is how much of an error's end a message shows: causes come last.
const sampleLength = 160

// sample returns an error as a sentence for a message, without personal data, secrets, identifiers and quoted values.
func sample(failure string) string {
	failure, _, _ = strings.Cut(failure, "\n")
	for _, beginning := range []string{queue.ProviderFailed, queue.DatabaseFailed} {
		failure = strings.TrimPrefix(failure, beginning)
	}
	failure = log.Mask(failure)
	for _, form := range []*regexp.Regexp{anID, quotation, anAddress, aNumber} {
		failure = form.ReplaceAllString(failure, "…")
	}
	failure = strings.TrimRight(strings.Join(strings.Fields(failure), " "), ". ")
	if failure == "" {
		return ""
	}
	if runes := []rune(failure); len(runes) > sampleLength {
		failure = "…" + string(runes[len(runes)-sampleLength:])
	}
	return " Last error: " + text.First(failure, sampleLength+1) + "."
}
