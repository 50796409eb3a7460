import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { useDebounced } from '@/lib/use-debounced';
import { ComboBox } from '@/ui/form/combo-box';
import { Field } from '@/ui/form/field';
import { Notice } from '@/ui/notice';
import { fromPlace, type AddressInput } from './address-schema';
import { useCoordinates } from './api/coordinates';
import { addressSearchQuery } from './api/search-address';
import { newSession } from './search-session';

/** The search starts this long after the last keystroke, in milliseconds; Enter starts it immediately. */
const DEBOUNCE_MS = 1000;

/** Searches for the typed text once the user pauses. */
function usePlaceSearch() {
  const [typed, setTyped] = useState('');
  const settled = useDebounced(typed, DEBOUNCE_MS);
  const [term, setTerm] = useState('');
  useEffect(() => setTerm(settled), [settled]);
  // One session lasts from the first keystroke to the choice of a place, because providers bill by session.
  const [session, setSession] = useState(newSession);
  const search = useQuery(addressSearchQuery(term, session));
  const end = () => {
    setTyped('');
    setTerm('');
    setSession(newSession());
  };
  const current = term !== '' && term === typed;
  return { search, current, session, type: setTyped, searchNow: () => setTerm(typed), end };
}

/** Searches for a place and fills in its address; every field stays editable. */
export function LocationField() {
  const { field } = useController<AddressInput, 'location'>({ name: 'location' });
  const { setValue } = useFormContext<AddressInput>();
  const { search, current, session, type, searchNow, end } = usePlaceSearch();
  const coordinates = useCoordinates();

  const handleChange = (value: string) => {
    field.onChange(value);
    setValue('latitude', null);
    setValue('longitude', null);
    type(value);
  };
  const handleChoose = ({ id, label }: { id: string; label: string }) => {
    field.onChange(label);
    end();
    coordinates.mutate(
      { placeId: id, session },
      {
        onSuccess: (place) => {
          for (const [name, value] of Object.entries(fromPlace(place)))
            setValue(name as keyof AddressInput, value, { shouldDirty: true });
        },
      },
    );
  };

  const found = current ? search.data : undefined;
  const options = found?.['search-suggestions'].map(({ place_id, description }) => ({
    id: place_id,
    label: description,
  }));
  return (
    <>
      <Field
        name="location"
        label={t`Location`}
        hint={t`Type a place or a pincode and choose from the list, or fill in every field yourself.`}
      >
        {(control) => (
          <>
            <ComboBox
              control={control}
              name="location"
              value={field.value}
              onChange={handleChange}
              onBlur={field.onBlur}
              onSearch={searchNow}
              onChoose={handleChoose}
              options={options}
              loading={(current && search.isFetching) || coordinates.isPending}
              emptyText={t`No Location Found`}
              note={found?.attribution}
            />
          </>
        )}
      </Field>
      {((current && search.isError) || coordinates.isError) && (
        <Notice
          tone="warning"
          live
        >{t`The search does not work right now. Please fill in the fields below yourself.`}</Notice>
      )}
    </>
  );
}
