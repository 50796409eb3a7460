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
 * The sections that the first look left out are laid out when somebody begins to read on or to use the page, one by
 * one, so that a slow phone answers in between. Nobody waits for what is not looked at.
 */
const MOVES = ['scroll', 'wheel', 'pointerdown', 'touchstart', 'keydown', 'resize'];
/** Between two sections, in milliseconds. */
const PAUSE_MS = 50;
/** The scripts are asked for by then, whether or not a paint was told of, in milliseconds. */
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
