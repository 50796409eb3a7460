import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { Notice } from '@/ui/notice';
import { dashboardQuery } from '@/domain/payment/api/dashboard';
import { formatLastDay } from '@/lib/format';

/** Says, during the free trial, that the paid term begins at once. */
export function TrialGivenUp() {
  const { data } = useQuery(dashboardQuery);
  if (data?.subscription?.state !== 'trialing') return null;
  const day = formatLastDay(data.subscription.plan_renew_on);
  return (
    <Notice>{t`Your free trial runs until ${day}. If you buy now, the paid term begins today and the trial ends. Buy on its last day to use all of it.`}</Notice>
  );
}
