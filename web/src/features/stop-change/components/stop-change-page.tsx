import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { Button, ButtonLink } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { PageTitle } from '@/ui/page-title';
import { Async } from '@/ui/states';
import { explain } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema.gen';
import { formatInstant } from '@/lib/format';
import { mobileChangeQuery, useStopChange } from '../api/mobile-change';
import '@/styles/app.scss';

type MobileChange = components['schemas']['MobileChange'];

/** What the change will do, and the button that stops it. */
function Waiting({ code, change }: { code: string; change: MobileChange }) {
  const stop = useStopChange(code);
  return (
    <>
      <p>{t`Our support was asked to move this account to the mobile number ending in ${change.ending}. It happens on ${formatInstant(change.due_at)}. The owner of that number can then set a new password.`}</p>
      <p>{t`If you asked for this, you do not need to do anything. If you did not, stop it now.`}</p>
      {stop.isError && (
        <Notice tone="danger" live>
          {explain(stop.error)}
        </Notice>
      )}
      <Button
        size="lg"
        className="mt-3"
        pending={stop.isPending}
        onClick={() => stop.mutate()}
      >{t`Stop this change`}</Button>
    </>
  );
}

/** A change that has ended, and what to do now. */
function Ended({ state }: { state: Exclude<MobileChange['state'], 'waiting'> }) {
  if (state === 'applied')
    return (
      <>
        <Notice tone="danger" live>
          {t`The mobile number of this account was changed already. If this was not you, contact us at once.`}
        </Notice>
        <ButtonLink to="/helpcenter" className="mt-3">{t`Contact us`}</ButtonLink>
      </>
    );
  return (
    <>
      <Notice tone="success" live>
        {state === 'stopped'
          ? t`The change is stopped. The account keeps its mobile number.`
          : t`The change was not made. The account keeps its mobile number.`}
      </Notice>
      <p className="mt-3">{t`Somebody may have pretended to be you. If you did not ask for the change, set a new password.`}</p>
      <ButtonLink to="/login" variant="outline">{t`Log in to your account`}</ButtonLink>
    </>
  );
}

/** Where the link leads that tells of a change of a lost mobile: one button, so that what opens links stops nothing. */
export function StopChangePage() {
  const { code = '' } = useParams();
  const change = useQuery({ ...mobileChangeQuery(code), retry: false });
  const broken = (
    <>
      <Notice tone="danger" live>
        {t`This link does not work. It may have been cut. Log in, or contact us at once.`}
      </Notice>
      <ButtonLink to="/helpcenter" className="mt-3">{t`Contact us`}</ButtonLink>
    </>
  );
  return (
    <div className="container page">
      <PageTitle title={t`Stop a change of mobile number`}>{t`Stop a change of mobile number`}</PageTitle>
      <Async query={change} what={t`the change`} lines={3} missing={broken} />
      {change.data?.state === 'waiting' && <Waiting code={code} change={change.data} />}
      {change.data && change.data.state !== 'waiting' && <Ended state={change.data.state} />}
    </div>
  );
}
