// How two versions differ: side by side where there is room, else below each other. Signs say what colours repeat.
import { useMemo, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { Button } from '../ui/controls/button.tsx';
import { plural } from '../ui/data/format.ts';
import { cutText } from '../ui/data/untrusted.ts';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { useLoad } from '../ui/states/use-load.ts';
import { type DiffLine, type DiffRow, diffRows, diffSize } from './diff-rows.ts';

const ROWS_AT_ONCE = 200;
const LONGEST_LINE = 2_000;

interface Props {
  url: string;
  to: number;
  from: number | undefined;
}

export function DiffView({ url, to, from }: Props) {
  const { data, error, reload } = useLoad(
    (signal) => call('pageDiff', { query: { url, to, from }, signal }),
    [url, to, from],
  );
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const rows = useMemo(() => (data?.data.diff ? diffRows(data.data.diff) : []), [data]);
  if (error) return <Problem error={error} onRetry={reload} />;
  if (!data) return <Skeleton lines={10} label="Comparing" />;
  if (data.data.same) return <p class="notice notice-good">The two versions have the same text.</p>;
  const { added, removed } = diffSize(rows);
  const left = rows.length - most;
  return (
    <div class="stack-tight">
      <p class="small soft">
        {data.data.from ? '' : 'This is the first version, so every line is new: '}
        {plural(added, 'line')} added, {plural(removed, 'line')} removed
        {data.data.cut && '. The texts differ in more than is shown here'}.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section class="diff" aria-label="Differences" tabIndex={0}>
        {rows.slice(0, most).map((row, position) => (
          <Row key={position} row={row} />
        ))}
      </section>
      {left > 0 && (
        <div>
          <Button isSmall onClick={() => setMost(most + ROWS_AT_ONCE)}>
            Show {plural(Math.min(left, ROWS_AT_ONCE), 'more line', 'more lines')}
          </Button>
        </div>
      )}
    </div>
  );
}

function Row({ row }: { row: DiffRow }) {
  if (row.kind === 'gap') return <div class="diff-gap">{row.text}</div>;
  const isChanged = row.kind === 'changed';
  return (
    <div class={`diff-row${isChanged ? ' is-changed' : ''}`}>
      <Side line={row.before} sign={isChanged ? '−' : ' '} kind={isChanged ? 'removed' : 'before'} />
      <Side line={row.after} sign={isChanged ? '+' : ' '} kind={isChanged ? 'added' : 'after'} />
    </div>
  );
}

function Side({ line, sign, kind }: { line: DiffLine | undefined; sign: string; kind: string }) {
  if (!line) return <div class="diff-side is-empty" aria-hidden="true" />;
  return (
    <div class={`diff-side is-${kind}`}>
      <span class="diff-number number" aria-hidden="true">
        {line.number}
      </span>
      <span class="diff-sign">{sign}</span>
      <span class="diff-text" dir="auto">
        {cutText(line.text, LONGEST_LINE).text}
      </span>
    </div>
  );
}
