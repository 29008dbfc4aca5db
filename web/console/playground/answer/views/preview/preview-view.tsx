// How the HTML of a page reads: in a frame that runs no script, sends no request, and has only our own styles.
import { useMemo } from 'preact/hooks';
import { previewHtml } from './preview-html.ts';

export function PreviewView({ html }: { html: string }) {
  const { html: content, isCut } = useMemo(() => previewHtml(html, ownLook()), [html]);
  return (
    <>
      {isCut && (
        <p class="notice notice-warn small">The page is too large to be shown in full. Download gives you all of it.</p>
      )}
      <iframe class="answer-frame" title="Preview of the page" sandbox="" srcdoc={content} />
      <p class="small faint">Without scripts, styles and images of the page.</p>
    </>
  );
}

const ownLook = () => ({
  stylesheet: document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]')?.href ?? '',
  theme: document.documentElement.dataset.theme,
});
