import { useCallback, useState } from 'react';

export interface Selection {
  chosen: ReadonlySet<number>;
  /** Everything that matches is selected, loaded or not. */
  all: boolean;
  toggle: (id: number) => void;
  chooseAll: () => void;
  clear: () => void;
}

/** The ids of the selected rows of a list; another list, such as one with another filter, has none selected. */
export function useSelection(of?: object): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [all, setAll] = useState(false);
  const [list, setList] = useState(of);
  const toggle = useCallback((id: number) => {
    setAll(false);
    setChosen((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const chooseAll = useCallback(() => setAll(true), []);
  const clear = useCallback(() => {
    setChosen(new Set());
    setAll(false);
  }, []);
  if (of !== list) {
    setList(of);
    clear();
  }
  return { chosen, all, toggle, chooseAll, clear };
}
