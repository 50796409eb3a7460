/** Reloads the page, discarding everything in memory. */
export function reloadPage(): void {
  window.location.reload();
}

/** Opens a screen as if it were typed in, discarding everything in memory. */
export function openAfresh(path: string): void {
  window.location.assign(path);
}

/** Leaves this site for another address, so that going back skips the page that led there. */
export function leaveFor(address: string): void {
  window.location.replace(address);
}
