// The head of a page: its title, what it is for, and what can be done here.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface Props {
  title: string;
  intro?: ComponentChildren;
  /** Buttons. */
  children?: ComponentChildren;
}

export function PageHead({ title, intro, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Trawl`;
  }, [title]);
  return (
    <header class="page-head">
      <div>
        <h1>{title}</h1>
        {intro !== undefined && <p class="page-intro">{intro}</p>}
      </div>
      {children !== undefined && <div class="page-actions">{children}</div>}
    </header>
  );
}
