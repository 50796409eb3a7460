import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '@/components/button';
import { explain, toApiError } from '@/lib/api/errors';
import { tagCustomer } from '../api/notes';
import { inPlace } from '../api/support';

export interface CustomerTagsProps {
  id: string;
  tags: string[];
  known: string[];
  mayChange: boolean;
  onChanged: () => void;
}

/** A customer's tags. Staff add one of those in use, or a new one, and take one away. */
export function CustomerTags({ id, tags, known, mayChange, onChanged }: CustomerTagsProps) {
  const [tag, setTag] = useState('');
  const [problem, setProblem] = useState('');
  const change = useMutation({
    ...inPlace,
    mutationFn: ({ name, set }: { name: string; set: boolean }) => tagCustomer(id, name, set),
    onSuccess: (_, { set }) => {
      setProblem('');
      if (set) setTag('');
      onChanged();
    },
    onError: (error) => setProblem(toApiError(error).fields.tag?.join(' ') ?? explain(error)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!tag.trim()) setProblem('Write a tag.');
    else if (!change.isPending) change.mutate({ name: tag.trim(), set: true });
  };
  return (
    <div className="customer-tags">
      {tags.length > 0 && (
        <ul aria-label="Tags">
          {tags.map((name) => (
            <li key={name}>
              {name}
              {mayChange && (
                <Button
                  size="sm"
                  variant="quiet"
                  aria-label={`Remove the tag ${name}`}
                  onClick={() => change.mutate({ name, set: false })}
                >
                  ×
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {tags.length === 0 && !mayChange && <p className="console-hint">No tags.</p>}
      {mayChange && (
        <form onSubmit={submit} noValidate>
          <label htmlFor="new-tag">New tag</label>
          <input
            id="new-tag"
            className="input"
            maxLength={24}
            autoComplete="off"
            list="known-tags"
            value={tag}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? 'tag-problem' : 'tag-hint'}
            onChange={(event) => setTag(event.target.value)}
          />
          <datalist id="known-tags">
            {known
              .filter((name) => !tags.includes(name))
              .map((name) => (
                <option key={name} value={name} />
              ))}
          </datalist>
          <Button size="sm" variant="outline" type="submit" pending={change.isPending}>
            Add tag
          </Button>
        </form>
      )}
      {problem ? (
        <p id="tag-problem" role="alert" className="console-error">
          {problem}
        </p>
      ) : (
        mayChange && (
          <p id="tag-hint" className="console-hint">
            Searching for <code>tag:{tags[0] ?? 'vip'}</code> finds everybody with that tag.
          </p>
        )
      )}
    </div>
  );
}
