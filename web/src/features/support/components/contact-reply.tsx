import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState, type FormEvent } from 'react';
import { Button } from '@/components/button';
import { explain, toApiError } from '@/lib/api/errors';
import { addEntry, type ContactEntry, type ContactOpened } from '../api/contacts';
import { inPlace } from '../api/support';
import { entryKinds } from './contact-words';

type Kind = ContactEntry['kind'];

const labels: Record<Kind, string> = { reply: 'Send the reply', answer: 'Add what was answered', note: 'Add the note' };
const hints: Record<Kind, string> = {
  reply: 'It goes by e-mail, with a salutation only if you write one.',
  answer: 'What came by e-mail or on the phone. The request is open again.',
  note: 'For staff; a customer reads it in an export of their data.',
};

/** Adds an entry: a reply by e-mail, from scratch or from a saved one, what the person answered, or a note. */
export function ContactReply({ opened, onAdded }: { opened: ContactOpened; onAdded: () => void }) {
  const { request, macros, emails } = opened;
  const mayReply = emails && request.email !== '';
  const [kind, setKind] = useState<Kind>(mayReply ? 'reply' : 'note');
  const [text, setText] = useState('');
  const [then, setThen] = useState<'answered' | 'waiting'>('answered');
  const [problem, setProblem] = useState('');
  const [lacks, setLacks] = useState<string[]>([]);
  const field = useId();
  // The same text, sent again after a failure, is the same entry.
  const key = useRef<{ of: string; key: string } | undefined>(undefined);
  const add = useMutation({
    ...inPlace,
    mutationFn: () => {
      const of = `${kind} ${then} ${text}`;
      if (key.current?.of !== of) key.current = { of, key: crypto.randomUUID() };
      return addEntry(request.id, { kind, text, ...(kind === 'reply' && { then }) }, key.current.key);
    },
    onSuccess: () => {
      key.current = undefined;
      setText('');
      setProblem('');
      setLacks([]);
      onAdded();
    },
    onError: (error) => setProblem(toApiError(error).fields.text?.join(' ') ?? explain(error)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!text.trim()) setProblem('Write something.');
    else if (!add.isPending) add.mutate();
  };
  const fill = (id: string) => {
    const macro = macros.find((one) => one.id === id);
    if (!macro) return;
    setText(text.trim() ? `${text.trimEnd()}\n\n${macro.text}` : macro.text);
    setLacks(macro.lacks);
  };
  return (
    <form className="note-form" onSubmit={submit} noValidate>
      <label htmlFor={`${field}-kind`}>What to add</label>
      <select id={`${field}-kind`} className="input" value={kind} onChange={(e) => setKind(e.target.value as Kind)}>
        {(Object.keys(entryKinds) as Kind[])
          .filter((one) => one !== 'reply' || mayReply)
          .map((one) => (
            <option key={one} value={one}>
              {entryKinds[one]}
            </option>
          ))}
      </select>
      {!emails && (
        <p className="console-hint">This product sends no e-mail: answer by phone, and note what you said.</p>
      )}
      {kind === 'reply' && macros.length > 0 && (
        <>
          <label htmlFor={`${field}-macro`}>Saved reply</label>
          <select id={`${field}-macro`} className="input" value="" onChange={(event) => fill(event.target.value)}>
            <option value="">Choose one to insert</option>
            {macros.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </>
      )}
      <label htmlFor={field}>Text</label>
      {problem && (
        <p id={`${field}-problem`} role="alert" className="console-error">
          {problem}
        </p>
      )}
      {lacks.length > 0 && (
        <p role="status" className="console-error">
          Nothing is known for {lacks.map((one) => `{${one}}`).join(', ')}: fill it in by hand.
        </p>
      )}
      <textarea
        id={field}
        className="input"
        rows={6}
        maxLength={4000}
        value={text}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${field}-hint${problem ? ` ${field}-problem` : ''}`}
        onChange={(event) => setText(event.target.value)}
      />
      <p id={`${field}-hint`} className="console-hint">
        {hints[kind]}
      </p>
      {kind === 'reply' && (
        <>
          <label htmlFor={`${field}-then`}>After it the request is</label>
          <select
            id={`${field}-then`}
            className="input"
            value={then}
            onChange={(event) => setThen(event.target.value as typeof then)}
          >
            <option value="answered">Answered</option>
            <option value="waiting">Waiting for the person</option>
          </select>
        </>
      )}
      <Button type="submit" pending={add.isPending}>
        {labels[kind]}
      </Button>
    </form>
  );
}
