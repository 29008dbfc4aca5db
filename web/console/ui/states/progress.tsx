// How far something is.
import type { ComponentChildren } from 'preact';

interface Props {
  value: number;
  /** 0: not known yet. */
  max: number;
  label: string;
  /** Shown below the bar. */
  children?: ComponentChildren;
}

export function Progress({ value, max, label, children }: Props) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <div class="progress">
      <div
        class="progress-track"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max || undefined}
        aria-valuenow={value}
      >
        <div class="progress-bar" style={{ width: `${share * 100}%` }} />
      </div>
      {children !== undefined && <div class="progress-label">{children}</div>}
    </div>
  );
}
