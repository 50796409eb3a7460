import type { ReactNode } from 'react';
import { usePageMeta } from '@/lib/page-meta';
import '@/styles/app.scss';

export interface OnboardingFrameProps {
  title: string;
  pageName?: string;
  intro?: ReactNode;
  /** The progress shown above the heading. */
  steps?: ReactNode;
  children: ReactNode;
}

/** The frame of the steps after sign-up: one column, one task. */
export function OnboardingFrame({ title, pageName, intro, steps, children }: OnboardingFrameProps) {
  usePageMeta({ title: pageName ?? title });
  return (
    <div className="container page d-flex flex-column align-items-center">
      <div className="form-card form-card-wide">
        {steps}
        <div className="form-intro">
          <h1 tabIndex={-1}>{title}</h1>
          {intro && <p className="lead">{intro}</p>}
        </div>
        {children}
      </div>
    </div>
  );
}
