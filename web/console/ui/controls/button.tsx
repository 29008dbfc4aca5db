// A button, or a link that looks like one.
import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { Icon, type IconName } from '../icon.tsx';

type Kind = 'primary' | 'plain' | 'danger' | 'quiet';

interface Look {
  kind?: Kind;
  isSmall?: boolean;
  icon?: IconName;
  children?: ComponentChildren;
}

interface ButtonProps extends Look {
  /** Shows that the work runs; a second click does nothing. */
  busy?: boolean;
  disabled?: boolean;
  type?: 'button' | 'submit';
  /** Needed where the button shows only an icon. */
  label?: string;
  onClick?: (event: TargetedMouseEvent<HTMLButtonElement>) => void;
  [attribute: `aria-${string}`]: string | boolean | undefined;
}

const classOf = ({ kind = 'plain', isSmall }: Look): string => `button button-${kind}${isSmall ? ' button-small' : ''}`;

export function Button({
  kind,
  isSmall,
  icon,
  children,
  busy,
  disabled,
  type = 'button',
  label,
  onClick,
  ...aria
}: ButtonProps) {
  return (
    <button
      type={type}
      class={classOf({ kind, isSmall })}
      disabled={disabled}
      aria-busy={busy ? 'true' : undefined}
      aria-label={label}
      title={label}
      {...aria}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface LinkProps extends Look {
  href: string;
  /** The file name of a download. */
  download?: string | true;
}

export function ButtonLink({ kind, isSmall, icon, children, href, download }: LinkProps) {
  return (
    <a class={classOf({ kind, isSmall })} href={href} download={download}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}
