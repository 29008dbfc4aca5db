// What has changed on a page since the last look.
import { JsonView } from '../../../ui/data/json-view.tsx';
import { Time } from '../../../ui/data/time.tsx';
import { UnifiedDiff } from '../../../ui/data/unified-diff.tsx';
import { fieldsOf, isFields, textOf } from '../../../ui/data/untrusted.ts';
import { Status, type Tone } from '../../../ui/states/status.tsx';

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
      {text !== undefined && <UnifiedDiff text={text} />}
    </>
  );
}
