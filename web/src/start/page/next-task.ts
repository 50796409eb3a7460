/** Settles in a separate task, so that a slow phone can handle input in between. */
export function nextTask(): Promise<void> {
  return new Promise((resume) => setTimeout(resume));
}
