import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '@/ui/button';
import { CopyButton } from '@/ui/copy-button';
import { Modal } from '@/ui/modal';
import { Notice, StatusText } from '@/ui/notice';
import { Player } from '@/ui/recording/player';
import { recordingOf } from '@/ui/recording/recordings';
import { Async } from '@/ui/states';
import { tutorials } from '@/content/tutorials';
import type { components } from '@/lib/api/schema.gen';
import { explain } from '@/lib/api/errors';
import { formatInstant } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useSlow } from '@/lib/use-slow';
import { customDomainQuery } from '../api/custom-domain';
import { dashboardQuery } from '@/domain/payment/api/dashboard';
import { useRemoveCustomDomain } from '../api/remove-custom-domain';
import { useUpdateCustomDomain } from '../api/update-custom-domain';
import { domainText, type Tenant } from '../state';

type Schemas = components['schemas'];

const purposeText: Record<Schemas['DnsRecord']['purpose'], string> = {
  proof: t`Proves that the domain is yours`,
  routing: t`Sends visitors to your store`,
  certificate: t`Permits the certificate of your domain`,
};

function Value({ label, value, what }: { label: string; value: string; what: string }) {
  return (
    <div className="dns-value">
      <dt>{label}</dt>
      <dd>
        <code>{value}</code>
        <CopyButton value={value} what={what} />
      </dd>
    </div>
  );
}

function RecordCard({ record }: { record: Schemas['DnsRecord'] }) {
  const { type, name, relative_name: short, value, ttl, purpose, found, matches } = record;
  return (
    <li className="dns-record">
      <div className="dns-record-head">
        <h3>
          <Trans>
            {type} record <span className="text-muted text-sm fw-normal">{purposeText[purpose]}</span>
          </Trans>
        </h3>
        <StatusText tone={matches ? 'success' : 'warning'}>{matches ? t`Found` : t`Not found yet`}</StatusText>
      </div>
      <dl>
        <Value label={t`Name`} value={name} what={t`name of the ${type} record`} />
        <Value label={t`Short name`} value={short} what={t`short name of the ${type} record`} />
        <Value label={t`Value`} value={value} what={t`value of the ${type} record`} />
        <div className="dns-value">
          <dt>{t`TTL`}</dt>
          <dd>{t`${ttl} seconds`}</dd>
        </div>
      </dl>
      {!matches && found.length > 0 && <p className="text-sm text-muted">{t`DNS now shows ${found.join(', ')}.`}</p>}
    </li>
  );
}

/** The result of the last DNS check, or that one is running. */
function Outcome({ domain, checking }: { domain: Schemas['CustomDomain']; checking: boolean }) {
  const { tone, label } = domainText[domain.state];
  const patience = useSlow(checking);
  if (checking) {
    return (
      <p role="status" className="d-flex align-items-center gap-2">
        <span className="spinner" aria-hidden="true" />
        {patience === 'fine'
          ? t`Checking the DNS records of ${domain.custom_domain ?? ''}…`
          : t`Still working: DNS takes longer than usual. You can close this; we keep checking.`}
      </p>
    );
  }
  return (
    <div role="status" className="stack-sm">
      <StatusText tone={tone}>{label}</StatusText>
      {domain.reason && <p>{domain.reason}</p>}
      {domain.checked_at && (
        <p className="text-muted text-sm">{t`Last checked ${formatInstant(domain.checked_at)}.`}</p>
      )}
    </div>
  );
}

interface RecordsProps {
  domain: Schemas['CustomDomain'];
  tenantId: string;
}

