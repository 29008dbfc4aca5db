// What to do when there is nothing to show: fill the index, drop a condition, or search the web.
import { Button, ButtonLink } from '../ui/controls/button.tsx';
import { plural } from '../ui/data/format.ts';
import { Empty } from '../ui/states/empty.tsx';
import { type Data, filterName } from './names.ts';
import { hasFilters, type Looked, relaxedBy, withoutFilters } from './search-address.ts';

export function EmptyIndex() {
  return (
    <Empty title="Your index has no pages yet">
      <p>
        Every page that this service scrapes or crawls is added to its index by itself. Crawl a site, and a moment later
        you can search it here, as you type, without any search provider.
      </p>
      <div class="row">
        <ButtonLink kind="primary" icon="playground" href="/console/playground/crawl">
          Crawl a site
        </ButtonLink>
        <ButtonLink href="/console/playground/scrape">Scrape one page</ButtonLink>
      </div>
    </Empty>
  );
}

interface Props {
  looked: Looked;
  relaxed: NonNullable<Data['relaxed']>;
  onGo(looked: Looked): void;
}

export function NothingFound({ looked, relaxed, onGo }: Props) {
  const isRelaxable = relaxed.length > 0;
  return (
    <Empty title="No page in your index matches">
      {isRelaxable ? (
        <>
          <p>
            {relaxed.length === 1
              ? 'One condition excludes every page.'
              : 'Without one of these conditions there are pages:'}
          </p>
          <div class="row">
            {relaxed.map((one) => (
              <Button key={one.condition} onClick={() => onGo(relaxedBy(looked, one))}>
                Drop {one.isFilter ? filterName(one.condition) : <code>{one.condition}</code>} (
                {one.totalIs === 'atLeast' ? 'at least ' : ''}
                {plural(one.total, 'page')})
              </Button>
            ))}
          </div>
        </>
      ) : (
        <p>No page has these words. Check the spelling, try other words, or crawl a site that is about them.</p>
      )}
      <div class="row">
        {!isRelaxable && hasFilters(looked) && (
          <Button onClick={() => onGo(withoutFilters(looked))}>Clear filters</Button>
        )}
        {looked.query.trim() !== '' && (
          <ButtonLink icon="globe" href={`/console/playground/search?${new URLSearchParams({ query: looked.query })}`}>
            Search the web instead
          </ButtonLink>
        )}
        <ButtonLink icon="playground" href="/console/playground/crawl">
          Crawl a site
        </ButtonLink>
      </div>
    </Empty>
  );
}
