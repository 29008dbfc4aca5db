// What is stored, as a caller may see it: hosts, pages, and one page. Nothing is fetched.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type {
  StoredHostsResponse,
  StoredPageResponse,
  StoredPagesResponse,
} from '../../contracts/search/stored-pages.ts';
import type { PageSharing } from '../../page/page-owner.ts';
import { checkPage, mayList } from '../../policy/keys/key-reach.ts';
import type {
  HostPlace,
  PageCopy,
  StoredPage,
  StoredPageDetails,
  StoredPages,
} from '../../store/ports/pages/stored-pages.ts';
import { normaliseUrl } from '../../urls/url.ts';
import { iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { givenUrl } from '../page/target-url.ts';
import { isOperator } from '../team/operator.ts';

interface StoredPagesDeps {
  stored: StoredPages;
  sharing: PageSharing;
}

/** Longer texts are cut: they are for looking at. Scrapes return the whole. */
const MAX_CHARACTERS = 1_000_000;

export async function listHosts(
  { stored, sharing }: StoredPagesDeps,
  { caller, query }: Call<'listHosts'>,
): Promise<StoredHostsResponse> {
  const { order, prefix, limit, cursor } = query;
  const after = cursor === undefined ? undefined : readHostCursor(cursor);
  const wanted = prefix?.trim().toLowerCase();
  const { hosts, next } = await stored.hosts({
    ...{ viewer: sharing.viewerOf(caller.team.id), seesAll: isOperator(caller), order, limit },
    ...(wanted && { prefix: wanted }),
    ...(after && { after }),
  });
  return {
    success: true,
    data: hosts
      .filter(({ host }) => mayList(caller, `http://${host}/`))
      .map(({ newestAt, ...host }) => ({ ...host, newestAt: iso(newestAt) })),
    cursor: next ? writeCursor([next.pages, next.host]) : null,
    has_more: next !== undefined,
  };
}

export async function listPages(
  { stored, sharing }: StoredPagesDeps,
  { caller, query }: Call<'listPages'>,
): Promise<StoredPagesResponse> {
  const { host, contains, tracked, limit, cursor } = query;
  const after = cursor === undefined ? undefined : readUrlCursor(cursor);
  const { id: teamId } = caller.team;
  const { pages, next } = await stored.list({
    ...{ viewer: sharing.viewerOf(teamId), teamId, seesAll: isOperator(caller), limit },
    ...(host !== undefined && { host: givenHost(host) }),
    ...(contains && { contains }),
    ...(tracked && { tracked }),
    ...(after !== undefined && { after }),
  });
  return {
    success: true,
    data: pages.filter(({ url }) => mayList(caller, url)).map(showPage),
    cursor: next === undefined ? null : writeCursor([next]),
    has_more: next !== undefined,
  };
}

export async function getPage(
  { stored, sharing }: StoredPagesDeps,
  { caller, query }: Call<'getPage'>,
): Promise<StoredPageResponse> {
  const url = pageOf(caller, query.url);
  const { id: teamId } = caller.team;
  const page = await stored.find(url, sharing.viewerOf(teamId), teamId);
  if (!page) throw new ServiceError('PAGE_NOT_STORED');
  // A URL that redirects is stored as the page that it redirects to.
  if (page.redirectsTo !== undefined) checkPage(caller, { urls: [page.redirectsTo], request: {} });
  // A key for other formats learns what is stored, but does not get the text.
  const formats = caller.limits?.formats ?? [];
  const mayRead = formats.length === 0 || formats.includes('markdown');
  return {
    success: true,
    data: {
      ...showPage(page),
      redirectsTo: page.redirectsTo ?? null,
      description: page.description ?? null,
      publishedAt: timeOf(page.publishedAt),
      ...{ metadata: page.metadata, formats: page.formats, variants: page.variants.map(showCopy) },
      content: page.content && mayRead ? showContent(page.content) : null,
    },
  };
}

const showContent = ({ format, text, fetchedAt }: NonNullable<StoredPageDetails['content']>) => ({
  format,
  text: text.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, ''),
  cut: text.length > MAX_CHARACTERS,
  fetchedAt: iso(fetchedAt),
});

/** The name under which a page is stored. Throws KEY_RESTRICTED if the key is for other domains. */
export function pageOf(caller: Caller, text: string): string {
  const url = givenUrl(text);
  checkPage(caller, { urls: [url.href], request: {} });
  return normaliseUrl(url);
}

export function givenHost(text: string): string {
  const url = givenUrl(`http://${text.trim()}/`, ['host']);
  if (url.pathname !== '/' || url.search !== '') throw new ServiceError('BAD_REQUEST', { message: NOT_A_HOST });
  // A name without a port is meant for both schemes, also if it names the port that one of them has by default.
  return URL.parse(normaliseUrl(url))!.host;
}

const NOT_A_HOST = '`host` is not a host. Write only its name, and its port if that is not the default.';

const showPage = ({ fileType, isSearchable, isTracked, isShared, ...page }: StoredPage) => ({
  url: page.url,
  title: page.title ?? null,
  language: page.language ?? null,
  kind: fileType ?? null,
  ...{ searchable: isSearchable, tracked: isTracked, shared: isShared },
  fetchedAt: timeOf(page.fetchedAt),
  statusCode: page.status ?? null,
  ...{ copies: page.copies, bytes: page.bytes },
});

const showCopy = ({ variant, status, isVerified, ...copy }: PageCopy) => ({
  ...copy,
  mobile: variant?.mobile ?? false,
  country: variant?.location.country ?? null,
  languages: variant?.location.languages ?? [],
  fetchedAt: iso(copy.fetchedAt),
  checkedAt: iso(copy.checkedAt),
  expiresAt: timeOf(copy.expiresAt),
  ...{ statusCode: status, verified: isVerified },
});

const timeOf = (time: number | null | undefined): string | null =>
  time === undefined || time === null ? null : iso(time);

const writeCursor = (place: unknown[]): string => Buffer.from(JSON.stringify(place)).toString('base64url');

function readCursor(cursor: string): unknown[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(place)) return place;
  } catch {
    // Answered below, like any other text.
  }
  throw invalidCursor();
}

const invalidCursor = () => new ServiceError('BAD_REQUEST', { message: 'Invalid cursor.' });

function readHostCursor(cursor: string): HostPlace {
  const [pages, host] = readCursor(cursor);
  if (!Number.isSafeInteger(pages) || typeof host !== 'string') throw invalidCursor();
  return { pages: pages as number, host };
}

function readUrlCursor(cursor: string): string {
  const [url] = readCursor(cursor);
  if (typeof url !== 'string') throw invalidCursor();
  return url;
}
