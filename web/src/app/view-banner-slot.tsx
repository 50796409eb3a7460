import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { readViewing, type Viewing } from '@/lib/viewing';

const ViewBanner = lazy(async () => ({
  default: (await import('@/features/support/customers/customer-view-banner')).ViewBanner,
}));

/** The banner over an account that staff are viewing; not loaded for anybody else. */
export function ViewBannerSlot() {
  const { pathname } = useLocation();
  const [viewing, setViewing] = useState<Viewing>();
  useEffect(() => setViewing(readViewing()), [pathname]);
  if (!viewing || pathname.startsWith('/support')) return null;
  return (
    <Suspense fallback={null}>
      <ViewBanner viewing={viewing} />
    </Suspense>
  );
}
