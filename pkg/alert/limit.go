package alert

import (
	"fmt"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// RuleLimit is a rule with its threshold in words.
type RuleLimit struct {
	Rule

	Threshold string
}

// Rules returns all rules with the thresholds of the settings.
func (s *Service) Rules() []RuleLimit {
	rules := Rules()
	list := make([]RuleLimit, 0, len(rules))
	for _, r := range rules {
		list = append(list, RuleLimit{r, r.limit(s.watch.limits)})
	}
	return list
}

// fixed is a threshold that no setting moves.
func fixed(words string) func(Thresholds) string { return func(Thresholds) string { return words } }

func shareFailed(t Thresholds) string {
	return fmt.Sprintf("%d%% of the attempts in %s, and %d or more", t.FailurePercent, span(t.Window), t.FailureCount)
}

func shareOrSomebodyWaits(t Thresholds) string {
	return shareFailed(t) + "; or any for " + span(seconds(waitsAfter)) + " that a customer waits for"
}

func shareOrNumberFailing(t Thresholds) string {
	return fmt.Sprintf("%s; or %d failing at once", shareFailed(t), t.FailingJobs)
}

func ages(Thresholds) string {
	return fmt.Sprintf("codes %s, payments %s, documents %s, others %s", age(queue.QueueOTP), age(queue.QueuePayments),
		age(queue.QueueDocuments), age(queue.QueueDefault))
}

func age(name string) string { return span(queue.AgesAfter(name)) }
