import CheckIcon from 'bootstrap-icons/icons/check-circle-fill.svg?component';
import DangerIcon from 'bootstrap-icons/icons/exclamation-circle-fill.svg?component';
import WarningIcon from 'bootstrap-icons/icons/exclamation-triangle-fill.svg?component';
import InfoIcon from 'bootstrap-icons/icons/info-circle-fill.svg?component';
import type { ReactNode } from 'react';

export type Tone = 'info' | 'success' | 'warning' | 'danger';

const icons = { info: InfoIcon, success: CheckIcon, warning: WarningIcon, danger: DangerIcon };

export interface NoticeProps {
  tone?: Tone;
  /** True if the notice responds to a user action, so that it is announced. */
  live?: boolean;
  children: ReactNode;
}

/** A message that stays on the screen. */
export function Notice({ tone = 'info', live, children }: NoticeProps) {
  const Icon = icons[tone];
  const role = live ? (tone === 'danger' || tone === 'warning' ? 'alert' : 'status') : undefined;
  return (
    <div className={`notice notice-${tone}`} role={role}>
      <Icon />
      <div>{children}</div>
    </div>
  );
}

/** A status as text with an icon, never as colour alone. */
export function StatusText({ tone, children }: { tone: Tone; children: ReactNode }) {
  const Icon = icons[tone];
  return (
    <span className={`status-text status-${tone}`}>
      <Icon />
      {children}
    </span>
  );
}

/** A small label, such as "Most popular". */
export function Badge({
  tone,
  children,
}: {
  tone?: 'primary' | 'gold' | 'success' | 'warning' | 'danger';
  children: ReactNode;
}) {
  return <span className={`tag ${tone ? `tag-${tone}` : ''}`}>{children}</span>;
}

/** A bordered section of a page. */
export function Card({
  raised,
  children,
  className = '',
}: {
  raised?: boolean;
  children: ReactNode;
  className?: string;
}) {
  return <div className={`panel ${raised ? 'panel-raised' : ''} ${className}`}>{children}</div>;
}
