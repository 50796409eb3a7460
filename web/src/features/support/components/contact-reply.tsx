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
  reply: 'It is sent by e-mail, with a salutation only if you write one.',
  answer: 'What came by e-mail or on the phone. The request is open again.',
  note: 'For staff; a customer reads it in an export of their data.',
};

interface ChoiceProps<T extends string> {
  id: string;
  label: string;
  value: T | '';
  options: [T, string][];
  onChange: (value: T) => void;
}

function Choice<T extends string>({ id, label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input" value={value} onChange={(event) => onChange(event.target.value as T)}>
        {value === '' && <option value="">Choose one to insert</option>}
        {options.map(([of, name]) => (
          <option key={of} value={of}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}

interface TextProps {
  id: string;
  text: string;
  hint: string;
  problem: string;
  lacks: string[];
  onChange: (text: string) => void;
}

function TextOfEntry({ id, text, hint, problem, lacks, onChange }: TextProps) {
  return (
    <>
      <label htmlFor={id}>Text</label>
      {problem && (
        <p id={`${id}-problem`} role="alert" className="console-error">
          {problem}
        </p>
      )}
      {lacks.length > 0 && (
        <p role="status" className="console-error">
          Nothing is known for {lacks.map((one) => `{${one}}`).join(', ')}: fill it in by hand.
        </p>
      )}
      <textarea
        id={id}
        className="input"
        rows={6}
        maxLength={4000}
        value={text}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint${problem ? ` ${id}-problem` : ''}`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-hint`} className="console-hint">
        {hint}
      </p>
    </>
  );
}

/** Adds an entry: an e-mail reply (blank or from a macro), the person's answer, or a note. */
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
      <Choice
        id={`${field}-kind`}
        label="What to add"
        value={kind}
        options={(Object.entries(entryKinds) as [Kind, string][]).filter(([one]) => one !== 'reply' || mayReply)}
        onChange={setKind}
      />
      {!emails && <p className="console-hint">E-mail is not set up: answer by phone, and note what you said.</p>}
      {kind === 'reply' && macros.length > 0 && (
        <Choice
          id={`${field}-macro`}
          label="Saved reply"
          value=""
          options={macros.map(({ id, title }) => [id, title])}
          onChange={fill}
        />
      )}
      <TextOfEntry id={field} text={text} hint={hints[kind]} problem={problem} lacks={lacks} onChange={setText} />
      {kind === 'reply' && (
        <Choice
          id={`${field}-then`}
          label="After it the request is"
          value={then}
          options={[
            ['answered', 'Answered'],
            ['waiting', 'Waiting for the person'],
          ]}
          onChange={setThen}
        />
      )}
      <Button type="submit" pending={add.isPending}>
        {labels[kind]}
      </Button>
    </form>
  );
}
