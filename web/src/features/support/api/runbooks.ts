import { queryOptions } from '@tanstack/react-query';
import { supportKey } from './support';

const FOLDER = '../../../../../scripts/monitoring/runbooks/';

/** The texts of the runbooks, each in a chunk of its own. */
const texts = import.meta.glob<{ html: string }>('../../../../../scripts/monitoring/runbooks/*.md');

/** Links to other runbooks lead to their pages. Links to other files of the repository lead nowhere here, and are plain text. */
export const linked = (html: string): string =>
  html
    .replaceAll(/href="([a-z-]+)\.md(#[^"]*)?"/g, 'href="/support/runbooks/$1$2"')
    .replaceAll(/<a href="\.\.?\/[^"]*"[^>]*>([\s\S]*?)<\/a>/g, '$1');

/** A runbook as HTML; null if the release has none with this name. */
export const runbookQuery = (name: string) =>
  queryOptions({
    queryKey: [...supportKey, 'runbook', name],
    queryFn: async () => {
      const text = await texts[`${FOLDER}${name}.md`]?.();
      return text ? linked(text.html) : null;
    },
    staleTime: Infinity,
  });
