import { useEffect, useState, type ComponentType } from 'react';
import { useLocation } from 'react-router';
import { latePart } from '@/start/page/late';
import { readViewing, type Viewing } from '@/lib/viewing';

type Banner = ComponentType<{ viewing: Viewing }>;

/** If its script can not be loaded, the page works without it. */
const ViewBanner = latePart(async (): Promise<Banner> => {
  try {
    return (await import('@/features/support/customers/customer-view-banner')).ViewBanner;
  } catch {
    return () => null;
  }
});

/** The banner over an account that staff are viewing; not loaded for anybody else. */
export function ViewBannerSlot() {
  const { pathname } = useLocation();
  const [viewing, setViewing] = useState<Viewing>();
  useEffect(() => setViewing(readViewing()), [pathname]);
  if (!viewing || pathname.startsWith('/support')) return null;
  return <ViewBanner viewing={viewing} />;
}
