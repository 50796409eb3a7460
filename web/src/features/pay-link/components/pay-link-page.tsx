import { t } from '@lingui/core/macro';
import CheckIcon from 'bootstrap-icons/icons/check-circle.svg?component';
import WaitIcon from 'bootstrap-icons/icons/hourglass-split.svg?component';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useParams, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { ButtonLink } from '@/ui/button';
import { Form, SubmitButton } from '@/ui/form/form';
import { MobileField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { Notice } from '@/ui/notice';
import { PageTitle } from '@/ui/page-title';
import { UndecidedDebitNotice } from '@/domain/payment/debit-notice';
import { GatewayForm } from '@/domain/payment/gateway-form';
import { UpiLimit } from '@/domain/payment/preference';
import { PreviewLines } from '@/domain/payment/preview-lines';
import { Async, EmptyState } from '@/ui/states';
import { toApiError } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema.gen';
import { formatDate } from '@/lib/format';
import { mobile } from '@/lib/validation';
import { payLinkQuery, usePayLink } from '../api/pay-link';
import '@/styles/app.scss';
import '@/domain/payment/payment.scss';
import './pay-link.scss';

type Renewal = components['schemas']['LinkedRenewal'];
type LinkedReturn = components['schemas']['PayLink']['returned'];

const schema = z.object({ mobile: mobile(t`Your mobile number`) });

/** Calls back when Back restores the page from the browser's cache: its renewal may be paid by then. */
function useReturn(onReturn: () => void) {
  const latest = useRef(onReturn);
  useEffect(() => {
    latest.current = onReturn;
  });
  useEffect(() => {
    const handleShow = ({ persisted }: PageTransitionEvent) => persisted && latest.current();
    window.addEventListener('pageshow', handleShow);
    return () => window.removeEventListener('pageshow', handleShow);
  }, []);
}

/** The button that opens the gateway's page. */
function Pay({ code, renewal, onChanged }: { code: string; renewal: Renewal; onChanged: () => void }) {
  const pay = usePayLink(code);
  const debit = renewal.undecided_debit;
  useReturn(() => {
    pay.reset();
    onChanged();
  });
  const form = useAppForm({
    schema,
    defaultValues: { mobile: '' },
    onSubmit: async (values) => {
      try {
        await pay.mutateAsync({
          mobile: values.mobile,
          expected_total: renewal.expected_total,
          ...(debit && { pay_despite_debit: true }),
        });
      } catch (error) {
        if (toApiError(error).status === 409) onChanged();
        throw error;
      }
    },
  });
  if (pay.data) {
    return (
      <>
        <p role="status">{t`Taking you to the secure payment page…`}</p>
        <GatewayForm details={pay.data.gateway_details} />
      </>
    );
  }
  return (
    <Form form={form} label={t`Payment`}>
      <MobileField label={t`Your mobile number`} hint={t`The payment page asks for it. We do not keep it.`} />
      {debit && <UndecidedDebitNotice debit={debit} />}
      <SubmitButton size="lg">{debit ? t`Pay anyway · ${renewal.total}` : t`Pay ${renewal.total}`}</SubmitButton>
    </Form>
  );
}

/** The renewal, its customer, and its price. */
function Open({ code, renewal, onChanged }: { code: string; renewal: Renewal; onChanged: () => void }) {
  return (
    <>
      <dl className="pay-link-facts">
        <div>
          <dt>{t`For`}</dt>
          <dd>{renewal.shop}</dd>
        </div>
        <div>
          <dt>{t`Plan`}</dt>
          <dd>{renewal.plan}</dd>
        </div>
        <div>
          <dt>{t`Next term`}</dt>
          <dd className="tabular">{t`${formatDate(renewal.from)} to ${formatDate(renewal.to)}`}</dd>
        </div>
        {renewal.pay_by && (
          <div>
            <dt>{t`Pay by`}</dt>
            <dd className="tabular">{formatDate(renewal.pay_by)}</dd>
          </div>
        )}
      </dl>
      <PreviewLines label={t`What is due`} lines={renewal.details} />
      {renewal.upi_limit && <UpiLimit limit={renewal.upi_limit} />}
      <Pay code={code} renewal={renewal} onChanged={onChanged} />
      <p className="text-muted text-sm">{t`This page opens nothing but this payment, until ${formatDate(renewal.link_until)}. The invoice goes to the owner of the account.`}</p>
    </>
  );
}

function Message({ icon: Icon, title, children }: { icon: typeof CheckIcon; title: string; children: string }) {
  return (
    <div className="pay-link-done" role="status">
      <Icon />
      <p className="text-lg fw-bold">{title}</p>
      <p className="text-muted">{children}</p>
      <ButtonLink to="/login" variant="outline">{t`Log in to your account`}</ButtonLink>
    </div>
  );
}

/** Why nothing can be paid any more, and what became of the payment with which the browser came back. */
function Done({ returned }: { returned: LinkedReturn }) {
  if (returned === 'received') {
    return (
      <Message
        icon={CheckIcon}
        title={t`We have received the payment. Thank you.`}
      >{t`The plan is renewed. The invoice goes to the owner of the account.`}</Message>
    );
  }
  if (returned === 'given_back') {
    return (
      <Message
        icon={CheckIcon}
        title={t`This renewal was paid already.`}
      >{t`Your payment was not needed and is refunded to the account it came from, usually within 5 to 7 working days.`}</Message>
    );
  }
  return (
    <Message icon={CheckIcon} title={t`There is nothing to pay any more.`}>
      {returned === 'failed'
        ? t`Your payment did not go through. If money left your account, your bank returns it. This renewal is paid, or the plan was changed since the link was sent.`
        : t`This renewal is paid, or the plan was changed since the link was sent.`}
    </Message>
  );
}

/** Where the link of a reminder leads: one renewal and its payment, without a log-in. */
export function PayLinkPage() {
  const { code = '' } = useParams();
  const [search] = useSearchParams();
  const link = useQuery(payLinkQuery(code, search.get('transaction_id') ?? ''));
  const handleChanged = () => void link.refetch();
  const broken = link.isError && toApiError(link.error).status === 404;
  const held = link.isError && toApiError(link.error).code === 'payment_held';
  return (
    <div className="container page">
      <div className="pay-link">
        <PageTitle title={t`Renew a plan`}>{t`Renew a plan`}</PageTitle>
        <div className="panel panel-raised pay-link-panel">
          {!broken && !held && <Async query={link} what={t`this payment`} lines={8} />}
          {broken && (
            <EmptyState
              title={t`This link does not work.`}
              action={<ButtonLink to="/login">{t`Log in`}</ButtonLink>}
            >{t`It may have been cut, or have expired. The owner of the account can log in to see what is due.`}</EmptyState>
          )}
          {held && (
            <Message
              icon={WaitIcon}
              title={t`Please do not pay again.`}
            >{t`Our team is looking at a payment for this renewal. The owner of the account can log in to see its status.`}</Message>
          )}
          {link.data?.returned === 'failed' && link.data.state === 'open' && (
            <Notice
              tone="warning"
              live
            >{t`The payment did not go through. If money left your account, your bank returns it. You can try again.`}</Notice>
          )}
          {link.data?.renewal && !held && <Open code={code} renewal={link.data.renewal} onChanged={handleChanged} />}
          {link.data?.state === 'confirming' && (
            <Message
              icon={WaitIcon}
              title={t`We are confirming the payment.`}
            >{t`Please do not pay again. This page shows the outcome automatically, usually within a minute.`}</Message>
          )}
          {link.data?.state === 'paid' && <Done returned={link.data.returned} />}
        </div>
      </div>
    </div>
  );
}
