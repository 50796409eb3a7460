import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate } from 'react-router';
import { z } from 'zod/mini';
import { BusinessTypeField } from '@/domain/business-type-field';
import { Form, SubmitButton } from '@/ui/form/form';
import { PasswordField } from '@/ui/form/password-field';
import { MobileField, TextField } from '@/ui/form/text-field';
import { UnsavedChanges } from '@/ui/form/unsaved-changes';
import { useAppForm } from '@/ui/form/use-app-form';
import { UnlessPaying } from '@/domain/payment/unless-paying';
import { Async } from '@/ui/states';
import type { components } from '@/lib/api/schema.gen';
import { useSession } from '@/lib/session/session';
import { toast } from '@/lib/toast';
import { choice, password, storeName } from '@/lib/validation';
import { storeDetailsQuery } from '../api/store-details';
import { useUpdateStore } from '../api/update-store';
import { Saved } from './saved';

type StoreDetails = Omit<components['schemas']['StoreDetails'], 'password'>;

/** Shown to people who open the tab before they have a plan. */
const NO_STORE = t`Kindly choose a plan before filling in the store details`;

const base = { store_username: z.string(), store_name: storeName(), store_type: choice() };
const schemas = {
  withPassword: z.object({ ...base, store_password: z.string() }),
  withoutPassword: z.object({ ...base, store_password: password(t`Store password`) }),
};
const draft = { key: 'store-details', omit: ['store_password', 'store_username'] } as const;

/** Redirects people without a plan to the plans, and says why. */
function NoPlan() {
  useEffect(() => toast.warn(NO_STORE), []);
  return <Navigate to="/pricing" state={{ notice: NO_STORE }} replace />;
}

/** The store's name and type; needs a store. */
export function StoreTab() {
  const { hasStoreDetails, isActive } = useSession();
  const store = useQuery({ ...storeDetailsQuery, enabled: hasStoreDetails });
  if (!hasStoreDetails)
    return isActive ? (
      <Navigate to="/store-details" replace />
    ) : (
      <UnlessPaying>
        <NoPlan />
      </UnlessPaying>
    );
  if (store.data === undefined) return <Async query={store} what={t`your store`} lines={8} />;
  return <StoreForm store={store.data} />;
}

function StoreForm({ store }: { store: StoreDetails }) {
  const { role } = useSession();
  const update = useUpdateStore();
  const [outcome, setOutcome] = useState('');
  const { store_username, store_name, store_type, password_set: passwordSet } = store;
  const form = useAppForm({
    schema: passwordSet ? schemas.withPassword : schemas.withoutPassword,
    defaultValues: { store_username, store_name, store_type, store_password: '' },
    fromQuery: true,
    draft,
    onSubmit: async (values) => {
      setOutcome('');
      if (passwordSet && values.store_name === store_name && values.store_type === store_type) {
        setOutcome(t`Nothing was changed, so there was nothing to save.`);
        return;
      }
      const { data, message } = await update.mutateAsync({
        store_username: values.store_username,
        store_name: values.store_name,
        store_type: values.store_type,
        ...(passwordSet ? {} : { store_password: values.store_password }),
      });
      form.methods.reset({
        store_username: data.store_username,
        store_name: data.store_name,
        store_type: data.store_type,
        store_password: '',
      });
      toast.success(message);
    },
  });
  return (
    <Form form={form} label={t`Store details`}>
      <MobileField
        name="store_username"
        label={t`Store username`}
        hint={role === 'owner' ? t`Your mobile number.` : t`The mobile number of the account’s owner.`}
        autoComplete="username"
        readOnly
      />
      <TextField
        name="store_name"
        label={t`Store Name`}
        hint={t`Letters, digits and single spaces.`}
        autoComplete="organization"
      />
      <BusinessTypeField />
      {passwordSet ? (
        <SetPassword />
      ) : (
        <PasswordField name="store_password" label={t`Store password`} autoComplete="new-password" rules />
      )}
      <div className="form-actions">
        <SubmitButton size="lg">{t`Save`}</SubmitButton>
        <Saved outcome={outcome} />
      </div>
      <UnsavedChanges draftKey={draft.key} />
    </Form>
  );
}

/** Sets a first password; an existing one is neither shown nor changed here. */
function SetPassword() {
  const { role } = useSession();
  return (
    <div className="field">
      <label className="field-label" htmlFor="store-password-set">{t`Store password`}</label>
      <p className="field-hint" id="store-password-hint">
        {role === 'owner' ? t`Set. Change it under Settings on your dashboard.` : t`Only the owner changes it.`}
      </p>
      <input
        id="store-password-set"
        className="input"
        type="password"
        value="••••••••"
        disabled
        readOnly
        aria-describedby="store-password-hint"
      />
    </div>
  );
}
