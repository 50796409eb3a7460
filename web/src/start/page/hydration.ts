/** Parts of the prerendered page whose scripts are still on their way. */
let waiting = 0;
let taken = false;

/**
 * Marks the document as hydrated, `data-hydrated` on its root, when no part is pending. inline/early-input.ts listens for the event and
 * replays the earlier clicks and typing.
 */
function settle(): void {
  if (!taken || waiting > 0 || document.documentElement.hasAttribute('data-hydrated')) return;
  document.documentElement.setAttribute('data-hydrated', '');
  document.dispatchEvent(new Event('hydrated'));
}

/** Says that the frame of the page works. */
export function pageTakenOver(): void {
  taken = true;
  settle();
}

/** Says that a part is not there yet; call the function that comes back when it is, or when it is no longer wanted. */
export function waitForPart(): () => void {
  waiting += 1;
  let over = false;
  return () => {
    if (over) return;
    over = true;
    waiting -= 1;
    settle();
  };
}
