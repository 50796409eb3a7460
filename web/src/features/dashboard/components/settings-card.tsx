import { t } from '@lingui/core/macro';
import DomainIcon from 'bootstrap-icons/icons/globe2.svg?component';
import HelpIcon from 'bootstrap-icons/icons/signpost-split.svg?component';
import KeyIcon from 'bootstrap-icons/icons/key.svg?component';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { StatusText } from '@/ui/notice';
import { latePart } from '@/start/page/late';
import { domainText, type Tenant } from '../state';
import { Card } from './card';

const StorePasswordDialog = latePart(async () => (await import('./store-password-dialog')).StorePasswordDialog);
const CustomDomainDialog = latePart(async () => (await import('./custom-domain-dialog')).CustomDomainDialog);
const DnsDialog = latePart(async () => (await import('./dns-dialog')).DnsDialog);

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
  const { tone, label } = domainText[tenant.custom_domain_state];
  return (
    <Card title={t`Settings`}>
      <div className="domain-state">
        <p className="fw-bold">{tenant.custom_domain ?? tenant.domain}</p>
        <StatusText tone={tone}>{label}</StatusText>
      </div>
      <ul className="plain-list settings-list">
        <li>
          <button type="button" className="setting" onClick={() => setDialog('password')}>
            <KeyIcon /> {t`Change store password`}
          </button>
        </li>
        <li>
          <button type="button" className="setting" onClick={() => setDialog('domain')}>
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
