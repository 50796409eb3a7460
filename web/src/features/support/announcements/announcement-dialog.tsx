import { useState } from 'react';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextField } from '@/ui/form/text-field';
import { languageCodes, languages } from '@/lib/languages';
import { changeAnnouncement, publishAnnouncement, type Announcement, type AnnouncementRequest } from '../api/catalogue';
import { fieldsOf, instantOf, needsDay, tomorrow } from '../catalogue/catalogue-words';
import { ReasonDialog } from '../shared/reason-dialog';

export const levels = { info: 'Information', warning: 'Warning' };
export const audiences = { both: 'Everybody', public: 'Visitors', customers: 'Customers who are signed in' };

interface Typed extends Omit<AnnouncementRequest, 'reason' | 'starts_at' | 'ends_at'> {
  fromDay: string;
  fromTime: string;
  toDay: string;
  toTime: string;
}

function typedOf(of: Announcement | undefined): Typed {
  const [fromDay, fromTime] = of ? fieldsOf(of.starts_at) : fieldsOf(new Date().toISOString());
  const [toDay, toTime] = of ? fieldsOf(of.ends_at) : [tomorrow(), '00:00'];
  return {
    texts: Object.fromEntries(languageCodes.map((code) => [code, of?.texts[code] ?? ''])),
    link: of?.link ?? '',
    level: of?.level ?? 'info',
    audience: of?.audience ?? 'both',
    fromDay,
    fromTime,
    toDay,
    toTime,
  };
}

/** What the console calls a language. */
const names = new Intl.DisplayNames('en', { type: 'language' });

export interface AnnouncementDialogProps {
  /** The announcement to edit; undefined to publish a new one. */
  of?: Announcement;
  onClose: () => void;
}

/** Publishes or changes an announcement. */
export function AnnouncementDialog({ of, onClose }: AnnouncementDialogProps) {
  const [values] = useState(() => typedOf(of));
  const act = (reason: string, _: unknown, { fromDay, fromTime, toDay, toTime, ...rest }: Typed) => {
    const body = { ...rest, starts_at: instantOf(fromDay, fromTime), ends_at: instantOf(toDay, toTime), reason };
    return of ? changeAnnouncement(of.id, body) : publishAnnouncement(body);
  };
  return (
    <ReasonDialog
      title={of ? 'Change the announcement' : 'Publish an announcement'}
      label={of ? 'Change' : 'Publish'}
      effect={
        <p>
          It appears at the foot of every page within a minute, until it ends or the reader closes it. Where several
          run, the newest warning is shown, or else the newest.
        </p>
      }
      reasonLast
      values={values}
      problemsOf={({ fromDay, toDay }) => ({ fromDay: needsDay(fromDay), toDay: needsDay(toDay) })}
      act={act}
      onClose={onClose}
    >
      {languageCodes.map((code) => (
        <TextField
          key={code}
          name={`texts.${code}`}
          label={`Text in ${names.of(code)}`}
          lang={languages[code].tag}
          maxLength={200}
        />
      ))}
      <TextField name="link" label="Page of this site, such as /pricing (may stay empty)" maxLength={200} />
      <NativeSelectField name="level" label="Kind" options={Object.entries(levels)} />
      <NativeSelectField name="audience" label="Shown to" options={Object.entries(audiences)} />
      <TextField name="fromDay" label="From" type="date" />
      <TextField name="fromTime" label="From, time in India" type="time" />
      <TextField name="toDay" label="Until" type="date" />
      <TextField name="toTime" label="Until, time in India" type="time" />
    </ReasonDialog>
  );
}
