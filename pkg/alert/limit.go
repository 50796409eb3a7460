package alert

import "fmt"

// RuleLimit is a rule with its threshold in words.
type RuleLimit struct {
	Rule

	Threshold string
}

// Rules returns all rules with the thresholds of the settings.
func (s *Service) Rules() []RuleLimit {
	t := s.watch.limits
	said := map[string]string{
		"no_workers":         "none for 45 seconds",
		"dependency_failing": fmt.Sprintf("%d%% of the attempts in %s, and %d or more", t.FailurePercent, span(t.Window), t.FailureCount),
		"jobs_failing":       fmt.Sprintf("%d%% of the attempts in %s, and %d or more; or %d failing at once", t.FailurePercent, span(t.Window), t.FailureCount, t.FailingJobs),
		"stuck_job":          "any",
		"hung_queue":         span(t.HungAfter),
		"aging_queue":        "codes 30 s, payments 2 min, documents 10 min, others 5 min",
		"paused_queue":       "any",
		"schedule_missed":    span(t.ScheduleLate) + " late, or its last run failed",
		"sms_provider":       "three in a row, or one refusal of our account",
		"lost_documents":     "any",
		"books_unsound":      "any finding",
		"books_unchecked":    span(t.BooksUnchecked),
		"webhook":            "any",
	}
	list := make([]RuleLimit, 0, len(said))
	for _, r := range Rules() {
		list = append(list, RuleLimit{r, said[r.Name]})
	}
	return list
}
