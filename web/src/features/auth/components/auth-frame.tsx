import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ShieldIcon from 'bootstrap-icons/icons/shield-check.svg?component';
import ShopIcon from 'bootstrap-icons/icons/shop.svg?component';
import GraphIcon from 'bootstrap-icons/icons/graph-up-arrow.svg?component';
import type { ReactNode } from 'react';
import { usePageMeta } from '@/lib/page-meta';
import '@/styles/app.scss';

export interface AuthFrameProps {
  title: string;
  /** The page's name in the document title, if it differs from the heading. */
  pageName?: string;
  /** For search engines; set only by pages they may index. */
  description?: string;
  intro?: ReactNode;
  children: ReactNode;
  /** Links to other pages, such as from login to sign-up. */
  foot?: ReactNode;
}

function BrandPanel() {
  return (
    <aside className="split-brand" aria-label={t`Why Franchise 360`}>
      <svg
        className="split-art"
        viewBox="0 0 560 560"
        aria-hidden="true"
        focusable="false"
        fill="none"
        stroke="currentColor"
      >
        <circle cx="280" cy="280" r="120" strokeWidth="2" />
        <circle cx="280" cy="280" r="190" strokeWidth="2" />
        <path d="M512 180A252 252 0 1 0 532 280" strokeWidth="28" strokeLinecap="round" />
        <circle cx="470" cy="106" r="26" fill="currentColor" />
        <circle cx="160" cy="280" r="10" fill="currentColor" />
        <circle cx="376" cy="116" r="10" fill="currentColor" />
        <circle cx="330" cy="390" r="10" fill="currentColor" />
      </svg>
      <p className="split-headline">{t`One place to start, run and grow your franchise network.`}</p>
      <ul className="split-points">
        <li>
          <ShopIcon />
          <div>
            <Trans>
              <strong>Stores that look like you</strong>Your brand, your domain, your own apps.
            </Trans>
          </div>
        </li>
        <li>
          <GraphIcon />
          <div>
            <Trans>
              <strong>Every location in one view</strong>Orders, stock and commissions as they happen.
            </Trans>
          </div>
        </li>
        <li>
          <ShieldIcon />
          <div>
            <Trans>
              <strong>Plain terms</strong>GST invoices for every payment, no hidden charges.
            </Trans>
          </div>
        </li>
      </ul>
    </aside>
  );
}

/** The frame of login, sign-up and recovery: the form, next to a brand panel on wide screens. */
export function AuthFrame({ title, pageName, description, intro, children, foot }: AuthFrameProps) {
  usePageMeta({ title: pageName ?? title, description });
  return (
    <div className="split">
      <BrandPanel />
      <div className="split-main">
        <div className="form-card">
          <div className="form-intro">
            <h1 tabIndex={-1}>{title}</h1>
            {intro && <p className="text-muted">{intro}</p>}
          </div>
          {children}
          {foot && <div className="form-foot">{foot}</div>}
        </div>
      </div>
    </div>
  );
}
