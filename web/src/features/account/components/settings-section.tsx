import { useId, type ReactNode } from 'react';

export interface SettingsSectionProps {
  title: string;
  /** One sentence about the section's purpose. */
  intro: ReactNode;
  children: ReactNode;
}

/** A section of the settings: its explanation on the left, the settings on the right. */
export function SettingsSection({ title, intro, children }: SettingsSectionProps) {
  const id = useId();
  return (
    <section className="settings-section" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p className="text-muted">{intro}</p>
      </div>
      <div className="panel settings-panel">{children}</div>
    </section>
  );
}

export interface SettingsRowProps {
  title: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}

/** One setting: its name, its current value, and the button that changes it. */
export function SettingsRow({ title, children, action }: SettingsRowProps) {
  return (
    <div className="settings-row">
      <div>
        <h3>{title}</h3>
        <div className="text-muted">{children}</div>
      </div>
      {action}
    </div>
  );
}
