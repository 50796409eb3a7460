import { explain, toApiError } from '@/lib/api/errors';

/** What a refused act says: each field's message, or why nothing came of it. Renders nothing without an error. */
export function Refusal({ error }: { error: unknown }) {
  if (!error) return null;
  const said = Object.values(toApiError(error).fields).flat();
  return (
    <div role="alert" className="console-error">
      {(said.length > 0 ? said : [explain(error)]).map((one) => (
        <p key={one}>{one}</p>
      ))}
    </div>
  );
}
