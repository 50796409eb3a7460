import { t } from '@lingui/core/macro';
import SystemIcon from 'bootstrap-icons/icons/circle-half.svg?component';
import DarkIcon from 'bootstrap-icons/icons/moon-stars.svg?component';
import LightIcon from 'bootstrap-icons/icons/sun.svg?component';
import { useEffect, useState } from 'react';
import { useHydrated } from '@/lib/session/session';
import { applyTheme, readTheme, showTheme, type Theme } from '@/lib/theme';

const order: Theme[] = ['system', 'light', 'dark'];
const labels: Record<Theme, string> = { system: t`System`, light: t`Light`, dark: t`Dark` };
const icons = { system: SystemIcon, light: LightIcon, dark: DarkIcon };

/** Cycles through the colour themes: system, light, dark. */
export function ThemeSwitch() {
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState<Theme | null>(null);
  const theme = chosen ?? (hydrated ? readTheme() : 'system');
  const Icon = icons[theme];

  useEffect(() => {
    if (theme !== 'system') return undefined;
    const query = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => showTheme('system');
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [theme]);

  const handleClick = () => {
    const next = order[(order.indexOf(theme) + 1) % order.length] ?? 'system';
    applyTheme(next);
    setChosen(next);
  };

  return (
    <button
      type="button"
      className="btn btn-icon"
      aria-label={t`Colour theme: ${labels[theme]}. Change`}
      title={t`Colour theme: ${labels[theme]}`}
      onClick={handleClick}
    >
      <Icon />
    </button>
  );
}
