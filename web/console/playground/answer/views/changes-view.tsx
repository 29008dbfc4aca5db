// What has changed on a page since the last look.
import { JsonView } from '../../../ui/json-view.tsx';
import { Status, type Tone } from '../../../ui/status.tsx';
import { Time } from '../../../ui/time.tsx';
import { fieldsOf, isFields, textOf } from '../../../ui/untrusted.ts';
import { diffLines } from './diff-lines.ts';

const TONES: Readonly<Record<string, Tone>> = { new: 'busy', same: 'good', changed: 'warn', removed: 'bad' };
const WORDS: Readonly<Record<string, string>> = {
  new: 'First look at this page',
  same: 'Nothing has changed',
  changed: 'Changed',
  removed: 'The page is gone',
};

export function ChangesView({ value }: { value: unknown }) {
  const { changeStatus, previousScrapeAt, diff, json } = fieldsOf(value);
  const status = textOf(changeStatus) ?? 'new';
  const text = textOf(fieldsOf(diff).text);
  const before = textOf(previousScrapeAt);
  return (
    <>
      <p class="row">
        <Status tone={TONES[status] ?? 'idle'}>{WORDS[status] ?? status}</Status>
        {before !== undefined && (
          <span class="soft">
            last look: <Time at={before} />
          </span>
        )}
      </p>
      {isFields(json) && <JsonView value={json} label="Changed fields" />}
      {text !== undefined && <Diff text={text} />}
    </>
  );
}

function Diff({ text }: { text: string }) {
  const { lines, isCut } = diffLines(text);
  return (
    <>
      {isCut && <p class="notice notice-warn small">Only the first lines are shown. Download gives you all of them.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section class="answer-source answer-diff" tabIndex={0} aria-label="Difference">
        {lines.map(({ kind, text: line }, at) => (
          <div key={at} class={`diff-${kind}`}>
            <bdi>{line || ' '}</bdi>
          </div>
        ))}
      </section>
    </>
  );
}
