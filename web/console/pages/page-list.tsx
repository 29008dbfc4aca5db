// The pages of a host, with a filter, and what can be done with those that are selected.
import { useEffect, useState } from 'preact/hooks';
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { call } from '../api/call.ts';
import { isOperator, mayManage } from '../session/session.ts';
import { Button, ButtonLink } from '../ui/controls/button.tsx';
import { Field, TextInput, Toggle } from '../ui/controls/field.tsx';
import { bytes, plural } from '../ui/data/format.ts';
import { PartButtons } from '../ui/data/part-buttons.tsx';
import { type Column, Table } from '../ui/data/table.tsx';
import { Time } from '../ui/data/time.tsx';
import { plainLine } from '../ui/data/untrusted.ts';
import { useParts } from '../ui/data/use-parts.ts';
import { Empty } from '../ui/states/empty.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { Status } from '../ui/states/status.tsx';
import { deleteHost, deleteUrls } from './delete-pages.tsx';
import { pathOf, placeAddress, searchAddress } from './page-addresses.ts';

export type StoredPage = ResponseOf<'listPages'>['data'][number];

const LIMIT = 50;

interface Props {
  host: string;
  version: number;
  onDeleted: () => void;
}

export function PageList({ host, version, onDeleted }: Props) {
  const [contains, setContains] = useState('');
  const [onlyTracked, setOnlyTracked] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const parts = useParts<StoredPage>(
    (cursor, signal) =>
      call('listPages', {
        query: { host, contains: contains.trim(), tracked: onlyTracked || undefined, limit: LIMIT, cursor },
        signal,
      }),
    [host, contains, onlyTracked, version],
  );
  const { data, error, reload } = parts;
  useEffect(() => setSelected(new Set()), [data]);
  const pages = data?.data ?? [];
  const deletable = pages.filter(mayDelete).map(({ url }) => url);
  const select = (url: string, isSelected: boolean) =>
    setSelected(new Set(isSelected ? [...selected, url] : [...selected].filter((each) => each !== url)));
  const isFiltered = contains.trim() !== '' || onlyTracked;
  return (
    <div class="card stack">
      <HostHead host={host} onDeleted={onDeleted} />
      <div class="stored-filter">
        <Field label="Filter by address" isLabelHidden>
          <TextInput
            type="search"
            placeholder="Filter by address"
            maxLength={200}
            value={contains}
            onInput={setContains}
          />
        </Field>
        <Toggle isOn={onlyTracked} onChange={setOnlyTracked}>
          Only tracked pages
        </Toggle>
      </div>
      {mayManage() && deletable.length > 0 && (
        <div class="row stored-selection">
          <Toggle
            isOn={selected.size > 0 && selected.size === deletable.length}
            onChange={(isOn) => setSelected(new Set(isOn ? deletable : []))}
          >
            Select all of this part
          </Toggle>
          <Button
            isSmall
            kind="danger"
            icon="trash"
            disabled={selected.size === 0}
            onClick={async () => {
              if (await deleteUrls([...selected])) onDeleted();
            }}
          >
            {selected.size === 0 ? 'Delete selected' : `Delete ${plural(selected.size, 'page')}`}
          </Button>
        </div>
      )}
      {error ? (
        <Problem error={error} onRetry={reload} />
      ) : !data ? (
        <Skeleton lines={14} label="Loading pages" />
      ) : null}
      {data && pages.length === 0 && <NoPages isFiltered={isFiltered} onlyTracked={onlyTracked} />}
      {pages.length > 0 && (
        <Table
          caption={`Pages of ${plainLine(host, 100)}`}
          columns={columnsOf(host, selected, select)}
          rows={pages}
          rowKey={({ url }) => url}
        />
      )}
      <PartButtons parts={parts} what="pages" />
    </div>
  );
}

/** What is shared is the operator's to delete. */
export const mayDelete = ({ shared, tracked }: Pick<StoredPage, 'shared' | 'tracked'>): boolean =>
  mayManage() && (!shared || tracked || isOperator());

