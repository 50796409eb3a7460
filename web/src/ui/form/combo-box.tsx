import { t } from '@lingui/core/macro';
import SearchIcon from 'bootstrap-icons/icons/search.svg?component';
import { useEffect, useState, type KeyboardEvent } from 'react';
import type { ControlProps } from './field';
import { OptionList, optionId } from './option-list';

export interface ComboOption {
  id: string;
  label: string;
}

export interface ComboBoxProps {
  control: ControlProps;
  name: string;
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  /** Called on Enter without a selected suggestion: search immediately. */
  onSearch: () => void;
  onChoose: (option: ComboOption) => void;
  /** The suggestions for the typed text, undefined before the first search. */
  options: readonly ComboOption[] | undefined;
  loading: boolean;
  emptyText: string;
  /** A small line at the foot of the list, such as the owner of the data. */
  note?: string;
  autoComplete?: string;
}

/** Which suggestion the keyboard has reached, and whether the list is open. */
function useSuggestions({
  options,
  loading,
  onSearch,
  onChoose,
}: Pick<ComboBoxProps, 'options' | 'loading' | 'onSearch' | 'onChoose'>) {
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const count = options?.length ?? 0;
  const shown = open && options !== undefined && !loading;

  // New suggestions reset the position; the same ones in a new array do not.
  const shownIds = options?.map((option) => option.id).join('\n');
  useEffect(() => setActive(-1), [shownIds]);

  const choose = (index: number) => {
    const option = options?.[index];
    if (!option) return;
    setOpen(false);
    onChoose(option);
  };

  const handleKeyDown = (event: KeyboardEvent) => {
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && count > 0) {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((current) => (current < 0 ? (step > 0 ? 0 : count - 1) : (current + step + count) % count));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (shown && active >= 0) choose(active);
      else {
        setOpen(true);
        onSearch();
      }
    } else if (event.key === 'Escape' && open) {
      event.stopPropagation();
      setOpen(false);
    }
  };
  return { open, shown, active, setOpen, choose, handleKeyDown };
}

/** An editable combobox with suggestions: arrows, Enter and Esc; the number of suggestions is announced. */
export function ComboBox({
  control,
  name,
  value,
  onChange,
  onBlur,
  onSearch,
  onChoose,
  options,
  loading,
  emptyText,
  note,
  autoComplete = 'off',
}: ComboBoxProps) {
  const listId = `${control.id}-list`;
  const { open, shown, active, setOpen, choose, handleKeyDown } = useSuggestions({
    options,
    loading,
    onSearch,
    onChoose,
  });
  const count = options?.length ?? 0;
  const status = loading ? t`Searching` : count > 0 ? t`${count} found` : emptyText;
  return (
    <div className="combobox">
      {loading ? <span className="spinner" aria-hidden="true" /> : <SearchIcon className="combobox-icon" />}
      <input
        {...control}
        name={name}
        type="text"
        role="combobox"
        className="input"
        autoComplete={autoComplete}
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={listId}
        aria-activedescendant={shown && active >= 0 ? optionId(listId, active) : undefined}
        value={value}
        onChange={(event) => {
          setOpen(true);
          onChange(event.target.value);
        }}
        onKeyDown={handleKeyDown}
        onBlur={() => {
          setOpen(false);
          onBlur?.();
        }}
      />
      <OptionList
        id={listId}
        options={options ?? []}
        shown={shown}
        active={active}
        selected={active}
        onChoose={choose}
        emptyText={emptyText}
        note={note}
        aria-label={t`Suggestions`}
      />
      <p role="status" className="visually-hidden">
        {open && (loading || options) ? status : ''}
      </p>
    </div>
  );
}
