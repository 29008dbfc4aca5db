// A text as it is: Markdown or HTML source, or whatever an answer contains.

import { cutText } from '../../../ui/data/untrusted.ts';
import { CutNote } from '../../../ui/text/markdown.tsx';

const MAX_SHOWN = 200_000;

export function TextView({ text, label }: { text: string; label: string }) {
  const { text: shown, wholeLength } = cutText(text, MAX_SHOWN);
  return (
    <>
      {wholeLength !== undefined && <CutNote wholeLength={wholeLength} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section class="answer-source" tabIndex={0} aria-label={label}>
        <pre dir="auto">{shown}</pre>
      </section>
    </>
  );
}
