import { t } from '@lingui/core/macro';
import BellIcon from 'bootstrap-icons/icons/bell.svg?component';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Instant } from '@/ui/instant';
import { Button, ButtonLink } from '@/ui/button';
import { MoreRows } from '@/ui/list/more-rows';
import { PageTitle } from '@/ui/page-title';
import { Async, EmptyState } from '@/ui/states';
import type { components } from '@/lib/api/schema.gen';
import { notificationsQuery, useRead } from '../api/notifications';
import './notifications.scss';

type Notification = components['schemas']['Notification'];

function Row({ of, onOpen }: { of: Notification; onOpen: (id: string) => void }) {
  return (
    <li className={of.read ? 'notification' : 'notification notification-new'}>
      <Link to={of.link} onClick={() => !of.read && onOpen(of.id)}>
        <span className="notification-title">
          {!of.read && <span className="visually-hidden">{t`Not read: `}</span>}
          {of.title}
        </span>
        <span className="text-muted">{of.text}</span>
        <Instant className="text-muted text-sm tabular" at={of.at} />
      </Link>
    </li>
  );
}

/** Everything the product told the account, newest first, each with the page that it speaks of. */
export function NotificationsPage() {
  const list = useInfiniteQuery(notificationsQuery);
  const read = useRead();
  const rows = list.data?.pages.flatMap(({ notifications }) => notifications) ?? [];
  const newest = list.data?.pages[0]?.newest;
  const unread = rows.some((row) => !row.read);
  return (
    <div className="container page">
      <PageTitle
        title={t`Notifications`}
        intro={t`What we told you by SMS and e-mail: payments, documents, refunds and reminders.`}
        actions={<ButtonLink to="/account/security" variant="outline">{t`How we reach you`}</ButtonLink>}
      >{t`Notifications`}</PageTitle>
      <Async query={list} what={t`your notifications`} lines={8} />
      {list.data && rows.length === 0 && (
        <EmptyState
          icon={BellIcon}
          title={t`Nothing yet.`}
          action={<ButtonLink to="/subscription_list">{t`Renewals & Billing`}</ButtonLink>}
        >{t`When a payment arrives, a document is ready or your plan is about to end, you read it here as well.`}</EmptyState>
      )}
      {rows.length > 0 && (
        <>
          {unread && newest && (
            <Button
              variant="outline"
              size="sm"
              className="mb-3"
              pending={read.isPending}
              onClick={() => read.mutate({ up_to: newest })}
            >{t`Mark all as read`}</Button>
          )}
          <ul className="notifications panel">
            {rows.map((row) => (
              <Row key={row.id} of={row} onOpen={(id) => read.mutate({ ids: [id] })} />
            ))}
          </ul>
          <MoreRows of={list} className="mt-3">{t`Show older ones`}</MoreRows>
        </>
      )}
    </div>
  );
}
