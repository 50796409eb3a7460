/** The date in India at an instant, "2026-11-28". */
export const dayInIndia = (now: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(now);

/** The attribute of the root element that says on which day the page was built. */
export const BUILT_ATTRIBUTE = 'data-built';

/** The day on which the markup of this document was built; today if it does not state one. */
export const builtOn: string =
  (typeof document !== 'undefined' && document.documentElement.getAttribute(BUILT_ATTRIBUTE)) || dayInIndia(new Date());
