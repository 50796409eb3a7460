import { t } from '@lingui/core/macro';
import { ButtonLink } from '@/ui/button';
import { EmptyState } from '@/ui/states';

/** Shown if a URL names nothing that can be bought. */
export function OtherPlans({ title }: { title: string }) {
  return (
    <EmptyState
      title={title}
      action={<ButtonLink to="/pricing">{t`View Other Plans`}</ButtonLink>}
    >{t`Plans and prices change now and then. The current ones are on the pricing page.`}</EmptyState>
  );
}