function HostHead({ host, onDeleted }: Pick<Props, 'host' | 'onDeleted'>) {
  return (
    <header class="stored-head">
      <div>
        <a class="stored-back" href={placeAddress({})}>
          All hosts
        </a>
        <h2 class="stored-address">{plainLine(host, 200)}</h2>
      </div>
      <div class="row">
        <ButtonLink isSmall icon="search" href={searchAddress(host)}>
          Search this host
        </ButtonLink>
        {mayManage() && (
          <Button
            isSmall
            kind="danger"
            icon="trash"
            onClick={async () => {
              if (await deleteHost(host)) onDeleted();
            }}
          >
            Delete host
          </Button>
        )}
      </div>
    </header>
  );
}

const columnsOf = (
  host: string,
  selected: ReadonlySet<string>,
  select: (url: string, isSelected: boolean) => void,
): Column<StoredPage>[] => [
  {
    id: 'page',
    title: 'Page',
    cell: (page) => (
      <div class="stored-page">
        {mayDelete(page) && (
          <input
            type="checkbox"
            aria-label={`Select ${plainLine(pathOf(page.url), 100)}`}
            checked={selected.has(page.url)}
            onChange={({ currentTarget }) => select(page.url, currentTarget.checked)}
          />
        )}
        <div class="stored-page-name">
          <a class="cut" dir="auto" href={placeAddress({ host, url: page.url })}>
            {plainLine(page.title ?? pathOf(page.url), 200)}
          </a>
          <span class="cut small faint">{plainLine(pathOf(page.url), 300)}</span>
        </div>
      </div>
    ),
  },
  { id: 'state', title: 'State', cell: (page) => <PageState page={page} /> },
  {
    id: 'kind',
    title: 'Kind',
    isMinor: true,
    cell: ({ kind, language }) => (
      <span class="small stored-line">{[kind, language].filter(Boolean).join(', ') || '–'}</span>
    ),
  },
  {
    id: 'fetched',
    title: 'Fetched',
    cell: ({ fetchedAt }) => (
      <span class="small stored-line">
        <Time at={fetchedAt} />
      </span>
    ),
  },
  {
    id: 'size',
    title: 'In the cache',
    align: 'end',
    isMinor: true,
    cell: ({ copies, bytes: size }) => (
      <span class="small number stored-line">
        {copies === 0 ? 'no copy' : `${bytes(size)} in ${plural(copies, 'copy', 'copies')}`}
      </span>
    ),
  },
];

export function PageState({
  page: { searchable, tracked, statusCode },
}: {
  page: Pick<StoredPage, 'searchable' | 'tracked' | 'statusCode'>;
}) {
  const isError = statusCode !== null && statusCode >= 400;
  return (
    <span class="row">
      {isError ? (
        <Status tone="bad">Error {statusCode}</Status>
      ) : (
        <Status tone={searchable ? 'good' : 'idle'}>{searchable ? 'Searchable' : 'Not in the index'}</Status>
      )}
      {tracked && <Status tone="busy">Tracked</Status>}
    </span>
  );
}

function NoPages({ isFiltered, onlyTracked }: { isFiltered: boolean; onlyTracked: boolean }) {
  if (onlyTracked) {
    return (
      <Empty title="No page of this host is tracked">
        <p class="soft">
          Scrape or crawl with the format <code>changeTracking</code> beside <code>markdown</code>, again and again:
          each change becomes a version that you can compare here. A monitor looks by itself and tells you what changed.
        </p>
        <div class="row">
          <ButtonLink href="/console/manual/use/change-tracking.md">How tracking works</ButtonLink>
          <ButtonLink href="/console/jobs">Monitors</ButtonLink>
        </div>
      </Empty>
    );
  }
  return (
    <Empty title={isFiltered ? 'No address contains this' : 'Nothing is stored of this host'}>
      <p class="soft">
        {isFiltered
          ? 'The filter compares addresses as they are, with upper and lower case.'
          : 'Its pages may have been deleted. Scrape or crawl it to have them here again.'}
      </p>
    </Empty>
  );
}
