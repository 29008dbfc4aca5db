// The views of an answer: which there are, what each shows, and what its Copy and Download give.
import {
  type FormatTraits,
  formatsWhere,
  keyOf,
  traitsOf,
} from '../../../../../src/contracts/formats/format-traits.ts';
import { jsonText } from '../../../ui/data/json-text.ts';
import { type Fields, fieldsOf, isFields, listOf, numberOf, textOf } from '../../../ui/data/untrusted.ts';
import type { Run } from '../../run/run.ts';

export type ViewKind =
  | 'markdown'
  | 'text'
  | 'preview'
  | 'screenshot'
  | 'links'
  | 'data'
  | 'changes'
  | 'results'
  | 'pages'
  | 'output'
  | 'json';

export interface View {
  id: string;
  label: string;
  kind: ViewKind;
  value: unknown;
  count?: number;
  /** Name and type of the file that Download saves. */
  file: { name: string; type: string };
}

const MARKDOWN = 'text/markdown';
const HTML = 'text/html';
const TEXT = 'text/plain';
const JSON_TYPE = 'application/json';

type Named = readonly [key: string, label: string];

const named = (has: (traits: FormatTraits) => boolean): Map<string, string> =>
  new Map(formatsWhere(has).map((type) => [keyOf(type), traitsOf(type).label]));

/** What was made from the page. Data, which comes first, and changes have views of their own. */
const PROSE = named(({ stage, content }) => stage === 'understanding' && content === 'prose');
const DATA: readonly Named[] = [
  ...[...named(({ stage, content }) => content === 'data' && stage !== 'history')].filter(([key]) => key !== 'json'),
  ['answers', 'All answers'],
  ['actions', 'Actions'],
  ['videos', 'Videos'],
  ['pages', 'Pages'],
  ['blocks', 'Blocks'],
];

/** What Copy and Download give. */
export const viewText = ({ value }: Pick<View, 'value'>): string =>
  typeof value === 'string' ? value : jsonText(value);

/** The views of one page. Formats that were not requested have none. */
export function documentViews(given: unknown): View[] {
  const page = fieldsOf(given);
  const { html, rawHtml, rawBase64, screenshot, links, images, changeTracking } = page;
  const markdown = textOf(page.markdown);
  const shown = textOf(html) ?? textOf(rawHtml);
  return [
    ...[...PROSE].flatMap(([key, label]) => textView(key, label, page[key], 'markdown', MARKDOWN)),
    ...dataView('data', traitsOf('json').label, page.json),
    ...textView('markdown', 'Markdown', markdown, 'markdown', MARKDOWN),
    ...textView('source', 'Source', markdown, 'text', MARKDOWN),
    ...textView('preview', 'Preview', shown, 'preview', HTML),
    ...textView('html', 'HTML', html, 'text', HTML),
    ...textView('rawHtml', 'Raw HTML', rawHtml, 'text', HTML),
    ...textView('screenshot', 'Screenshot', screenshot, 'screenshot', TEXT),
    ...listView('links', 'Links', links),
    ...listView('images', 'Images', images),
    ...(isFields(changeTracking) ? [view('changes', 'Changes', 'changes', changeTracking, JSON_TYPE)] : []),
    ...DATA.flatMap(([key, label]) => dataView(key, label, page[key])),
    ...textView('audio', 'Audio', page.audio, 'text', TEXT),
    ...textView('video', 'Video', page.video, 'text', TEXT),
    ...textView('rawBase64', 'Base64', rawBase64, 'text', TEXT),
  ];
}

/** The views of a whole answer, the most telling one first; the JSON is always there. */
export function viewsOf({ operation, answer }: Pick<Run, 'operation' | 'answer'>): View[] {
  if (answer === undefined) return [];
  const body = fieldsOf(answer);
  return [...operationViews(operation, body), view('json', 'JSON', 'json', answer, JSON_TYPE)];
}

function operationViews(operation: Run['operation'], body: Fields): View[] {
  switch (operation) {
    case 'scrape':
    case 'parse':
      return documentViews(body.data);
    case 'search':
      return searchViews(body);
    case 'answer':
      return answerViews(fieldsOf(body.data));
    case 'map':
      return listView('links', 'URLs', body.links);
    case 'crawl':
      return Array.isArray(body.data) ? [listOfPages(body.data)] : [];
    case 'extract':
    case 'agent':
      return [
        ...textView('message', 'Answer', body.message, 'markdown', MARKDOWN),
        ...(body.status === 'processing' ? [] : dataView('data', 'Data', body.data ?? body.partial)),
        ...dataView('sources', 'Sources', body.sources),
        ...dataView('citations', 'Citations', body.citations),
      ];
    case 'browser':
      return outputViews(body);
  }
}

