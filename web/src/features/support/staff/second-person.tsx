import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useId, type ReactNode } from 'react';
import { Button, type ButtonProps } from '@/ui/button';
import { formatInstant } from '@/lib/format';
import { tiesQuery, type StaffTie } from '../api/staff';

const ways: Record<StaffTie['way'], (by: string, name: string) => string> = {
  invited: (by, name) => `${by} invited ${name}`,
  enabled: (by, name) => `${by} enabled the account of ${name}`,
  role: (by, name) => `${by} gave ${name} another role`,
  reset: (by, name) => `${by} took part in resetting the authenticator of ${name}`,
};

/** The first whole minute at which the two may decide: people are shown no seconds. */
function wholeMinute(instant: string): string {
  return new Date(Math.ceil(Date.parse(instant) / 60_000) * 60_000).toISOString();
}

function tieText({ way, opened_by_name: by, opened_name: name, opened_at: at, until }: StaffTie): string {
  return `${ways[way](by, name)} on ${formatInstant(at)}, so the requester may be the same person as you. Another colleague has to decide, or you from ${formatInstant(wholeMinute(until))} on.`;
}

/** The id of the note that says why the decision is another's. */
const NoteContext = createContext<string | undefined>(undefined);

/** Why one may be the same person as a colleague; undefined where the two are two. */
export function useTie(colleague: string | null | undefined): StaffTie | undefined {
  const { data } = useQuery(tiesQuery);
  return data?.ties.find(({ staff_id: who }) => who === colleague);
}

export interface SecondPersonProps {
  /** The colleague who made the request. */
  askedBy: string | null | undefined;
  children: ReactNode;
}

/**
 * Wraps decisions that require a second person. If the requester may be the same person as the user, explains until when and why the
 * buttons are disabled.
 */
export function SecondPerson({ askedBy, children }: SecondPersonProps) {
  const id = useId();
  const tie = useTie(askedBy);
  return (
    <NoteContext value={tie && id}>
      {children}
      {tie && (
        <p id={id} className="console-hint">
          {tieText(tie)}
        </p>
      )}
    </NoteContext>
  );
}

/** A button that decides, within SecondPerson. */
export function DecisionButton(button: ButtonProps) {
  const note = useContext(NoteContext);
  if (!note) return <Button {...button} />;
  return (
    <Button
      {...button}
      variant="outline"
      className="decision-withheld"
      aria-disabled
      aria-describedby={note}
      onClick={undefined}
    />
  );
}

/** Warns that after one staff member opens another's account or sign-in, neither may decide the other's requests for some days. */
export function ApartHint() {
  const { data } = useQuery(tiesQuery);
  if (!data) return null;
  const time = data.days === 1 ? 'a day' : `${data.days} days`;
  return <p>For {time} neither of you decides what the other asks for: you might be one person with two accounts.</p>;
}
