import { plural, t } from '@lingui/core/macro';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { Uploads } from '@/domain/uploads';
import { useUploads } from '@/domain/use-uploads';
import { explain } from '@/lib/api/errors';
import { useRepeatKey } from '@/lib/idempotency-key';
import { uploadFile, useSendMessage, type Draft } from '../api/requests';

const LONGEST = 4000;

export interface MessageFormProps {
  label: string;
  submit: string;
  /** Sends the message; the same text sent again has the same key. */
  send: (draft: Draft, key: string) => Promise<unknown>;
  onSent: (answer: unknown) => void;
  /** Fields above the text. */
  children?: ReactNode;
}

interface MessageTextProps {
  /** Of the text; what is wrong with it stands under the same id with "-problem". */
  id: string;
  text: string;
  invalid: boolean;
  onChange: (text: string) => void;
}

function MessageText({ id, text, invalid, onChange }: MessageTextProps) {
  const left = LONGEST - text.length;
  return (
    <div>
      <label className="field-label" htmlFor={id}>{t`Message`}</label>
      <textarea
        id={id}
        className="input input-area"
        rows={5}
        maxLength={LONGEST}
        value={text}
        aria-invalid={invalid || undefined}
        aria-describedby={invalid ? `${id}-problem` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {left < 500 && (
        <p className="text-muted text-sm">{plural(left, { one: '# character left', other: '# characters left' })}</p>
      )}
    </div>
  );
}

/** A text with files, for a new request or an answer. */
export function MessageForm({ label, submit, send, onSent, children }: MessageFormProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const uploads = useUploads(uploadFile);
  const keys = useRepeatKey();
  const sending = useSendMessage(send, {
    onSuccess: (answer) => {
      keys.done();
      setText('');
      uploads.clear();
      onSent(answer);
    },
    onError: (error) => setProblem(explain(error)),
  });
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    setProblem('');
    if (!text.trim()) setProblem(t`Write a message.`);
    else if (uploads.ready() && !sending.isPending) {
      const draft = { message: text.trim(), files: uploads.files.map((file) => file.id) };
      sending.mutate({ draft, key: keys.of(JSON.stringify(draft)) });
    }
  };
  return (
    <form className="request-form stack-sm" aria-label={label} onSubmit={submitted} noValidate>
      {children}
      <MessageText id={id} text={text} invalid={problem !== ''} onChange={setText} />
      <Uploads of={uploads} />
      {problem && (
        <div id={`${id}-problem`}>
          <Notice tone="danger" live>
            {problem}
          </Notice>
        </div>
      )}
      <div>
        <Button type="submit" pending={sending.isPending || uploads.uploading}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
