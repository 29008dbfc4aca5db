// The results: how many, how the query was read, the hits, and more of them.
import { Button } from '../ui/controls/button.tsx';
import { count, duration } from '../ui/data/format.ts';
import { Problem } from '../ui/states/problem.tsx';
import { HitView } from './hit-view.tsx';
import { completedWords, type Data } from './names.ts';
import { EmptyIndex, NothingFound } from './nothing-found.tsx';
import { hasFilters, type Looked } from './search-address.ts';
import type { Searched, useSearch } from './use-search.ts';

interface Props {
  searched: ReturnType<typeof useSearch>;
  onGo(looked: Looked): void;
}

export function Found({ searched, onGo }: Props) {
  const { data, looked, hits, error, isLoading, nextOffset, loadMore, retry } = searched;
  if (error !== undefined) return <Problem error={error} onRetry={retry} />;
  if (!data || !looked) return <Waiting />;
  if (isIndexEmpty(searched)) return <EmptyIndex />;
  const meant = data.suggestion !== undefined && <Meant query={data.suggestion} looked={looked} onGo={onGo} />;
  if (hits.length === 0)
    return (
      <>
        {meant}
        <NothingFound looked={looked} relaxed={data.relaxed ?? []} onGo={onGo} />
      </>
    );
  return (
    <>
      {meant}
      {data.isManual && (
        <p class="notice">None of your own pages matches. These are chapters of the manual of this service.</p>
      )}
      <Read words={data.query.words} hits={data.hits} />
      <ol class="hits" aria-label="Results">
        {hits.map((hit, position) => (
          <HitView key={hit.url} hit={hit} looked={looked} position={position} />
        ))}
      </ol>
      {nextOffset !== undefined && (
        <div class="row">
          <Button busy={isLoading} onClick={loadMore}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

/** Offered, never taken by itself. */
const Meant = ({ query, looked, onGo }: { query: string; looked: Looked; onGo(looked: Looked): void }) => (
  <p>
    Did you mean{' '}
    <Button kind="quiet" isSmall onClick={() => onGo({ ...looked, query })}>
      {query}
    </Button>
    ?
  </p>
);

/** The manual of the service does not count. */
export const isIndexEmpty = ({ looked, data }: Searched): boolean =>
  looked !== undefined && isEverything(looked) && data !== undefined && (data.hits.length === 0 || data.isManual);

const isEverything = (looked: Looked): boolean => looked.query.trim() === '' && !hasFilters(looked);

/** What was looked for beyond the typed words. */
function Read({ words, hits }: { words: Data['query']['words']; hits: Data['hits'] }) {
  const completions = words.flatMap((word) => completedWords(hits, word));
  const ignored = words.filter(({ isIgnored }) => isIgnored).map(({ text }) => text);
  const absent = words.filter(({ isIgnored, pages }) => !isIgnored && pages === 0).map(({ text }) => text);
  const notes = [
    completions.length > 0 && `Also finds: ${completions.slice(0, 6).join(', ')}.`,
    ignored.length > 0 && `Too common to look for: ${ignored.slice(0, 6).join(', ')}.`,
    absent.length > 0 && `On no page: ${absent.slice(0, 6).join(', ')}.`,
  ].filter(Boolean);
  return notes.length === 0 ? null : <p class="small soft">{notes.join(' ')}</p>;
}

/** In the size of a few results. */
const Waiting = () => (
  <div class="hits" role="status" aria-label="Searching">
    {Array.from({ length: 4 }, (_, position) => (
      <div key={position} class="hit hit-waiting" />
    ))}
  </div>
);

const TOTALS = { exact: '', about: 'About ', atLeast: 'More than ' } as const;

/** `About 120 pages, 4 ms`. */
export function totalText(searched: Searched): string {
  const { looked, data, error } = searched;
  if (!data || !looked || error !== undefined || isIndexEmpty(searched)) return '';
  const { total, totalIs, ms, query } = data;
  const number = totalIs === 'exact' ? count(total) : `${TOTALS[totalIs]}${count(total)}`;
  const pages = `${number} ${total === 1 ? 'page' : 'pages'}${isEverything(looked) ? ' in the index' : ''}`;
  return `${pages}${query.order === 'date' ? ', newest first' : ''}, ${duration(Math.max(1, ms))}`;
}
