import { t } from '@lingui/core/macro';
import CheckIcon from 'bootstrap-icons/icons/check-lg.svg?component';
import ChevronIcon from 'bootstrap-icons/icons/chevron-down.svg?component';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { Field, type ControlProps } from './field';
import { OptionList, optionId } from './option-list';

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

/** Lists with more options than this scroll. */
const SHORT_LIST = 3;
/** Letters typed within this many milliseconds form one search. */
const TYPE_AHEAD_MS = 600;

/** A select-only combobox: arrows, Home, End, letters, Enter and Esc. */
export function SelectField({ name, label, hint, options, placeholder = t`Choose one` }: SelectFieldProps) {
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

/** The keyboard handling of a select-only combobox: the keys open the list, move through it and select. */
function useListKeys(options: readonly SelectOption[], chosen: number, onChange: (id: string) => void) {
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const search = useTypeAhead(options);
  const show = (index: number) => {
    setActive(index);
    setOpen(true);
  };
  const choose = (index: number) => {
    const option = options[index];
    if (option) onChange(option.id);
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
  return { open, active, setOpen, show, choose, handleKeyDown };
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
  const chosen = options.findIndex((option) => option.id === field.value);
  const listId = `${control.id}-list`;
  const { open, active, setOpen, show, choose, handleKeyDown } = useListKeys(options, chosen, field.onChange);
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
        aria-activedescendant={open && active >= 0 ? optionId(listId, active) : undefined}
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
      <OptionList
        id={listId}
        options={options.map(({ id, name: text }, index) => ({
          id,
          label: (
            <>
              {text}
              {index === chosen && <CheckIcon />}
            </>
          ),
        }))}
        shown={open}
        active={active}
        selected={chosen}
        onChoose={choose}
        emptyText={t`No Data Found !!`}
        scrolls={options.length > SHORT_LIST}
        aria-labelledby={`${control.id}-label`}
      />
    </div>
  );
}
