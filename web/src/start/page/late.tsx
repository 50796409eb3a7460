import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';
import { waitForPart } from '@/start/page/hydration';
import { pageLoaded } from '@/start/page/page-loaded';

/**
 * A part whose scripts are fetched after those of its page: when everything that the first screen needs is there, or
 * "soon", as soon as the frame of the page works. Its markup is in the prerendered page from the start. To be shown
 * inside `Late`.
 */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  when: 'loaded' | 'soon' = 'loaded',
): ComponentType<Props> {
  return lazy(async () => {
    if (when === 'loaded') await pageLoaded();
    return { default: await load() };
  });
}

function Arrival({ onArrival }: { onArrival: () => void }) {
  useEffect(onArrival, [onArrival]);
  return null;
}

/**
 * Contains late parts; the page counts as hydrated only when they are. Their properties keep their first values before hydration, because
 * React discards prerendered markup that changes earlier.
 */
export function Late({ children }: { children: ReactNode }) {
  const [arrived, setArrived] = useState(false);
  const first = useRef(children);
  const there = useRef(false);
  const settle = useRef<(() => void) | undefined>(undefined);
  const handleArrival = useCallback(() => {
    there.current = true;
    settle.current?.();
    setArrived(true);
  }, []);
  useEffect(() => {
    if (!there.current) settle.current = waitForPart();
    return () => settle.current?.();
  }, []);
  const shown = arrived ? children : first.current;
  return useMemo(
    () => (
      <Suspense fallback={null}>
        {shown}
        <Arrival onArrival={handleArrival} />
      </Suspense>
    ),
    [shown, handleArrival],
  );
}
