import { useEffect, useRef, type ReactNode } from 'react';

export interface OptionListProps {
  id: string;
  options: readonly { id: string; label: ReactNode }[];
  shown: boolean;
  /** The index of the keyboard's active option, or -1. */
  active: number;
  /** The index of the selected option, or -1. */
  selected: number;
  onChoose: (index: number) => void;
  /** Shown in the list when it has no options. */
  emptyText: string;
  /** A small line at the foot of the list. */
  note?: string;
  scrolls?: boolean;
  'aria-label'?: string;
  'aria-labelledby'?: string;
}

/** The id of an option, for `aria-activedescendant`. */
export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/** The list of a combobox. The combobox keeps the focus and handles the keys; the options handle only the pointer. */
export function OptionList({
  id,
  options,
  shown,
  active,
  selected,
  onChoose,
  emptyText,
  note,
  scrolls,
  ...label
}: OptionListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (shown) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, shown]);
  const className = scrolls ? 'option-list option-list-scroll' : 'option-list';
  return (
    <ul {...label} id={id} ref={list} role="listbox" tabIndex={-1} className={className} hidden={!shown}>
      {options.map((option, index) => (
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events
        <li
          key={option.id}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === selected}
          className={`option ${index === active ? 'option-active' : ''}`}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
        >
          {option.label}
        </li>
      ))}
      {options.length === 0 && (
        <li className="option-none" role="option" aria-selected={false} aria-disabled="true">
          {emptyText}
        </li>
      )}
      {note && (
        <li className="option-none text-sm" role="presentation">
          {note}
        </li>
      )}
    </ul>
  );
}
