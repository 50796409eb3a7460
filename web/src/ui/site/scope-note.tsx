import { scope } from '@/content/delivery';

/** Which of the promised parts are not in the account itself, and where they run. */
export function ScopeNote() {
  return <p className="scope-note text-muted">{scope}</p>;
}