function Records({ domain, tenantId }: RecordsProps) {
  const check = useUpdateCustomDomain(tenantId);
  const own = domain.custom_domain ?? '';
  const handleCheck = () => {
    if (domain.custom_domain) check.mutate(domain.custom_domain);
  };
  return (
    <>
      <ol className="dns-steps">
        <li>{t`Open the DNS settings at the registrar where you bought ${own}.`}</li>
        <li>{t`Add these records exactly as shown here, and remove other A records of the same name.`}</li>
        <li>
          {t`Most registrars add your domain to the name by themselves: enter the short name there, and the full name elsewhere.`}
        </li>
        <li>{t`Save. DNS changes can take up to 48 hours; we check again automatically.`}</li>
      </ol>
      <ul className="plain-list stack-sm">
        {domain.records.map((record) => (
          <RecordCard key={`${record.type} ${record.name} ${record.value}`} record={record} />
        ))}
      </ul>
      {domain.records.some((record) => record.purpose === 'routing' && record.relative_name === '@') && (
        <p>{t`If www.${own} should lead here too, add a CNAME record for www that points to ${own}.`}</p>
      )}
      <Outcome domain={domain} checking={(domain.checking || check.isPending) && !check.isError} />
      {check.isError && (
        <Notice tone="danger" live>
          {explain(check.error)}
        </Notice>
      )}
      <div className="domain-actions">
        {domain.state !== 'active' && (
          <Button variant="outline" pending={check.isPending} onClick={handleCheck}>{t`Check again`}</Button>
        )}
        <RemoveDomain domain={domain} tenantId={tenantId} />
      </div>
    </>
  );
}

/** Removes the domain after a second press. */
function RemoveDomain({ domain, tenantId }: { domain: Schemas['CustomDomain']; tenantId: string }) {
  const remove = useRemoveCustomDomain(tenantId);
  const own = domain.custom_domain ?? '';
  const [sure, setSure] = useState(false);
  if (!sure) {
    return <Button variant="quiet" onClick={() => setSure(true)}>{t`Remove domain`}</Button>;
  }
  return (
    <Notice tone="warning" live>
      <p>{t`${own} will no longer open your store, which stays at ${domain.domain}.`}</p>
      {remove.isError && <p className="text-danger">{explain(remove.error)}</p>}
      <div className="domain-actions mt-3">
        <Button variant="quiet" size="sm" onClick={() => setSure(false)}>{t`Keep it`}</Button>
        <Button
          variant="danger"
          size="sm"
          pending={remove.isPending}
          onClick={() => remove.mutate(undefined, { onSuccess: ({ message }) => toast.success(message) })}
        >{t`Remove ${own}`}</Button>
      </div>
    </Notice>
  );
}

export interface DnsDialogProps {
  open: boolean;
  tenant: Tenant;
  onClose: () => void;
  onSetDomain: () => void;
}

const lesson = tutorials.find(({ id }) => id === 'domain');
const recording = lesson && recordingOf(lesson.id);

/** Step-by-step instructions for linking a domain: the records to copy and enter, and what DNS returns. */
export function DnsDialog({ open, tenant, onClose, onSetDomain }: DnsDialogProps) {
  const domain = useQuery({ ...customDomainQuery(tenant.id), enabled: open });
  const state = domain.data?.state;
  const client = useQueryClient();
  // A changed check result affects the rest of the dashboard too.
  useEffect(() => {
    if (state && state !== tenant.custom_domain_state)
      void client.invalidateQueries({ queryKey: dashboardQuery.queryKey, exact: true });
  }, [client, state, tenant.custom_domain_state]);
  return (
    <Modal open={open} title={t`How to link your domain to IP`} size="xl" onClose={onClose}>
      <div className="dns-guide">
        {recording && (
          <div className="dns-video">
            <Player recording={recording} cover={lesson.cover} title={lesson.title} />
            <p className="text-muted text-sm">{t`All the steps in a short video, with captions.`}</p>
          </div>
        )}
        <div className="stack">
          <Async query={domain} what={t`your domain`}>
            {(data) =>
              data.custom_domain ? (
                <Records domain={data} tenantId={tenant.id} />
              ) : (
                <>
                  <p>{t`Your store is at ${data.domain}. To use your own domain, enter its name first; we then show you the DNS records to add.`}</p>
                  {data.ip_address && (
                    <p>
                      <Trans>
                        It will point to <code>{data.ip_address}</code>.
                      </Trans>
                    </p>
                  )}
                  <Button onClick={onSetDomain}>{t`Set custom domain`}</Button>
                </>
              )
            }
          </Async>
        </div>
      </div>
    </Modal>
  );
}
