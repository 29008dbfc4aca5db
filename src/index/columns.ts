// What filters and scores ask of every document, in memory: one typed array for each question, indexed by the document's number.
import type { Connection } from '../store/sqlite/connection.ts';
import { ownLabel } from './addresses.ts';
import type { Facts } from './facts.ts';
import { KeyTable } from './key-table.ts';
import { createNames, type Names } from './names.ts';
import { standing } from './signals.ts';

export interface Columns {
  readonly hosts: Names;
  readonly locales: Names;
  readonly types: Names;
  /** One more than the highest number. */
  readonly end: number;
  /** Another one after every change. */
  readonly version: number;
  /** Number of a host, locale or type; 0 where there is no document. */
  host: Uint32Array;
  locale: Uint32Array;
  type: Uint32Array;
  date: Float64Array;
  flags: Uint8Array;
  quality: Uint8Array;
  images: Uint8Array;
  inlinks: Uint8Array;
  anchors: Uint8Array;
  key: Float64Array;
  /** What the page adds to its score, whatever is asked. */
  standing: Float32Array;
  /** The hosts that bear a name, as `example` in docs.example.org. */
  hostsNamed(label: string): readonly number[];
  /** The documents whose address has this key. */
  withKey(key: number): number[];
  add(facts: Facts): void;
  remove(number: number): void;
  setInlinks(number: number, inlinks: number): void;
}

const FIRST_ROOM = 1_024;
const ROWS_AT_ONCE = 20_000;

export function loadColumns(connection: Connection): Columns {
  const columns = createColumns();
  const page = connection.prepare<Facts>('SELECT * FROM docs WHERE id > ? ORDER BY id LIMIT ?');
  for (let last = 0; ; ) {
    const rows = page.all(BigInt(last), ROWS_AT_ONCE);
    for (const row of rows) columns.add(row);
    if (rows.length < ROWS_AT_ONCE) return columns;
    last = rows.at(-1)!.id;
  }
}

function createColumns(): Columns {
  const labels = new Map<string, number[]>();
  const hosts = createNames((host, id) => {
    const label = ownLabel(host);
    const known = labels.get(label);
    if (known) known.push(id);
    else labels.set(label, [id]);
  });
  const keys = new KeyTable(() => columns.key);
  let end = 1;
  let version = 0;
  const columns: Columns = {
    hosts,
    locales: createNames(),
    types: createNames(),
    get end() {
      return end;
    },
    get version() {
      return version;
    },
    host: new Uint32Array(FIRST_ROOM),
    locale: new Uint32Array(FIRST_ROOM),
    type: new Uint32Array(FIRST_ROOM),
    date: new Float64Array(FIRST_ROOM),
    flags: new Uint8Array(FIRST_ROOM),
    quality: new Uint8Array(FIRST_ROOM),
    images: new Uint8Array(FIRST_ROOM),
    inlinks: new Uint8Array(FIRST_ROOM),
    anchors: new Uint8Array(FIRST_ROOM),
    key: new Float64Array(FIRST_ROOM),
    standing: new Float32Array(FIRST_ROOM),
    hostsNamed: (label) => labels.get(label) ?? [],
    withKey: (key) => keys.numbersWith(key),
    add({ id, key, host, date, locale, type, flags, quality, images, inlinks, anchors }) {
      if (id >= columns.host.length) makeRoom(columns, id);
      end = Math.max(end, id + 1);
      version += 1;
      columns.host[id] = hosts.id(host);
      columns.locale[id] = columns.locales.id(locale);
      columns.type[id] = columns.types.id(type);
      columns.date[id] = date;
      columns.flags[id] = flags;
      columns.quality[id] = quality;
      columns.images[id] = images;
      columns.inlinks[id] = inlinks;
      columns.anchors[id] = anchors;
      columns.key[id] = key;
      keys.add(id);
      columns.standing[id] = standing(quality, inlinks, flags);
    },
    remove(number) {
      version += 1;
      keys.remove(number);
      columns.host[number] = 0;
      columns.images[number] = 0;
    },
    setInlinks(number, inlinks) {
      version += 1;
      columns.inlinks[number] = inlinks;
      columns.standing[number] = standing(columns.quality[number]!, inlinks, columns.flags[number]!);
    },
  };
  return columns;
}

function makeRoom(columns: Columns, number: number): void {
  const room = Math.max(number + 1, Math.ceil(columns.host.length * 1.5));
  const grown = <T extends { set(from: T): void }>(old: T, fresh: T): T => {
    fresh.set(old);
    return fresh;
  };
  columns.host = grown(columns.host, new Uint32Array(room));
  columns.locale = grown(columns.locale, new Uint32Array(room));
  columns.type = grown(columns.type, new Uint32Array(room));
  columns.date = grown(columns.date, new Float64Array(room));
  columns.flags = grown(columns.flags, new Uint8Array(room));
  columns.quality = grown(columns.quality, new Uint8Array(room));
  columns.images = grown(columns.images, new Uint8Array(room));
  columns.inlinks = grown(columns.inlinks, new Uint8Array(room));
  columns.anchors = grown(columns.anchors, new Uint8Array(room));
  columns.key = grown(columns.key, new Float64Array(room));
  columns.standing = grown(columns.standing, new Float32Array(room));
}
