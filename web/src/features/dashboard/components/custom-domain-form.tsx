import { t } from '@lingui/core/macro';
import { Form, SubmitButton } from '@/ui/form/form';
import { TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { toast } from '@/lib/toast';
import { useUpdateCustomDomain } from '../api/update-custom-domain';
import { domainSchema } from '../domain-schema';
import type { Tenant } from '../state';

export interface CustomDomainFormProps {
  tenant: Tenant;
  /** Called after saving; the DNS records come next. */
  onSaved: () => void;
}

/** Asks for the name of the store's own domain. */
export function CustomDomainForm({ tenant, onSaved }: CustomDomainFormProps) {
  const update = useUpdateCustomDomain(tenant.id);
  const form = useAppForm({
    schema: domainSchema,
    defaultValues: { custom_domain: tenant.custom_domain ?? '' },
    fromQuery: true,
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
