import { usePageMeta } from '@/lib/page-meta';

/** A page that is announced and not yet written. */
export function WhatIsFranchisePage() {
  usePageMeta({
    title: 'What is a franchise?',
    description: 'What a franchise is, explained by Franchise 360. This page is coming soon.',
  });
  return (
    <div className="container not-found">
      <h1 tabIndex={-1}>coming soon</h1>
    </div>
  );
}
