// One page: what is stored of it, its text, its versions and its copies in the cache.
import { useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { Button, ButtonLink } from '../ui/controls/button.tsx';
import { Tabs } from '../ui/controls/tabs.tsx';
import { Time } from '../ui/data/time.tsx';
import { plainLine } from '../ui/data/untrusted.ts';
import { Empty } from '../ui/states/empty.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { useLoad } from '../ui/states/use-load.ts';
import { CodeBlock } from '../ui/text/code-block.tsx';
import { Markdown } from '../ui/text/markdown.tsx';
import { WebLink } from '../ui/text/web-link.tsx';
import { deleteUrls } from './delete-pages.tsx';
import { placeAddress, scrapeAddress } from './page-addresses.ts';
import { Copies, Metadata, type PageDetails } from './page-facts.tsx';
import { mayDelete, PageState } from './page-list.tsx';
import { Versions } from './versions.tsx';

type View = 'text' | 'versions' | 'copies' | 'metadata';

interface Props {
  url: string;
  host: string | undefined;
  onDeleted: () => void;
}

export function PageView({ url, host, onDeleted }: Props) {
  const { data, error, reload } = useLoad((signal) => call('getPage', { query: { url }, signal }), [url]);
  return (
    <article class="card stack stored-view" aria-label="Stored page">
      <a class="stored-back is-always" href={placeAddress({ ...(host !== undefined && { host }) })}>
        {host === undefined ? 'All hosts' : `All pages of ${plainLine(host, 100)}`}
      </a>
      {error instanceof ApiError && error.code === 'PAGE_NOT_STORED' ? (
        <Empty title="Nothing is stored of this page">
          <p class="soft stored-address">{plainLine(url)}</p>
          <p class="soft">It was never fetched, or it was deleted. Scrape it to have it here.</p>
          <ButtonLink kind="primary" icon="playground" href={scrapeAddress(url)}>
            Scrape it
          </ButtonLink>
        </Empty>
      ) : error ? (
        <Problem error={error} onRetry={reload} />
      ) : data ? (
        <Details page={data.data} onDeleted={onDeleted} />
      ) : (
        <Skeleton lines={16} label="Loading the page" />
      )}
    </article>
  );
}

function Details({ page, onDeleted }: { page: PageDetails; onDeleted: () => void }) {
  const [view, setView] = useState<View>('text');
  return (
    <>
      <header class="stack-tight">
        <h2 dir="auto">{plainLine(page.title ?? page.url, 300)}</h2>
        <WebLink href={page.url}>{plainLine(page.url)}</WebLink>
        {page.redirectsTo && <p class="small soft stored-address">Leads to {plainLine(page.redirectsTo)}</p>}
        <div class="row small soft stored-facts-line">
          <PageState page={page} />
          <span>
            fetched <Time at={page.fetchedAt} />
          </span>
          {page.kind && <span>{[page.kind, page.language].filter(Boolean).join(', ')}</span>}
          {page.shared && <span>shared between teams</span>}
        </div>
        <div class="row">
          <ButtonLink isSmall icon="refresh" href={scrapeAddress(page.url)}>
            Scrape again
          </ButtonLink>
          {mayDelete(page) && (
            <Button
              isSmall
              kind="danger"
              icon="trash"
              onClick={async () => {
                if (await deleteUrls([page.url])) onDeleted();
              }}
            >
              Delete page
            </Button>
          )}
        </div>
        {page.shared && !mayDelete(page) && (
          <p class="small soft">Teams share this page, so only the operator of this server can delete it.</p>
        )}
      </header>
      <Tabs
        label="What is stored of the page"
        current={view}
        onSelect={setView}
        tabs={[
          { id: 'text', label: 'Text' },
          { id: 'versions', label: 'Versions' },
          { id: 'copies', label: 'Copies', count: page.variants.length },
          { id: 'metadata', label: 'Metadata' },
        ]}
      >
        {view === 'text' && <Text page={page} />}
        {view === 'versions' && <Versions url={page.url} />}
        {view === 'copies' && <Copies page={page} />}
        {view === 'metadata' && <Metadata page={page} />}
      </Tabs>
    </>
  );
}

function Text({ page: { content, formats } }: { page: PageDetails }) {
  const [isSource, setSource] = useState(false);
  if (!content) {
    return (
      <Empty title="No text is stored">
        <p class="soft">
          {formats.length > 0
            ? `Only these formats were made of the page: ${formats.join(', ')}. Scrape it with the format markdown.`
            : 'The copies have left the cache, and the page is not in the index. Scrape it again to read it.'}
        </p>
      </Empty>
    );
  }
  return (
    <>
      <div class="row small soft">
        <span>
          {content.format === 'markdown' ? 'Markdown of the copy from ' : 'Plain text as the index has it, from '}
          <Time at={content.fetchedAt} />
          {content.cut && '. Only its beginning is shown'}
        </span>
        {content.format === 'markdown' && (
          <Button isSmall kind="quiet" aria-pressed={isSource} onClick={() => setSource(!isSource)}>
            {isSource ? 'Show rendered' : 'Show source'}
          </Button>
        )}
      </div>
      {content.format === 'markdown' && !isSource ? (
        <Markdown text={content.text} label="Text of the page" />
      ) : (
        <CodeBlock text={content.text} label={content.format === 'markdown' ? 'Markdown' : 'Plain text'} />
      )}
    </>
  );
}
