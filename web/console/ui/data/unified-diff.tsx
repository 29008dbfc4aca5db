// A unified diff: one line below the other, with colours that repeat its signs.
import { diffLines } from './diff-lines.ts';

export function UnifiedDiff({ text }: { text: string }) {
  const { lines, isCut } = diffLines(text);
  return (
    <>
      {isCut && <p class="notice notice-warn small">Only the first lines of the changes are shown.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section class="unified-diff" aria-label="What has changed" tabIndex={0}>
        {lines.map(({ kind, text: line }, position) => (
          <div key={position} class={`diff-line diff-${kind}`}>
            <bdi>{line || ' '}</bdi>
          </div>
        ))}
      </section>
    </>
  );
}
