/** After how many milliseconds a tab opens: the pressed button is painted before. */
const AFTER_PAINT_MS = 60;

/**
 * Opens an empty tab for a PDF whose address is not known yet. Call it during a click, because browsers block a tab that
 * opens only after the response. Opening stops the page for 0.1 to 0.3 s on a slow phone, so the tab waits until the
 * pressed button is painted; a timer of less than a second still counts as part of the click in every browser.
 */
export function openTab(): Promise<Window | null> {
  return new Promise((resolve) => {
    setTimeout(() => {
      const tab = window.open('', '_blank');
      if (tab) tab.opener = null;
      resolve(tab);
    }, AFTER_PAINT_MS);
  });
}
