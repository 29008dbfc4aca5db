// Rendered Markdown of a page. The one place of the console that sets HTML: the renderer lets no HTML of the page through.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { bytes } from '../data/format.ts';
import { Problem } from '../states/problem.tsx';
import { Skeleton } from '../states/skeleton.tsx';
import { useLoad } from '../states/use-load.ts';
import type { MarkdownHtml } from './markdown-html.ts';

interface Props {
  text: string;
  /** Says what it is, for screen readers. */
  label: string;
  /** Called with what is shown, once it is there and when this function changes. */
  onShown?: (content: Element) => void;
}

export function Markdown({ text, label, onShown }: Props) {
  const { data: module, error, reload } = useLoad(() => import('./markdown-html.ts'), []);
  const rendered = useMemo(() => module && render(module, text), [module, text]);
  const content = useRef<HTMLElement>(null);
  useEffect(() => {
    if (content.current) onShown?.(content.current);
  }, [rendered, onShown]);
  if (error) return <Problem error={error} onRetry={reload} />;
  if (!rendered) return <Skeleton lines={8} />;
  if (typeof rendered === 'string') return <p class="notice notice-warn">{rendered}</p>;
  return (
    <>
      {rendered.wholeLength !== undefined && <CutNote wholeLength={rendered.wholeLength} />}
      <section
        ref={content}
        class="markdown"
        aria-label={label}
        dir="auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        // markdown-html.ts escapes all HTML of the page.
        dangerouslySetInnerHTML={{ __html: rendered.html }}
      />
    </>
  );
}

/** Says that only the beginning is shown. */
export const CutNote = ({ wholeLength }: { wholeLength: number }) => (
  <p class="notice notice-warn small">
    This is only the beginning: the whole text has {bytes(wholeLength)}. Copy and Download give you all of it.
  </p>
);

function render({ markdownHtml }: typeof import('./markdown-html.ts'), text: string): MarkdownHtml | string {
  try {
    return markdownHtml(text);
  } catch {
    return 'This Markdown could not be rendered. Look at its source instead.';
  }
}
