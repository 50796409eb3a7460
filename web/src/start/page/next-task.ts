/** Settles in a task of its own, so that a slow phone answers what was pressed in between. */
export function nextTask(): Promise<void> {
  return new Promise((resume) => setTimeout(resume));
}
