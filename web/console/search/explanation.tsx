// Why a result stands where it stands: the parts of its score, in words and as bars.
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { useLoad } from '../ui/states/use-load.ts';
import { barWidths, type Hit, partName } from './names.ts';
import type { Looked } from './search-address.ts';
import { explainHit } from './use-search.ts';

interface Props {
  looked: Looked;
  position: number;
  url: string;
}

export function Explanation({ looked, position, url }: Props) {
  const { data, error, reload } = useLoad((signal) => explainHit(looked, position, url, signal), [url, position]);
  return (
    <section class="explanation" aria-label="Why this result">
      {error !== undefined ? (
        <Problem error={error} onRetry={reload} />
      ) : data === undefined ? (
        <Skeleton lines={5} label="Reading the score" />
      ) : data.order === 'date' ? (
        <p>The pages are ordered by date, so they have no score.</p>
      ) : data.hit?.explain === undefined ? (
        <p>The index has changed since this search. Search again to see why this page is found.</p>
      ) : (
        <Score score={data.hit.score ?? 0} explain={data.hit.explain} />
      )}
    </section>
  );
}

function Score({ score, explain: { parts, isMovedDown } }: { score: number; explain: NonNullable<Hit['explain']> }) {
  const widths = barWidths(parts);
  return (
    <>
      <table class="score">
        <caption class="visually-hidden">The parts of the score</caption>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Share</th>
            <th scope="col">Points</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part, at) => (
            <tr key={at}>
              <th scope="row">{partName(part)}</th>
              <td class="score-bar">
                <span class={part.value < 0 ? 'is-negative' : undefined} style={{ width: `${widths[at]}%` }} />
              </td>
              <td class="score-value number">{points(part.value)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Score</th>
            <td />
            <td class="score-value number">{score.toFixed(2)}</td>
          </tr>
        </tfoot>
      </table>
      {isMovedDown && (
        <p class="small soft">
          Three pages of this site come before it, so it stands behind pages of other sites with a lower score.
        </p>
      )}
    </>
  );
}

const points = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
