import { useState, type FormEvent } from 'react';
import { Button } from '@/ui/button';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextAreaField } from '@/ui/form/text-area-field';
import { Uploads } from '@/domain/uploads';
import { useUploads } from '@/domain/use-uploads';
import { explain, toApiError } from '@/lib/api/errors';
import { useRepeatKey } from '@/lib/idempotency-key';
import { formatMobile } from '@/lib/format';
import { addEntry, uploadReplyFile, type ContactEntry, type ContactOpened } from '../api/contacts';
import { entryKinds } from './contact-words';
import { When } from '../shared/when';
import { useChange } from '../api/use-change';

type Kind = Exclude<ContactEntry['kind'], 'auto' | 'held'>;

const labels: Record<Kind, string> = { reply: 'Send the reply', answer: 'Add what was answered', note: 'Add the note' };
const hints: Record<Kind, string> = {
  reply: 'It is sent as you write it, with a salutation only if you write one.',
  answer: 'What came by e-mail or on the phone. The request is open again.',
  note: 'For staff; a customer reads it in an export of their data.',
};

const thens: ['answered' | 'waiting', string][] = [
  ['answered', 'Answered'],
  ['waiting', 'Waiting for the person'],
];

function kinds(mayReply: boolean): [Kind, string][] {
  const all = Object.keys(labels) as Kind[];
  return all.filter((one) => one !== 'reply' || mayReply).map((one) => [one, entryKinds[one]]);
}

interface TextProps {
  text: string;
  hint: string;
  problem: string;
  lacks: string[];
  onChange: (text: string) => void;
}

function TextOfEntry({ text, hint, problem, lacks, onChange }: TextProps) {
  return (
    <>
      {lacks.length > 0 && (
        <p role="status" className="console-error">
          Nothing is known for {lacks.map((one) => `{${one}}`).join(', ')}: fill it in by hand.
        </p>
      )}
      <TextAreaField label="Text" hint={hint} error={problem} maxLength={4000} value={text} onChange={onChange} />
    </>
  );
}

const ways = { account: 'in the customer’s account', email: 'by e-mail', whatsapp: 'by WhatsApp', '': '' };

/** By which channel a reply goes, until when, and why not by the one of the last message. */
function WayOfReply({ opened: { way, request }, now }: { opened: ContactOpened; now: number }) {
  const silent = way.channel === '' || way.channel === 'account';
  return (
    <p className="console-hint">
      {way.channel && (
        <>
          A reply goes {ways[way.channel]}
          {way.until && (
            <>
              {' '}
              (<When at={way.until} now={now} />)
            </>
          )}
          .{' '}
        </>
      )}
      {way.why}
      {silent && request.mobile && (
        <>
          {' '}
          <a href={`tel:+91${request.mobile}`}>Call {formatMobile(request.mobile)}</a>
        </>
      )}
    </p>
  );
}

/** The text of an entry, into which saved replies are inserted, and the placeholders that nothing is known for. */
function useEntryText(macros: ContactOpened['macros']) {
  const [text, set] = useState('');
  const [lacks, setLacks] = useState<string[]>([]);
  const insert = (id: string) => {
    const macro = macros.find((one) => one.id === id);
    if (!macro) return;
    set(text.trim() ? `${text.trimEnd()}\n\n${macro.text}` : macro.text);
    setLacks(macro.lacks);
  };
  const clear = () => {
    set('');
    setLacks([]);
  };
  return { text, lacks, set, insert, clear };
}

/** Adds an entry: a reply (blank or from a macro), the person's answer, or a note. */
export function ContactReply({ opened, now }: { opened: ContactOpened; now: number }) {
  const { request, macros } = opened;
  const mayReply = opened.way.channel !== '';
  const [kind, setKind] = useState<Kind>(mayReply ? 'reply' : 'note');
  const { text, ...typed } = useEntryText(macros);
  const [then, setThen] = useState<'answered' | 'waiting'>('answered');
  const [problem, setProblem] = useState('');
  const uploads = useUploads(uploadReplyFile);
  const keys = useRepeatKey();
  const add = useChange(
    () => {
      const files = uploads.files.map((file) => file.id);
      const key = keys.of(`${kind} ${then} ${files.join(' ')} ${text}`);
      return addEntry(
        request.id,
        { kind, text, ...(kind === 'reply' && { then, seen: request.version, ...(files.length > 0 && { files }) }) },
        key,
      );
    },
    {
      onSuccess: () => {
        keys.done();
        typed.clear();
        setProblem('');
        uploads.clear();
      },
      onError: (error) => {
        const { fields } = toApiError(error);
        setProblem((fields.text ?? fields.files)?.join(' ') ?? explain(error));
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!text.trim()) setProblem('Write something.');
    else if ((kind !== 'reply' || uploads.ready()) && !add.isPending) add.mutate();
  };
  return (
    <form className="note-form" onSubmit={submit} noValidate>
      <NativeSelectField label="What to add" options={kinds(mayReply)} value={kind} onChange={setKind} />
      {(kind === 'reply' || !mayReply) && <WayOfReply opened={opened} now={now} />}
      {kind === 'reply' && macros.length > 0 && (
        <NativeSelectField
          label="Saved reply"
          empty="Choose one to insert"
          value=""
          options={macros.map(({ id, title }) => [id, title])}
          onChange={typed.insert}
        />
      )}
      <TextOfEntry text={text} hint={hints[kind]} problem={problem} lacks={typed.lacks} onChange={typed.set} />
      {kind === 'reply' && <Uploads of={uploads} />}
      {kind === 'reply' && (
        <NativeSelectField label="After it the request is" options={thens} value={then} onChange={setThen} />
      )}
      <Button type="submit" pending={add.isPending || uploads.uploading}>
        {labels[kind]}
      </Button>
    </form>
  );
}
