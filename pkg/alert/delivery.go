package alert

import "fmt"

// lateDeliveries warns of bought features that are not delivered on their promised day.
func lateDeliveries(s Sight, _ Thresholds) []Finding {
	switch s.LateDeliveries {
	case 0:
		return nil
	case 1:
		return []Finding{{Severity: Warning, Message: "1 bought feature is not delivered on its promised day."}}
	}
	return []Finding{{Severity: Warning, Message: fmt.Sprintf("%d bought features are not delivered on their promised day.", s.LateDeliveries)}}
}
