// The hosts that pages are stored of: found by name, listed by size or by name.
import { useEffect, useState } from 'preact/hooks';
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { call } from '../api/call.ts';
import { ButtonLink } from '../ui/controls/button.tsx';
import { Field, Select, TextInput } from '../ui/controls/field.tsx';
import { bytes, count, plural } from '../ui/data/format.ts';
import { PartButtons } from '../ui/data/part-buttons.tsx';
import { plainLine } from '../ui/data/untrusted.ts';
import { useParts } from '../ui/data/use-parts.ts';
import { Empty } from '../ui/states/empty.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { placeAddress } from './page-addresses.ts';

export type Host = ResponseOf<'listHosts'>['data'][number];

const LIMIT = 40;
const ORDERS = [
  { value: 'pages', label: 'Most pages first' },
  { value: 'name', label: 'By name' },
] as const;

interface Props {
  current: string | undefined;
  /** Changes when something was deleted. */
  version: number;
  /** Told whether nothing is stored at all. */
  onEmpty: (isEmpty: boolean) => void;
}

export function HostList({ current, version, onEmpty }: Props) {
  const [prefix, setPrefix] = useState('');
  const [order, setOrder] = useState<'pages' | 'name'>('pages');
  const parts = useParts<Host>(
    (cursor, signal) => call('listHosts', { query: { prefix: prefix.trim(), order, limit: LIMIT, cursor }, signal }),
    [prefix, order, version],
  );
  const { data, error, reload } = parts;
  useEffect(() => {
    if (data && prefix.trim() === '') onEmpty(data.data.length === 0 && !parts.previous);
  }, [data]);
  return (
    <section class="card stored-hosts" aria-label="Hosts">
      <div class="stored-filter">
        <Field label="Find a host" isLabelHidden>
          <TextInput type="search" placeholder="Find a host" maxLength={200} value={prefix} onInput={setPrefix} />
        </Field>
        <Field label="Order of the hosts" isLabelHidden>
          <Select value={order} options={ORDERS} onInput={setOrder} disabled={prefix.trim() !== ''} />
        </Field>
      </div>
      {error ? (
        <Problem error={error} onRetry={reload} />
      ) : !data ? (
        <Skeleton lines={12} label="Loading hosts" />
      ) : null}
      {data?.data.length === 0 && <NoHosts prefix={prefix.trim()} />}
      {data && data.data.length > 0 && (
        <ul class="stored-host-list">
          {data.data.map((host) => (
            <HostRow key={host.host} host={host} isCurrent={host.host === current} />
          ))}
        </ul>
      )}
      <PartButtons parts={parts} what="hosts" />
    </section>
  );
}

function HostRow({ host: { host, pages, tracked, bytes: size }, isCurrent }: { host: Host; isCurrent: boolean }) {
  const facts = [bytes(size), ...(tracked > 0 ? [`${count(tracked)} tracked`] : [])];
  return (
    <li>
      <a class="stored-host" href={placeAddress({ host })} aria-current={isCurrent ? 'true' : undefined}>
        <span class="cut stored-host-name">{plainLine(host, 200)}</span>
        <span class="number small" title="Pages that a search can find">
          {plural(pages, 'page')}
        </span>
        <span class="small faint">{facts.join(' · ')}</span>
      </a>
    </li>
  );
}

function NoHosts({ prefix }: { prefix: string }) {
  if (prefix !== '') {
    return (
      <Empty title="No host begins with this">
        <p class="soft">Names are compared from their beginning, with or without “www.”.</p>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing is stored yet">
      <p class="soft">Pages that you scrape or crawl appear here by host, and can be searched from then on.</p>
      <div class="row">
        <ButtonLink kind="primary" icon="playground" href="/console/playground/scrape">
          Scrape a page
        </ButtonLink>
        <ButtonLink href="/console/playground/crawl">Crawl a site</ButtonLink>
      </div>
    </Empty>
  );
}
