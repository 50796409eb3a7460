import { t } from '@lingui/core/macro';
import { ArticleView } from '@/ui/site/article-view';
import { CallToAction } from '@/ui/site/call-to-action';
import type { Article } from '@/content/articles';
import * as article from '@/content/what-is-a-franchise.md';

/** Explains franchising to newcomers. */
export function WhatIsFranchisePage() {
  return (
    <>
      <ArticleView article={article as unknown as Article} trail={[{ label: t`Home`, to: '/' }]} />
      <CallToAction />
    </>
  );
}
