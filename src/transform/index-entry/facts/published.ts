// The publication date of a page: explicit metadata first, the date in the URL as the last resort.
import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';
import { KEPT, type Mask } from '../../../markup/html/node-mask.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { readDate } from '../../../text/dates/read-date.ts';
import { labelOf } from '../text/clip.ts';
import type { MetaReader } from './meta-reader.ts';

/** The web is not older. */
export const MIN_TIME = Date.UTC(1990, 0, 1);
const DAY_MS = 86_400_000;
const PLAIN_NAMES = ['article:published_time', 'og:article:published_time', 'og:published_time', 'datepublished'];
const OTHER_NAMES = (
  'parsely-pub-date sailthru.date citation_publication_date citation_online_date citation_date dc.date.issued dcterms.issued ' +
  'dc.date.created dcterms.created dc.date dcterms.date pubdate publish-date publish_date publishdate publication_date ' +
  'article.published date'
).split(' ');
const NAMED_PUBLISHED = /(?:^|[\s_-])(?:dt-published|published|entry-date|post-date|pubdate|publish-date)(?:[\s_-]|$)/i;
const SAYS_PUBLISHED = /^(?:first )?(?:published|posted|veröffentlicht)(?: on| am)?:?\s/i;
const SAYS_CHANGED = /updated|modified|edited|aktualisiert|geändert|mis à jour|actualizado|aggiornato/i;
const MACHINE_READABLE = ['datetime', 'content', 'title'];
const MAX_TIMES = 200;
const MAX_DATE = 100;
/** How many levels above the main heading the byline may be. */
const HEADING_LEVELS = 4;
/** A byline has the dates of publication and change; more dates belong to other things. */
const MAX_BYLINE_DAYS = 2;
const IN_PATH = /\/((?:19|20)\d\d)[/-](\d{1,2}|[a-z]{3})[/-](\d{1,2})(?=[/_-]|$)/i;

export interface DatedPage {
  tree: HtmlTree;
  mask?: Mask;
  meta: MetaReader;
  /** The date in its JSON-LD. */
  stated?: string;
  url: string;
  now: number;
}

export function publishedAt({ tree, mask, meta, stated, url, now }: DatedPage): number | undefined {
  const read = (text: string | undefined): number | undefined => {
    const time = text === undefined ? undefined : readDate(text, now);
    return time !== undefined && time >= MIN_TIME ? time : undefined;
  };
  return (
    read(meta(...PLAIN_NAMES)) ??
    read(stated) ??
    read(meta(...OTHER_NAMES)) ??
    shownTime(tree, mask, read) ??
    read(dateInPath(url))
  );
}

export function dateInPath(url: string): string | undefined {
  const [, year, month, day] = IN_PATH.exec(URL.parse(url)?.pathname ?? '') ?? [];
  if (year === undefined) return undefined;
  return /^\d/.test(month!) ? `${year}-${month}-${day}` : `${year} ${month} ${day}`;
}

interface ShownTime {
  node: number;
  time: number;
}

/** The time marked as publication date, if all such marks agree; else one in the byline. */
function shownTime(
  tree: HtmlTree,
  mask: Mask | undefined,
  read: (text: string | undefined) => number | undefined,
): number | undefined {
  const marked: ShownTime[] = [];
  const others: ShownTime[] = [];
  const itemProp = tree.attributeNumber('itemprop');
  let seen = 0;
  for (let node = 1; node < tree.size && seen < MAX_TIMES; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    const isTime = tree.tag[node] === TAG.time;
    const property = tree.attributeAt(node, itemProp);
    const isProperty = property !== undefined && /\bdate(?:published|created)\b/i.test(property);
    if (!isTime && !isProperty) continue;
    seen += 1;
    const machine = MACHINE_READABLE.map((name) => tree.attribute(node, name)).find(Boolean);
    const time = read(machine) ?? read(labelOf(tree, node, MAX_DATE).replace(SAYS_PUBLISHED, ''));
    if (time === undefined) continue;
    const names = tree.attribute(node, 'class') ?? '';
    const isMarked = isProperty || tree.attribute(node, 'pubdate') !== undefined || NAMED_PUBLISHED.test(names);
    if (isMarked) marked.push({ node, time });
    else if (!SAYS_CHANGED.test(names) && !SAYS_CHANGED.test(tree.text(node - 1))) others.push({ node, time });
  }
  if (daysOf(marked) === 1) return marked[0]!.time;
  return inByline(tree, mask, marked) ?? inByline(tree, mask, others);
}

const daysOf = (times: ShownTime[]): number => new Set(times.map(({ time }) => Math.floor(time / DAY_MS))).size;

/** The first time in the smallest element around the main heading that contains one. */
function inByline(tree: HtmlTree, mask: Mask | undefined, times: ShownTime[]): number | undefined {
  let around = times.length === 0 ? 0 : mainHeading(tree, mask);
  for (let level = 0; level < HEADING_LEVELS && around > 0; level++) {
    around = tree.parent[around]!;
    if (tree.tag[around] === TAG.body) return undefined;
    const inside = times.filter(({ node }) => node > around && node < tree.end[around]!);
    if (inside.length > 0) return daysOf(inside) <= MAX_BYLINE_DAYS ? inside[0]!.time : undefined;
  }
  return undefined;
}

function mainHeading(tree: HtmlTree, mask: Mask | undefined): number {
  let first = 0;
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] !== TAG.h1) continue;
    if (mask?.[node] === KEPT) return node;
    first ||= node;
  }
  return first;
}
