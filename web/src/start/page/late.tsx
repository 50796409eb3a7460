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
  type SuspenseProps,
} from 'react';
import { waitForPart } from './hydration';
import { pageLoaded } from './page-loaded';

function Arrival({ onArrival }: { onArrival: () => void }) {
  useEffect(onArrival, [onArrival]);
  return null;
}

/**
 * Contains a prerendered part; the page counts as hydrated only when the part is. Its properties keep their first values before hydration,
 * because React discards prerendered markup that changes earlier.
 */
function Prerendered({ children }: SuspenseProps) {
  const [arrived, setArrived] = useState(false);
  const first = useRef(children);
  const settle = useRef<() => void>(undefined);
  const handleArrival = useCallback(() => {
    if (!settle.current) settle.current = () => undefined;
    settle.current();
    setArrived(true);
  }, []);
  useEffect(() => {
    settle.current ??= waitForPart();
    return settle.current;
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

export interface LateOptions {
  /**
   * For a part whose markup is in the prerendered page: when its scripts are fetched. "loaded" is when everything that the first screen
   * needs is there, "soon" as soon as the frame of the page works. Any other part is fetched when it is first shown.
   */
  when?: 'loaded' | 'soon';
  /** What is shown until the scripts are there, if the part is not prerendered. */
  fallback?: ReactNode;
}

/**
 * A part of a page, in a chunk of its own. A dialog, which is a part with a property `open`, is fetched once the page is there, and at the
 * latest when it opens. If the scripts cannot be fetched, the page says so (app/offline.tsx).
 */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { when, fallback }: LateOptions = {},
) {
  const Part = lazy(async () => {
    if (when === 'loaded') await pageLoaded();
    return { default: await load() };
  });
  const Boundary = when ? Prerendered : Suspense;
  /** Fetches the scripts ahead of need. If the network fails now, showing the part tries again. */
  const preload = () => void load().catch(() => undefined);
  function LatePart(props: Props) {
    const { open } = props as { open?: boolean };
    const [needed, setNeeded] = useState(open !== false);
    if (open && !needed) setNeeded(true);
    useEffect(() => {
      if (!needed) void pageLoaded().then(preload);
    }, [needed]);
    return needed ? (
      <Boundary fallback={fallback}>
        <Part {...props} />
      </Boundary>
    ) : null;
  }
  return Object.assign(LatePart, { preload });
}
