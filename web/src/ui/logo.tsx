import { Trans } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Link } from 'react-router';

/** The logo's symbol: a full circle closed by a new node. */
export function LogoMark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path className="brand-ring" d="M27.6 10.4A13 13 0 1 0 29 16" fill="none" strokeWidth="3" strokeLinecap="round" />
      <circle className="brand-dot" cx="24.6" cy="6.2" r="3" />
      <path
        className="brand-letter"
        d="M12 9.5h9.2a1.5 1.5 0 0 1 0 3H14.6v3h5.2a1.5 1.5 0 0 1 0 3h-5.2v4.2a1.5 1.5 0 0 1-3 0V10a.5.5 0 0 1 .4-.5Z"
      />
    </svg>
  );
}

/** The logo, which links to the home page. */
export function Logo() {
  return (
    <Link to="/" className="brand" aria-label={t`Franchise 360, home`}>
      <LogoMark />
      <b>
        <Trans>
          Franchise <span>360</span>
        </Trans>
      </b>
    </Link>
  );
}
