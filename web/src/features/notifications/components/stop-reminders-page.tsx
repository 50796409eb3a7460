import { t } from '@lingui/core/macro';
import { useParams } from 'react-router';
import { Button, ButtonLink } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { PageTitle } from '@/ui/page-title';
import { explain, toApiError } from '@/lib/api/errors';
import { useStopReminders } from '../api/notifications';
import '@/styles/app.scss';

/** Where the last line of a reminder by e-mail leads: one button, so that a scanner that opens links stops nothing. */
export function StopRemindersPage() {
  const { token = '' } = useParams();
  const stop = useStopReminders();
  const broken = stop.isError && toApiError(stop.error).status === 404;
  return (
    <div className="container page">
      <PageTitle
        title={t`Stop reminders by e-mail`}
        intro={t`Receipts, invoices and what concerns the security of your account are still sent.`}
      >{t`Stop reminders by e-mail`}</PageTitle>
      {stop.isError && (
        <Notice tone="danger" live>
          {broken
            ? t`This link does not work. It may have been cut. Log in and choose how we remind you.`
            : explain(stop.error)}
        </Notice>
      )}
      {stop.isSuccess ? (
        <>
          <Notice tone="success" live>
            {stop.data.message}
          </Notice>
          <ButtonLink to="/account/security" variant="outline">{t`To your account`}</ButtonLink>
        </>
      ) : (
        <Button
          size="lg"
          pending={stop.isPending}
          onClick={() => stop.mutate(token)}
        >{t`Stop reminders by e-mail`}</Button>
      )}
    </div>
  );
}
