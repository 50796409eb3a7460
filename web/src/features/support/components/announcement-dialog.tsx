import { useState } from 'react';
import { changeAnnouncement, publishAnnouncement, type Announcement, type AnnouncementRequest } from '../api/catalogue';
import { chosen, fieldsOf, tomorrow } from './catalogue-words';
import { ReasonDialog } from './reason-dialog';

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
    text_en: of?.text_en ?? '',
    text_hi: of?.text_hi ?? '',
    link: of?.link ?? '',
    level: of?.level ?? 'info',
    audience: of?.audience ?? 'both',
    fromDay,
    fromTime,
    toDay,
    toTime,
  };
}

interface FieldsProps {
  value: Typed;
  onChange: (next: Typed) => void;
}

function Fields({ value, onChange }: FieldsProps) {
  const text = (key: keyof Typed, label: string, type = 'text', lang?: string) => (
    <div key={key}>
      <label htmlFor={`announcement-${key}`}>{label}</label>
      <input
        id={`announcement-${key}`}
        className="input"
        type={type}
        lang={lang}
        maxLength={type === 'text' ? 200 : undefined}
        value={value[key]}
        onChange={(event) => onChange({ ...value, [key]: event.target.value })}
      />
    </div>
  );
  return (
    <>
      {text('text_en', 'Text in English')}
      {text('text_hi', 'Text in Hindi', 'text', 'hi')}
      {text('link', 'Page of this site, such as /pricing (may stay empty)')}
      <label htmlFor="announcement-level">Kind</label>
      <select
        id="announcement-level"
        className="input"
        value={value.level}
        onChange={(event) => onChange({ ...value, level: event.target.value as Typed['level'] })}
      >
        {Object.entries(levels).map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
      <label htmlFor="announcement-audience">Shown to</label>
      <select
        id="announcement-audience"
        className="input"
        value={value.audience}
        onChange={(event) => onChange({ ...value, audience: event.target.value as Typed['audience'] })}
      >
        {Object.entries(audiences).map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
      {text('fromDay', 'From', 'date')}
      {text('fromTime', 'From, time in India', 'time')}
      {text('toDay', 'Until', 'date')}
      {text('toTime', 'Until, time in India', 'time')}
    </>
  );
}

export interface AnnouncementDialogProps {
  /** The announcement to edit; undefined to publish a new one. */
  of?: Announcement;
  onDone: (message: string) => void;
  onClose: () => void;
}

/** Publishes or changes an announcement. */
export function AnnouncementDialog({ of, onDone, onClose }: AnnouncementDialogProps) {
  const [value, setValue] = useState(() => typedOf(of));
  const act = (reason: string) => {
    const { fromDay, fromTime, toDay, toTime, ...rest } = value;
    const body = { ...rest, starts_at: chosen(fromDay, fromTime), ends_at: chosen(toDay, toTime), reason };
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
      act={(reason) => Promise.resolve().then(() => act(reason))}
      onDone={({ message }) => onDone(message)}
      onClose={onClose}
    >
      <Fields value={value} onChange={setValue} />
    </ReasonDialog>
  );
}
