import { useEffect, useState } from 'react';

/** How long each step is shown, in milliseconds. */
export const STEP_MS = 4000;

function movesReduced(): boolean {
  return typeof matchMedia !== 'undefined' && matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export interface Autoplay {
  active: number;
  /** True while the steps advance automatically, even if pointer or focus pauses them. */
  playing: boolean;
  choose: (index: number) => void;
  toggle: () => void;
  /** Pauses the tour while the pointer or the focus is in it. */
  hold: (by: 'pointer' | 'focus', held: boolean) => void;
}

/** Cycles through `count` steps, one every four seconds; for people who prefer reduced motion, not until they press Play. */
export function useAutoplay(count: number): Autoplay {
  const [active, setActive] = useState(0);
  const [playing, setPlaying] = useState(true);
  const [held, setHeld] = useState({ pointer: false, focus: false });

  useEffect(() => {
    if (movesReduced()) setPlaying(false);
  }, []);

  const running = playing && !held.pointer && !held.focus;
  useEffect(() => {
    if (!running) return undefined;
    const timer = setTimeout(() => setActive((active + 1) % count), STEP_MS);
    return () => clearTimeout(timer);
  }, [running, active, count]);

  return {
    active,
    playing,
    choose: setActive,
    toggle: () => setPlaying(!playing),
    hold: (by, value) => setHeld((before) => ({ ...before, [by]: value })),
  };
}
