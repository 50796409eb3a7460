import { Button } from '@/ui/button';
import { Form, SubmitButton } from '@/ui/form/form';
import { TextField } from '@/ui/form/text-field';
import { useConsoleForm } from '../shared/use-console-form';
import { judged } from '@/lib/validation';
import { tagCustomer } from '../api/notes';
import { useChange } from '../api/use-change';
import { Refusal } from '../shared/refusal';

export interface CustomerTagsProps {
  id: string;
  tags: string[];
  known: string[];
  mayChange: boolean;
}

/** A customer's tags. Staff add one of those in use, or a new one, and take one away. */
export function CustomerTags({ id, tags, known, mayChange }: CustomerTagsProps) {
  const form = useConsoleForm({
    schema: judged<{ tag: string }>(({ tag }) => ({ tag: tag.trim() ? undefined : 'Write a tag.' })),
    defaultValues: { tag: '' },
    onSubmit: async ({ tag }) => {
      await tagCustomer(id, tag.trim(), true);
      form.methods.reset();
    },
  });
  const remove = useChange((name: string) => tagCustomer(id, name, false));
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
                  onClick={() => remove.mutate(name)}
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
        <Form form={form} className="tag-form" summary={false}>
          <TextField
            box="console-filter"
            name="tag"
            label="New tag"
            hint={
              <>
                Searching for <code>tag:{tags[0] ?? 'vip'}</code> finds everybody with that tag.
              </>
            }
            maxLength={24}
            autoComplete="off"
            list="known-tags"
          />
          <datalist id="known-tags">
            {known
              .filter((name) => !tags.includes(name))
              .map((name) => (
                <option key={name} value={name} />
              ))}
          </datalist>
          <SubmitButton size="sm" variant="outline">
            Add tag
          </SubmitButton>
        </Form>
      )}
      <Refusal error={remove.error} />
    </div>
  );
}
