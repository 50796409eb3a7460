import { t } from '@lingui/core/macro';
import { z } from 'zod/mini';
import { Form, SubmitButton } from '@/components/form/form';
import { TextField } from '@/components/form/text-field';
import { useAppForm } from '@/components/form/use-app-form';
import { toast } from '@/lib/toast';
import { text } from '@/lib/validation';
import { useUpdateCustomDomain } from '../api/update-custom-domain';
import type { Tenant } from '../state';

const MAX = 40;
/** Labels of letters (of any script), digits and hyphens; at least two labels, the last not digits only. */
const DOMAIN = /^(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{M}][\p{L}\p{N}\p{M}-]*$/u;

/** Reduces a pasted domain to its host: "https://Shop.Example.in/" → "shop.example.in". */
function hostOf(typed: string): string {
  return typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

const schema = z.object({
  custom_domain: text(
    t`Custom domain`,
    [
      [(value) => value.length <= MAX, t`Enter valid domain name of ${MAX} characters at most`],
      [(value) => DOMAIN.test(value), t`Enter valid domain name`],
    ],
    { empty: t`Required`, normalise: hostOf },
  ),
});

export interface CustomDomainFormProps {
  tenant: Tenant;
  /** Called after saving; the DNS records come next. */
  onSaved: () => void;
}

/** Asks for the name of the store's own domain. */
export function CustomDomainForm({ tenant, onSaved }: CustomDomainFormProps) {
  const update = useUpdateCustomDomain(tenant.id);
  const form = useAppForm({
    schema,
    defaultValues: { custom_domain: tenant.custom_domain ?? '' },
    onSubmit: async ({ custom_domain }) => {
      const { message } = await update.mutateAsync(custom_domain);
      toast.success(message);
      onSaved();
    },
  });
  return (
    <Form form={form} label={t`Change custom domain`}>
      <TextField
        name="custom_domain"
        label={t`Custom domain`}
        hint={t`For example shop.yourbrand.in. Until it is linked, ${tenant.domain} keeps working.`}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
      />
      <SubmitButton block>{t`Update`}</SubmitButton>
    </Form>
  );
}
