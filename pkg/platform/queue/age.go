package queue

import "time"

// AgesAfter returns how long the first job of a queue may wait before staff should look.
func AgesAfter(name string) time.Duration {
	switch name {
	case QueueOTP:
		return 30 * time.Second // the user is waiting with the phone in hand
	case QueuePayments:
		return 2 * time.Minute
	case QueueDocuments:
		return 10 * time.Minute
	default:
		return 5 * time.Minute
	}
}
