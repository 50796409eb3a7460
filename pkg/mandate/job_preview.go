package mandate

import "github.com/franchise360/franchise360/pkg/platform/queue"

// JobPreviews returns the previews of this domain's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddSweepPreview[RunArgs](l, "take", "due steps of automatic renewal", `SELECT count_due_mandate_steps($1)`, 0)
	return l
}
