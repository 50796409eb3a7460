import { useEffect, useState } from 'react';

/** How long a step stays, in milliseconds. */
export const STEP_MS = 4000;

function movesReduced(): boolean {
  return typeof matchMedia !== 'undefined' && matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export interface Autoplay {
  active: number;
  /** True while the steps advance by themselves, a pause by pointer or focus aside. */
  playing: boolean;
  choose: (index: number) => void;
  toggle: () => void;
  /** Holds the tour while the pointer or the focus is in it. */
  hold: (by: 'pointer' | 'focus', held: boolean) => void;
}

/** Goes through `count` steps without end, one every four seconds; never for people who want little motion, until they press Play. */
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
