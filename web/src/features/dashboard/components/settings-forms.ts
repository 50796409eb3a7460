import { codeQuery } from '@/lib/code-query';

/** The forms of the settings' dialogs, with which come all the rules of input. */
export const storePasswordForm = codeQuery(
  'store-password-form',
  async () => (await import('./store-password-form')).StorePasswordForm,
);
export const customDomainForm = codeQuery(
  'custom-domain-form',
  async () => (await import('./custom-domain-form')).CustomDomainForm,
);
