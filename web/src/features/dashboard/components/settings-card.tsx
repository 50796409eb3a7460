import { t } from '@lingui/core/macro';
import DomainIcon from 'bootstrap-icons/icons/globe2.svg?component';
import HelpIcon from 'bootstrap-icons/icons/signpost-split.svg?component';
import KeyIcon from 'bootstrap-icons/icons/key.svg?component';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { StatusText } from '@/ui/notice';
import { onDemand } from '@/start/page/on-demand';
import { domainText, type Tenant } from '../state';
import { Card } from './card';
import { customDomainForm, storePasswordForm } from './settings-forms';

const StorePasswordDialog = onDemand(async () => (await import('./store-password-dialog')).StorePasswordDialog);
const CustomDomainDialog = onDemand(async () => (await import('./custom-domain-dialog')).CustomDomainDialog);
const DnsDialog = onDemand(async () => (await import('./dns-dialog')).DnsDialog);

type Dialog = 'password' | 'domain' | 'dns' | null;

/** The store's settings: its password, its domain, and instructions for linking the domain. */
export function SettingsCard({ tenant }: { tenant: Tenant }) {
  const [chosen, setDialog] = useState<Dialog>(null);
  const { hash } = useLocation();
  const navigate = useNavigate();
  // The links "Link a domain" lead here.
  const linked = hash === '#domain';
  const dialog = chosen ?? (linked ? 'domain' : null);
  const close = () => {
    setDialog(null);
    if (linked) void navigate({ hash: '' }, { replace: true, preventScrollReset: true });
  };
  const client = useQueryClient();
  const preparePassword = () => void client.prefetchQuery(storePasswordForm);
  const prepareDomain = () => void client.prefetchQuery(customDomainForm);
  const { tone, label } = domainText[tenant.custom_domain_state];
  return (
    <Card title={t`Settings`}>
      <div className="domain-state">
        <p className="fw-bold">{tenant.custom_domain ?? tenant.domain}</p>
        <StatusText tone={tone}>{label}</StatusText>
      </div>
      <ul className="plain-list settings-list">
        <li>
          <button
            type="button"
            className="setting"
            onPointerEnter={preparePassword}
            onFocus={preparePassword}
            onClick={() => setDialog('password')}
          >
            <KeyIcon /> {t`Change store password`}
          </button>
        </li>
        <li>
          <button
            type="button"
            className="setting"
            onPointerEnter={prepareDomain}
            onFocus={prepareDomain}
            onClick={() => setDialog('domain')}
          >
            <DomainIcon /> {t`Change custom domain`}
          </button>
        </li>
        <li>
          <button type="button" className="setting" onClick={() => setDialog('dns')}>
            <HelpIcon /> {t`How to link your domain to IP`}
          </button>
        </li>
      </ul>
      <StorePasswordDialog open={dialog === 'password'} tenantId={tenant.id} onClose={close} />
      <CustomDomainDialog open={dialog === 'domain'} tenant={tenant} onClose={close} onSaved={() => setDialog('dns')} />
      <DnsDialog open={dialog === 'dns'} tenant={tenant} onClose={close} onSetDomain={() => setDialog('domain')} />
    </Card>
  );
}
