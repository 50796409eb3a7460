import type { ReactNode } from 'react';
import { CopyButton } from '@/ui/copy-button';

interface More {
  /** The text that a button beside the value copies. */
  copy?: string;
  className?: string;
}

/** A name and its value; nothing in its place is no fact. */
export type Fact = readonly [name: string, value: ReactNode, more?: More] | false | '' | 0 | null | undefined;

/** Names and their values. */
export function Facts({ of, className }: { of: readonly Fact[]; className?: string }) {
  return (
    <dl className={className}>
      {of.map((fact, index) => {
        if (!fact) return null;
        const [name, value, { copy, className: own } = {}] = fact;
        return (
          <div key={index} className={own}>
            <dt>{name}</dt>
            <dd>
              <span>{value}</span>
              {copy && <CopyButton value={copy} what={name.toLowerCase()} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
