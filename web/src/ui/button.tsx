import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';

type Variant = 'primary' | 'outline' | 'quiet' | 'danger';
type Size = 'sm' | 'md' | 'lg';

interface Looks {
  variant?: Variant;
  size?: Size;
  block?: boolean;
}

function classes({ variant = 'primary', size = 'md', block }: Looks, extra?: string): string {
  return ['btn', `btn-${variant}`, size !== 'md' && `btn-${size}`, block && 'btn-block', extra]
    .filter(Boolean)
    .join(' ');
}

export interface ButtonProps extends Looks, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  /** While true the label stays, a spinner is added and further clicks are ignored. */
  pending?: boolean;
  children: ReactNode;
}

/** A button that is never disabled: while its work is pending it shows so and ignores further clicks. */
export function Button({
  variant,
  size,
  block,
  pending,
  children,
  className,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (pending) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      className={classes({ variant, size, block }, className)}
      aria-disabled={pending || rest['aria-disabled']}
      aria-busy={pending || undefined}
      onClick={handleClick}
    >
      {pending && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}

export interface ButtonLinkProps extends Looks, LinkProps {}

/** A link that looks like a button. */
export function ButtonLink({ variant, size, block, className, ...rest }: ButtonLinkProps) {
  return <Link viewTransition {...rest} className={classes({ variant, size, block }, className)} />;
}
