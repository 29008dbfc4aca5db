// What filters and scores need to know about every doc, in memory: one typed array per column, indexed by doc id.
import type { PageOwner } from '../../page/page-owner.ts';
import type { SqliteConnection } from '../../runtime/sqlite/sqlite.ts';
import { staticRank } from '../ranking/ranking-signals.ts';
import { createInternedNames, type InternedNames } from './interned-names.ts';
import type { PageFacts } from './page-facts.ts';
import { siteLabel } from './url-features.ts';
import { UrlKeyTable } from './url-key-table.ts';

export interface PageColumns {
  readonly owners: InternedNames;
  readonly hosts: InternedNames;
  readonly locales: InternedNames;
  readonly types: InternedNames;
  /** One more than the highest doc id. */
  readonly end: number;
  /** Changes with every write. */
  readonly version: number;
  /** Numbers of interned names. 0 in `host` means that the doc does not exist. */
  owner: Uint32Array;
  host: Uint32Array;
  locale: Uint32Array;
  type: Uint32Array;
  date: Float64Array;
  flags: Uint8Array;
  verified: Uint8Array;
  quality: Uint8Array;
  images: Uint8Array;
  inlinks: Uint8Array;
  anchors: Uint8Array;
  key: Float64Array;
  /** Score of the page that does not depend on the query. */
  staticRank: Float32Array;
  /** Hosts with this site name, such as `example` in docs.example.org. */
  hostsNamed(label: string): readonly number[];
  /** Docs with this key (`pageKey`), all of one owner. */
  docsWithKey(key: number): number[];
  add(facts: PageFacts): void;
  remove(docId: number): void;
  setInbound(docId: number, inlinks: number, anchors: number): void;
}

const INITIAL_CAPACITY = 1_024;
const ROWS_PER_READ = 20_000;

export function loadPageColumns(connection: SqliteConnection): PageColumns {
  const columns = createPageColumns();
  const page = connection.prepareTuples<FactsTuple>(
    `SELECT id, owner, key, host, date, locale, type, flags, verified, quality, images, inlinks, anchors
     FROM docs WHERE id > ? ORDER BY id LIMIT ?`,
  );
  for (let last = 0; ; ) {
    const rows = page.all(BigInt(last), ROWS_PER_READ);
    for (const row of rows) columns.add(factsOf(row));
    if (rows.length < ROWS_PER_READ) return columns;
    last = rows.at(-1)![0];
  }
}

/** As selected above. */
type FactsTuple = [
  ...[id: number, owner: PageOwner, key: number, host: string, date: number, locale: string, type: string],
  ...[flags: number, verified: number, quality: number, images: number, inlinks: number, anchors: number],
];

// By position: taking all rows apart as iterables costs as much as reading them.
const factsOf = (row: FactsTuple): PageFacts => ({
  id: row[0],
  owner: row[1],
  key: row[2],
  host: row[3],
  date: row[4],
  locale: row[5],
  type: row[6],
  flags: row[7],
  verified: row[8],
  quality: row[9],
  images: row[10],
  inlinks: row[11],
  anchors: row[12],
});

export function createPageColumns(): PageColumns {
  const labels = new Map<string, number[]>();
  const hosts = createInternedNames((host, id) => {
    const label = siteLabel(host);
    const known = labels.get(label);
    if (known) known.push(id);
    else labels.set(label, [id]);
  });
  const keys = new UrlKeyTable(() => columns.key);
  let end = 1;
  let version = 0;
  const columns: PageColumns = {
    owners: createInternedNames(),
    hosts,
    locales: createInternedNames(),
    types: createInternedNames(),
    get end() {
      return end;
    },
    get version() {
      return version;
    },
    owner: new Uint32Array(INITIAL_CAPACITY),
    host: new Uint32Array(INITIAL_CAPACITY),
    locale: new Uint32Array(INITIAL_CAPACITY),
    type: new Uint32Array(INITIAL_CAPACITY),
    date: new Float64Array(INITIAL_CAPACITY),
    flags: new Uint8Array(INITIAL_CAPACITY),
    verified: new Uint8Array(INITIAL_CAPACITY),
    quality: new Uint8Array(INITIAL_CAPACITY),
    images: new Uint8Array(INITIAL_CAPACITY),
    inlinks: new Uint8Array(INITIAL_CAPACITY),
    anchors: new Uint8Array(INITIAL_CAPACITY),
    key: new Float64Array(INITIAL_CAPACITY),
    staticRank: new Float32Array(INITIAL_CAPACITY),
    hostsNamed: (label) => labels.get(label) ?? [],
    docsWithKey: (key) => keys.docsWith(key),
    add({ id, owner, key, host, date, locale, type, flags, verified, quality, images, inlinks, anchors }) {
      if (id >= columns.host.length) grow(columns, id);
      end = Math.max(end, id + 1);
      version += 1;
      columns.owner[id] = columns.owners.id(owner);
      columns.host[id] = hosts.id(host);
      columns.locale[id] = columns.locales.id(locale);
      columns.type[id] = columns.types.id(type);
      columns.date[id] = date;
      columns.flags[id] = flags;
      columns.verified[id] = verified;
      columns.quality[id] = quality;
      columns.images[id] = images;
      columns.inlinks[id] = inlinks;
      columns.anchors[id] = anchors;
      columns.key[id] = key;
      keys.add(id);
      columns.staticRank[id] = staticRank(quality, inlinks, flags);
    },
    remove(docId) {
      version += 1;
      keys.remove(docId);
      columns.host[docId] = 0;
      columns.images[docId] = 0;
    },
    setInbound(docId, inlinks, anchors) {
      version += 1;
      columns.anchors[docId] = anchors;
      columns.inlinks[docId] = inlinks;
      columns.staticRank[docId] = staticRank(columns.quality[docId]!, inlinks, columns.flags[docId]!);
    },
  };
  return columns;
}

function grow(columns: PageColumns, docId: number): void {
  const room = Math.max(docId + 1, Math.ceil(columns.host.length * 1.5));
  const grown = <T extends { set(from: T): void }>(old: T, fresh: T): T => {
    fresh.set(old);
    return fresh;
  };
  columns.owner = grown(columns.owner, new Uint32Array(room));
  columns.host = grown(columns.host, new Uint32Array(room));
  columns.locale = grown(columns.locale, new Uint32Array(room));
  columns.type = grown(columns.type, new Uint32Array(room));
  columns.date = grown(columns.date, new Float64Array(room));
  columns.verified = grown(columns.verified, new Uint8Array(room));
  columns.flags = grown(columns.flags, new Uint8Array(room));
  columns.quality = grown(columns.quality, new Uint8Array(room));
  columns.images = grown(columns.images, new Uint8Array(room));
  columns.inlinks = grown(columns.inlinks, new Uint8Array(room));
  columns.anchors = grown(columns.anchors, new Uint8Array(room));
  columns.key = grown(columns.key, new Float64Array(room));
  columns.staticRank = grown(columns.staticRank, new Float32Array(room));
}
