import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useState, type RefObject } from 'react';

/** The row heights set in support-jobs.scss, in pixels. */
const ROW = { wide: 44, narrow: 104 };
const wide = '(width >= 1000px)';

function useRowHeight(): number {
  const [isWide, setWide] = useState(() => typeof matchMedia === 'undefined' || matchMedia(wide).matches);
  useEffect(() => {
    const media = matchMedia(wide);
    const listen = () => setWide(media.matches);
    media.addEventListener('change', listen);
    return () => media.removeEventListener('change', listen);
  }, []);
  return isWide ? ROW.wide : ROW.narrow;
}

/** Which of `count` rows to render, with the space taken by the others before and after, in pixels. */
export function useVirtualRows(body: RefObject<HTMLElement | null>, count: number, onNearEnd: () => void) {
  const [top, setTop] = useState(0);
  const height = useRowHeight();
  useLayoutEffect(() => setTop(body.current?.offsetTop ?? 0), [body, count]);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin: top,
    scrollPaddingStart: 120,
    scrollPaddingEnd: 24,
  });
  useEffect(() => virtual.measure(), [virtual, height]);
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastShown >= count - 40) onNearEnd();
  }, [lastShown, count, onNearEnd]);
  const scrollTo = useCallback((index: number) => virtual.scrollToIndex(index), [virtual]);
  return {
    items,
    before: (items[0]?.start ?? top) - top,
    after: virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top),
    scrollTo,
  };
}
