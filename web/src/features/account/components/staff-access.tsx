import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { Async } from '@/ui/states';
import { explain } from '@/lib/api/errors';
import { formatInstant } from '@/lib/format';
import { toast } from '@/lib/toast';
import { accessQuery, useEndAccess } from '../api/staff-access';
import { SettingsRow } from './settings-section';

/** Rows added by each press of "Show more". */
const PAGE = 5;

/** What our staff did in the account, and who is viewing it now; that viewing can be ended. */
export function StaffAccess() {
  const [rows, setRows] = useState(PAGE);
  const access = useQuery(accessQuery(rows));
  const end = useEndAccess();
  if (access.data === undefined) return <Async query={access} what={t`what our staff did`} lines={3} />;
  const { open, entries, total } = access.data;
  return (
    <>
      {end.error && (
        <Notice tone="danger" live>
          {explain(end.error)}
        </Notice>
      )}
      {open.map(({ by, begun_at, ends_at }) => (
        <SettingsRow
          key={begun_at}
          title={t`${by} is looking at your account`}
          action={
            <Button
              variant="outline"
              size="sm"
              pending={end.isPending}
              onClick={() =>
                end.mutate(undefined, {
                  onSuccess: () => toast.success(t`Our support team no longer sees your account.`),
                })
              }
            >{t`End it now`}</Button>
          }
        >
          <p className="text-sm">{t`With your consent, since ${formatInstant(begun_at)}. It ends automatically at ${formatInstant(ends_at)}; nothing can be changed meanwhile.`}</p>
        </SettingsRow>
      ))}
      {entries.length === 0 && <p className="text-muted">{t`Nobody on our staff has opened your account.`}</p>}
      <ul className="plain-list">
        {entries.map(({ id, at, by, what }) => (
          <li key={id}>
            <SettingsRow title={what}>
              <p className="text-sm">{t`${by} of Franchise 360 support, ${formatInstant(at)}`}</p>
            </SettingsRow>
          </li>
        ))}
      </ul>
      {total > entries.length && rows < 100 && (
        <div className="settings-foot">
          <Button
            variant="outline"
            pending={access.isFetching}
            onClick={() => setRows(Math.min(100, rows * 2))}
          >{t`Show more`}</Button>
        </div>
      )}
    </>
  );
}
