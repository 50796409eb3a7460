/**
 * Asks for a page's scripts when the page has been painted: what can be read comes before what makes it move. The last
 * of the files that the script's `data-files` names starts the page.
 */
const root = document.documentElement;
const files = document.currentScript?.dataset.files?.split(' ') ?? [];
const entry = files.pop() ?? '';
let asked = false;

function ask(): void {
  if (asked) return;
  asked = true;
  for (const href of files)
    document.head.append(
      Object.assign(document.createElement('link'), { crossOrigin: '', rel: 'modulepreload', href }),
    );
  document.head.append(
    Object.assign(document.createElement('script'), { crossOrigin: '', type: 'module', src: entry }),
  );
}

/*
 * Sections that the first paint skipped are laid out when the user begins to scroll or use the page, one by one, so that a slow phone can
 * respond in between. Sections that are never viewed cost no time.
 */
const MOVES = ['scroll', 'wheel', 'pointerdown', 'touchstart', 'keydown', 'resize'];
/** Between two sections, in milliseconds. */
const PAUSE_MS = 50;
/** The latest time to load the scripts, even if no paint was reported, in milliseconds. */
const LATEST_MS = 1500;

function layOut(sections: HTMLElement[]): void {
  const section = sections.shift();
  if (!section) {
    root.removeAttribute('data-first-look');
    return;
  }
  section.style.contentVisibility = 'visible';
  setTimeout(layOut, PAUSE_MS, sections);
}

function handleMove(): void {
  for (const move of MOVES) removeEventListener(move, handleMove, true);
  layOut(Array.from(document.querySelectorAll<HTMLElement>('.site-section')));
}

root.setAttribute('data-first-look', '');
document.addEventListener('hydrated', () => {
  if (scrollY > 0 || location.hash) {
    handleMove();
    return;
  }
  for (const move of MOVES) addEventListener(move, handleMove, { capture: true, passive: true });
});

/* A page in a tab behind is not painted, and an old browser does not tell. */
addEventListener('DOMContentLoaded', () => {
  if (document.hidden) {
    ask();
    return;
  }
  setTimeout(ask, LATEST_MS);
  try {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) ask();
    }).observe({ type: 'paint', buffered: true });
  } catch {
    ask();
  }
});

export {};
