import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { Prose } from '@/ui/site/prose';
import { Async } from '@/ui/states';
import { usePageMeta } from '@/lib/page-meta';
import { runbookQuery } from '../api/runbooks';
import { Missing } from '../shared/missing';

/** One runbook: what an alert means, where to look, and how to fix it. */
export function RunbookPage() {
  const { name = '' } = useParams();
  const text = useQuery(runbookQuery(name));
  usePageMeta({ title: `Runbook: ${name}` });
  return (
    <>
      <Async query={text} what="the runbook" lines={8} />
      {text.data === null && <Missing what="runbook" to="/support/alerts" label="Alerts" />}
      {text.data && <Prose html={text.data} />}
    </>
  );
}
