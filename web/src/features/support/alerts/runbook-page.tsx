import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ButtonLink } from '@/ui/button';
import { Prose } from '@/ui/site/prose';
import { Async, EmptyState } from '@/ui/states';
import { usePageMeta } from '@/lib/page-meta';
import { runbookQuery } from '../api/runbooks';

/** One runbook: what an alert means, where to look, and how to fix it. */
export function RunbookPage() {
  const { name = '' } = useParams();
  const text = useQuery(runbookQuery(name));
  usePageMeta({ title: `Runbook: ${name}` });
  return (
    <>
      <Async query={text} what="the runbook" lines={8} />
      {text.data === null && (
        <EmptyState title="Page not found" action={<ButtonLink to="/support/alerts">Alerts</ButtonLink>}>
          There is no runbook with this name.
        </EmptyState>
      )}
      {text.data && <Prose html={text.data} />}
    </>
  );
}
