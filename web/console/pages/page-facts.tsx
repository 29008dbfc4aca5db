// The copies of a page in the cache, and its metadata.
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { bytes, plural } from '../ui/data/format.ts';
import { type Column, Table } from '../ui/data/table.tsx';
import { Time } from '../ui/data/time.tsx';
import { plainLine } from '../ui/data/untrusted.ts';
import { Empty } from '../ui/states/empty.tsx';

export type PageDetails = ResponseOf<'getPage'>['data'];
type Copy = PageDetails['variants'][number];

const COPY_COLUMNS: Column<Copy & { number: number }>[] = [
  { id: 'fetched', title: 'Fetched', cell: ({ fetchedAt }) => <Time at={fetchedAt} /> },
  { id: 'variant', title: 'Variant', cell: (copy) => variantOf(copy) },
  { id: 'status', title: 'Status', cell: ({ statusCode }) => <span class="number">{statusCode}</span> },
  { id: 'type', title: 'Type', isMinor: true, cell: ({ contentType }) => plainLine(contentType, 80) || '–' },
  {
    id: 'until',
    title: 'Stays',
    isMinor: true,
    cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : 'until room is needed'),
  },
  { id: 'size', title: 'Size', align: 'end', cell: ({ bytes: size }) => <span class="number">{bytes(size)}</span> },
];

const variantOf = ({ mobile, country, screenshots, verified }: Copy): string =>
  [
    mobile ? 'mobile' : 'desktop',
    ...(country ? [country] : []),
    ...(screenshots > 0 ? [plural(screenshots, 'screenshot')] : []),
    ...(verified ? [] : ['invalid certificate']),
  ].join(', ');

export function Copies({ page: { variants, formats } }: { page: PageDetails }) {
  if (variants.length === 0) {
    return (
      <Empty title="No copy is left in the cache">
        <p class="soft">The index still has the text of the page. A scrape fetches the page again.</p>
      </Empty>
    );
  }
  return (
    <>
      {formats.length > 0 && <p class="small soft">Formats that were made of them: {formats.join(', ')}</p>}
      <Table
        caption="Copies of the page in the cache"
        columns={COPY_COLUMNS}
        rows={variants.map((copy, number) => ({ ...copy, number }))}
        rowKey={({ number }) => number}
      />
    </>
  );
}

const MOST_FACTS = 200;

export function Metadata({ page }: { page: PageDetails }) {
  const own = { description: page.description, published: page.publishedAt };
  const facts = [...Object.entries(own), ...Object.entries(page.metadata)].filter(([, value]) => value !== null);
  if (facts.length === 0) return <Empty title="No metadata is stored of this page" />;
  return (
    <dl class="stored-facts">
      {facts.slice(0, MOST_FACTS).map(([name, value]) => (
        <div key={name}>
          <dt>{plainLine(name, 80)}</dt>
          <dd dir="auto">{plainLine([value].flat().join(', '), 2_000)}</dd>
        </div>
      ))}
    </dl>
  );
}
