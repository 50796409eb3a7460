package alert

import (
	"slices"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// withCauses marks each finding that another one causes, so that one incident has one alert and one message. The cause's message lists
// a part only if the part's rule is dependency_failing.
func withCauses(found []Finding) []Finding {
	for i := range found {
		part := &found[i]
		cause := slices.IndexFunc(found, func(c Finding) bool { return causes(c, *part) })
		if cause < 0 {
			continue
		}
		part.PartOf = found[cause].Rule
		if part.Rule == "dependency_failing" {
			found[cause].Message += " " + part.Message
		}
	}
	return found
}

// causes reports whether the finding is the cause of the other one. No finding is its own cause, nor a cause of its cause.
func causes(c, of Finding) bool {
	switch c.Rule {
	case "sms_provider":
		return providerCauses(c.Subject, of)
	case "dependency_failing":
		return dependencyCauses(c.Subject, of)
	case "no_workers":
		return of.Rule == "aging_queue" || of.Rule == "hung_queue" || of.Rule == "stuck_job"
	case "paused_queue":
		return of.Rule == "aging_queue" && of.Subject == c.Subject
	default:
		return false
	}
}

// providerCauses reports whether the provider of messages causes the finding.
func providerCauses(provider string, of Finding) bool {
	switch provider {
	case message.EmailProvider: // alerts go out by e-mail, too
		return of.Rule == "jobs_failing" && of.Subject == DeliverArgs{}.Kind() ||
			of.Rule == "dependency_failing" && (of.Subject == dependencyMessages || of.Subject == dependencyMail)
	case message.WhatsAppProvider:
		return of.Rule == "dependency_failing" && of.Subject == dependencyMessages
	default:
		return of.Rule == "dependency_failing" && (of.Subject == dependencySMS || of.Subject == dependencyMessages) || dependencyCauses(dependencySMS, of)
	}
}

// dependencyCauses reports whether a failing dependency causes the finding: the last run of a recurring job that needs it failed, or the
// queue of its jobs waits.
func dependencyCauses(name string, of Finding) bool {
	switch of.Rule {
	case "schedule_missed":
		return of.Subject != "" && Dependency(of.Subject) == name
	case "aging_queue", "hung_queue":
		return map[string]string{
			queue.QueueOTP: dependencySMS, queue.QueuePayments: dependencyGateway, queue.QueueDocuments: dependencyObjectStore,
			queue.QueueWebhooks: dependencySystems,
		}[of.Subject] == name
	default:
		return false
	}
}
