import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react';
import { pageLoaded } from '@/start/page/page-loaded';

/**
 * A dialog whose scripts are no part of what its page has to load first: they are fetched once the page is there, and
 * at the latest when the dialog opens.
 */
export function onDemand<Props extends { open: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Dialog = lazy(async () => ({ default: await load() }));
  return function OnDemand(props: Props) {
    const [opened, setOpened] = useState(props.open);
    if (props.open && !opened) setOpened(true);
    useEffect(() => {
      // Where the network fails now, opening the dialog tries again.
      void pageLoaded()
        .then(load)
        .catch(() => undefined);
    }, []);
    if (!opened) return null;
    return (
      <Suspense fallback={null}>
        <Dialog {...props} />
      </Suspense>
    );
  };
}
