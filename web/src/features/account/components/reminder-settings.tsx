import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Notice } from '@/ui/notice';
import { Async } from '@/ui/states';
import { explain } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema.gen';
import { toast } from '@/lib/toast';
import { preferencesQuery, useSetPreferences } from '../api/message-preferences';
import { WhatsAppConsent } from './whatsapp-consent';

type Preferences = components['schemas']['MessagePreferencesChange'];

const channels: [keyof Preferences, string][] = [
  ['reminders_sms', t`Reminders by SMS`],
  ['reminders_email', t`Reminders by e-mail`],
];

const remindersOf = ({ reminders_sms, reminders_email }: Preferences): Preferences => ({
  reminders_sms,
  reminders_email,
});

/** By which channels reminders of a renewal come; everything else is always sent. */
export function ReminderSettings() {
  const preferences = useQuery(preferencesQuery);
  const set = useSetPreferences();
  const id = useId();
  return (
    <Async query={preferences} what={t`your preferences`}>
      {(chosen) => {
        const shown = set.isPending ? set.variables : chosen;
        const handleChange = (channel: keyof Preferences, on: boolean) =>
          set.mutate({ ...remindersOf(chosen), [channel]: on }, { onSuccess: ({ message }) => toast.success(message) });
        return (
          <>
            {channels.map(([channel, label]) => (
              <div key={channel} className="check">
                <input
                  id={`${id}-${channel}`}
                  type="checkbox"
                  checked={shown[channel]}
                  // Not disabled: that would take the focus from who presses the space bar.
                  aria-disabled={set.isPending || undefined}
                  onChange={(event) => !set.isPending && handleChange(channel, event.target.checked)}
                />
                <label htmlFor={`${id}-${channel}`}>{label}</label>
              </div>
            ))}
            {chosen.whatsapp && <WhatsAppConsent consent={chosen.whatsapp} />}
            {!shown.reminders_sms && !shown.reminders_email && !chosen.whatsapp?.enabled && (
              <Notice tone="warning">{t`You are then reminded on this site only: check your notifications before your plan ends.`}</Notice>
            )}
            {set.isError && (
              <Notice tone="danger" live>
                {explain(set.error)}
              </Notice>
            )}
          </>
        );
      }}
    </Async>
  );
}
