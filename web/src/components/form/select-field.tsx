import CheckIcon from 'bootstrap-icons/icons/check-lg.svg?component';
import ChevronIcon from 'bootstrap-icons/icons/chevron-down.svg?component';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { Field, type ControlProps } from './field';

export interface SelectOption {
  id: string;
  name: string;
}

export interface SelectFieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
  options: readonly SelectOption[];
  placeholder?: string;
}

/** More options than this make the list scroll. */
const SHORT_LIST = 3;
/** Letters typed within this time, in milliseconds, search together. */
const TYPE_AHEAD_MS = 600;

/** A choice from a list, as a select-only combobox: arrows, Home, End, letters, Enter, Esc. */
export function SelectField({ name, label, hint, options, placeholder = 'Choose one' }: SelectFieldProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(control) => <SelectBox name={name} control={control} options={options} placeholder={placeholder} />}
    </Field>
  );
}

function useTypeAhead(options: readonly SelectOption[]) {
  const typed = useRef({ text: '', at: 0 });
  return (key: string, from: number): number => {
    const now = performance.now();
    const text = (now - typed.current.at < TYPE_AHEAD_MS ? typed.current.text : '') + key.toLowerCase();
    typed.current = { text, at: now };
    const start = text.length === 1 ? from + 1 : Math.max(from, 0);
    const rotated = [...options.slice(start), ...options.slice(0, start)];
    const hit = rotated.find((option) => option.name.toLowerCase().startsWith(text));
    return hit ? options.indexOf(hit) : -1;
  };
}

function SelectBox({
  name,
  control,
  options,
  placeholder,
}: {
  name: string;
  control: ControlProps;
  options: readonly SelectOption[];
  placeholder: string;
}) {
  const { field } = useController({ name });
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const list = useRef<HTMLUListElement>(null);
  const search = useTypeAhead(options);
  const chosen = options.findIndex((option) => option.id === field.value);
  const listId = `${control.id}-list`;

  useEffect(() => {
    if (open) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, open]);

  const show = (index: number) => {
    setActive(index);
    setOpen(true);
  };
  const choose = (index: number) => {
    const option = options[index];
    if (option) field.onChange(option.id);
    setOpen(false);
  };
  const move = (to: number) => show(Math.min(Math.max(to, 0), options.length - 1));

  const handleKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const from = open ? active : chosen;
    if (key === 'ArrowDown') move(open ? from + 1 : Math.max(from, 0));
    else if (key === 'ArrowUp') move(open ? from - 1 : Math.max(from, 0));
    else if (key === 'Home') move(0);
    else if (key === 'End') move(options.length - 1);
    else if (key === 'Escape' && open) setOpen(false);
    else if (key === 'Enter' || key === ' ') {
      if (open) choose(active);
      else show(chosen);
    } else if (key.length === 1 && /\S/.test(key)) {
      const hit = search(key, from);
      if (hit >= 0) show(hit);
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="select-field">
      <button
        {...control}
        type="button"
        role="combobox"
        className="input select-button"
        ref={field.ref}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={listId}
        aria-labelledby={`${control.id}-label ${control.id}`}
        aria-activedescendant={open && active >= 0 ? `${listId}-${active}` : undefined}
        onClick={() => (open ? setOpen(false) : show(chosen))}
        onKeyDown={handleKeyDown}
        onBlur={() => {
          setOpen(false);
          field.onBlur();
        }}
      >
        {options[chosen]?.name ?? <span className="select-placeholder">{placeholder}</span>}
        <ChevronIcon />
      </button>
      <ul
        id={listId}
        ref={list}
        role="listbox"
        tabIndex={-1}
        aria-labelledby={`${control.id}-label`}
        className={`option-list ${options.length > SHORT_LIST ? 'option-list-scroll' : ''}`}
        hidden={!open}
      >
        {options.map((option, index) => (
          // The button above holds the focus and hears the keys; the options answer the pointer only.
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events
          <li
            key={option.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={`option ${index === active ? 'option-active' : ''}`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(index)}
          >
            {option.name}
            {index === chosen && <CheckIcon />}
          </li>
        ))}
        {options.length === 0 && (
          <li className="option-none" role="option" aria-selected={false} aria-disabled="true">
            No Data Found !!
          </li>
        )}
      </ul>
    </div>
  );
}
