/** Loads the page anew, with nothing of the old one left in memory. */
export function reloadPage(): void {
  window.location.reload();
}
