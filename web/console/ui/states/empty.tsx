// What is shown where there is nothing yet: what belongs here, and how to get the first one.
import type { ComponentChildren } from 'preact';

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}
