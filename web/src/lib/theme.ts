export type Theme = 'system' | 'light' | 'dark';

export const THEME_KEY = 'franchise360-theme';

function isTheme(value: string | null): value is Theme {
  return value === 'light' || value === 'dark' || value === 'system';
}

/** The user's choice; "system" without a choice or if storage is blocked. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(THEME_KEY);
    return isTheme(stored) ? stored : 'system';
  } catch {
    return 'system';
  }
}

/** The theme in effect, with the system's preference resolved. */
export function resolveTheme(theme: Theme): 'light' | 'dark' {
  if (theme !== 'system') return theme;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Applies a theme to the document. */
export function showTheme(theme: Theme): void {
  document.documentElement.setAttribute('data-bs-theme', resolveTheme(theme));
}

/** Applies a choice to the document and saves it. */
export function applyTheme(theme: Theme): void {
  showTheme(theme);
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // The choice then lasts only as long as the page.
  }
}
