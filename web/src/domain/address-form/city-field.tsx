import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import type { components } from '@/lib/api/schema.gen';
import { ComboBox } from '@/ui/form/combo-box';
import { Field } from '@/ui/form/field';
import type { AddressInput } from './address-schema';

/** The largest number of suggestions shown. */
const SHOWN = 20;

export interface CityFieldProps {
  cities: readonly components['schemas']['NamedItem'][];
  loading: boolean;
}

/** The city: suggestions from the State's list; any other town can be typed. */
export function CityField({ cities, loading }: CityFieldProps) {
  const { field } = useController<AddressInput, 'city'>({ name: 'city' });
  const [typing, setTyping] = useState(false);
  const typed = field.value.trim().toLowerCase();
  const matches = cities.filter(({ name }) => name.toLowerCase().startsWith(typed)).slice(0, SHOWN);
  const options =
    typing && typed !== '' && matches.length > 0 ? matches.map(({ id, name }) => ({ id, label: name })) : undefined;
  return (
    <Field name="city" label={t`City`}>
      {(control) => (
        <ComboBox
          control={control}
          name="city"
          value={field.value}
          onChange={(value) => {
            setTyping(true);
            field.onChange(value);
          }}
          onBlur={field.onBlur}
          onSearch={() => setTyping(true)}
          onChoose={({ label }) => {
            setTyping(false);
            field.onChange(label);
          }}
          options={options}
          loading={loading}
          emptyText={t`Not in our list; your spelling is kept`}
          autoComplete="address-level2"
        />
      )}
    </Field>
  );
}
