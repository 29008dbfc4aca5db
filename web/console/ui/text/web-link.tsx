// A link to a page of the web. Its address comes from the web, too: only http and https are followed.
import type { ComponentChildren } from 'preact';

export function WebLink({ href, children, isCut }: { href: string; children?: ComponentChildren; isCut?: boolean }) {
  const isSafe = /^https?:\/\//i.test(href);
  const className = isCut ? 'cut' : undefined;
  if (!isSafe) return <span class={className}>{children ?? href}</span>;
  return (
    <a class={className} href={href} target="_blank" rel="noopener noreferrer" title={isCut ? href : undefined}>
      {children ?? href}
    </a>
  );
}
