// Code or another text as it is, with a button that copies it.
import type { ComponentChildren } from 'preact';
import { CopyButton } from '../controls/copy-button.tsx';

interface Props {
  text: string;
  label: string;
  /** More buttons. */
  children?: ComponentChildren;
}

export function CodeBlock({ text, label, children }: Props) {
  return (
    <div class="code-block">
      <div class="code-head">
        <span>{label}</span>
        <span class="row">
          {children}
          <CopyButton text={text} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
    </div>
  );
}