function searchViews({ data }: Fields): View[] {
  const found = fieldsOf(data);
  return (['web', 'news', 'images'] as const).flatMap((source) => {
    const results = listOf(found[source]);
    if (!Array.isArray(found[source])) return [];
    const label = { web: 'Web', news: 'News', images: 'Images' }[source];
    return [{ ...view(source, label, 'results', results, JSON_TYPE), count: results.length }];
  });
}

const NOT_SAID = 'The pages that were read do not say it.';

const answerViews = ({ answer, citations, pages }: Fields): View[] => [
  ...textView('answer', 'In words', answer === null ? NOT_SAID : answer, 'markdown', MARKDOWN),
  ...dataView('citations', 'Citations', citations),
  ...dataView('pages', 'Pages', pages),
];

function outputViews(body: Fields): View[] {
  const isExecution = ['stdout', 'stderr', 'result', 'exitCode', 'output'].some((key) => key in body);
  return isExecution ? [view('output', 'Output', 'output', body, JSON_TYPE)] : dataView('session', 'Session', body);
}

const listOfPages = (pages: readonly unknown[]): View => ({
  ...view('pages', 'Pages', 'pages', pages, JSON_TYPE),
  count: pages.length,
});

const textView = (id: string, label: string, value: unknown, kind: ViewKind, type: string): View[] =>
  textOf(value) === undefined ? [] : [view(id, label, kind, value, type)];

const dataView = (id: string, label: string, value: unknown): View[] =>
  value === undefined || value === null || isEmpty(value) ? [] : [view(id, label, 'data', value, JSON_TYPE)];

const isEmpty = (value: unknown): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0;

const listView = (id: string, label: string, value: unknown): View[] =>
  Array.isArray(value) ? [{ ...view(id, label, 'links', value, JSON_TYPE), count: value.length }] : [];

const ENDINGS: Readonly<Record<string, string>> = {
  [MARKDOWN]: 'md',
  [HTML]: 'html',
  [TEXT]: 'txt',
  [JSON_TYPE]: 'json',
};

const view = (id: string, label: string, kind: ViewKind, value: unknown, type: string): View => ({
  id,
  label,
  kind,
  value,
  file: { name: `${id}.${ENDINGS[type]}`, type },
});

/** The view that is open: the chosen one if the answer has it, else the first. */
export const chosenView = (views: readonly View[], chosen: string | undefined): View | undefined =>
  views.find(({ id }) => id === chosen) ?? views[0];

export interface LinkItem {
  url: string;
  title?: string;
}

/** Links and images are texts, URLs of a map are objects. */
export function linkItems(value: unknown): LinkItem[] {
  return listOf(value).flatMap((item) => {
    const { url, title } = typeof item === 'string' ? { url: item, title: undefined } : fieldsOf(item);
    const address = textOf(url);
    return address === undefined
      ? []
      : [{ url: address, ...(textOf(title) !== undefined && { title: textOf(title)! }) }];
  });
}

export function filterLinks(items: readonly LinkItem[], words: string): LinkItem[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [...items];
  return items.filter(({ url, title = '' }) => {
    const text = `${url} ${title}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** The path of a file of this server, whatever name the link gives the server. Undefined for anything else. */
function ownFile(link: string): string | undefined {
  const url = URL.parse(link, 'http://local.invalid');
  return url?.pathname.startsWith('/files/') ? url.pathname + url.search : undefined;
}

/** The source of an image that may be shown: a file of this server, or one that is part of the answer. */
export const imageSource = (link: string): string | undefined =>
  /^data:image\/(?:png|jpeg|webp);/.test(link) ? link : ownFile(link);

/** Status, cache and the like of the page that was read. */
export interface PageFacts {
  title?: string;
  url?: string;
  status?: number;
  verdict?: string;
  cacheState?: string;
}

export function pageFacts(page: unknown): PageFacts {
  const metadata = fieldsOf(fieldsOf(page).metadata);
  const title = Array.isArray(metadata.title) ? metadata.title[0] : metadata.title;
  return Object.fromEntries(
    Object.entries({
      title: textOf(title),
      url: textOf(metadata.url) ?? textOf(metadata.sourceURL),
      status: numberOf(metadata.statusCode),
      verdict: textOf(metadata.verdict),
      cacheState: textOf(metadata.cacheState),
    }).filter(([, value]) => value !== undefined),
  );
}
