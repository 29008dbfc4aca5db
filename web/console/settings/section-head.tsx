// The head of a section: what it is about, and what can be done.
import type { ComponentChildren } from 'preact';

export function SectionHead({ children, actions }: { children: ComponentChildren; actions?: ComponentChildren }) {
  return (
    <div class="section-head">
      <div class="soft">{children}</div>
      {actions}
    </div>
  );
}

/** Said once where somebody may not use a section. */
export function NotAllowed({ who, children }: { who: 'operator' | 'manager'; children?: ComponentChildren }) {
  return (
    <div class="notice">
      <p class="notice-title">
        {who === 'operator' ? 'Only the operator of this server can see this.' : 'Your key is restricted.'}
      </p>
      <p>
        {who === 'operator'
          ? 'The operator is somebody with an unrestricted key of the team “default”. Log in with such a key to use this section.'
          : 'Keys with any limit cannot read or change the settings of their team. Log in with an unrestricted key.'}
      </p>
      {children}
    </div>
  );
}
