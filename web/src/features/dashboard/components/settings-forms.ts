import { codeQuery } from '@/lib/code-query';

/** The forms of the settings dialogs, loaded lazily together with the validation rules. */
export const storePasswordForm = codeQuery(
  'store-password-form',
  async () => (await import('./store-password-form')).StorePasswordForm,
);
export const customDomainForm = codeQuery(
  'custom-domain-form',
  async () => (await import('./custom-domain-form')).CustomDomainForm,
);
