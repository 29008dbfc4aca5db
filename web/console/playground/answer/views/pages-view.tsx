// The pages of a crawl as they come: a list, and the views of the chosen one.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../../ui/controls/button.tsx';
import { count, plural } from '../../../ui/data/format.ts';
import { plainLine } from '../../../ui/data/untrusted.ts';
import { Status } from '../../../ui/states/status.tsx';
import { pageFacts } from './view.ts';

const ROWS = 50;

interface Props {
  pages: readonly unknown[];
  /** Shows the chosen page. */
  show: (page: unknown) => ComponentChildren;
}

export function PagesView({ pages, show }: Props) {
  const [chosen, setChosen] = useState(0);
  const [shown, setShown] = useState(ROWS);
  if (pages.length === 0) return <p class="soft">No page has been read yet. Pages appear here as they come.</p>;
  const current = Math.min(chosen, pages.length - 1);
  return (
    <>
      <ul class="answer-list answer-pages" aria-label="Pages of the crawl">
        {pages.slice(0, shown).map((page, at) => (
          <li key={at}>
            <PageRow page={page} isCurrent={at === current} onChoose={() => setChosen(at)} />
          </li>
        ))}
      </ul>
      {pages.length > shown && (
        <div>
          <Button isSmall onClick={() => setShown(shown + ROWS)}>
            Show {plural(Math.min(ROWS, pages.length - shown), 'more page', 'more pages')} of {count(pages.length)}
          </Button>
        </div>
      )}
      {show(pages[current])}
    </>
  );
}

function PageRow({ page, isCurrent, onChoose }: { page: unknown; isCurrent: boolean; onChoose: () => void }) {
  const { title, url = '', status } = pageFacts(page);
  return (
    <button type="button" class="answer-page" aria-pressed={isCurrent ? 'true' : 'false'} onClick={onChoose}>
      <span class="answer-link">
        <bdi class="cut">{plainLine(title ?? url, 200)}</bdi>
        <span class="small faint cut">{plainLine(url)}</span>
      </span>
      {status !== undefined && <Status tone={status < 400 ? 'good' : 'warn'}>{status}</Status>}
    </button>
  );
}
