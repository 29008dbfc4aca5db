// Which pages of a site belong to a crawl or a map: expressions for paths and for domains become one list for whole URLs.
import type { SiteFields } from './fields.ts';

type Scope = Pick<
  SiteFields,
  'select_paths' | 'exclude_paths' | 'select_domains' | 'exclude_domains' | 'allow_external'
>;

/** For the body of a crawl or a map. */
export function siteScope(fields: Scope): Record<string, unknown> {
  const { select_paths, exclude_paths, select_domains, exclude_domains, allow_external } = fields;
  const reach = { crawlEntireDomain: true, allowSubdomains: true, allowExternalLinks: allow_external };
  if (select_domains.length + exclude_domains.length === 0)
    return { ...reach, includePaths: unlessEmpty(select_paths), excludePaths: unlessEmpty(exclude_paths) };
  // A page must fit a domain and a path, and an expression tells of both.
  const domains = select_domains.length > 0 ? select_domains.map(onHost) : [ANY_HOST];
  const paths = select_paths.length > 0 ? select_paths.map(onPath) : [''];
  const isSelecting = select_domains.length + select_paths.length > 0;
  return {
    ...reach,
    regexOnFullURL: true,
    includePaths: isSelecting ? domains.flatMap((domain) => paths.map((path) => `${domain}${path}`)) : undefined,
    excludePaths: [...exclude_domains.map(onHost), ...exclude_paths.map((path) => `${ANY_HOST}${onPath(path)}`)],
  };
}

/** What is not sent is left to the instructions. */
const unlessEmpty = (list: string[]): string[] | undefined => (list.length > 0 ? list : undefined);

const ANY_HOST = '^https?://[^/]+';
const isAnchored = (expression: string): boolean => expression.startsWith('^');
const endsAnchored = (expression: string): boolean => /(?<!\\)\$$/.test(expression);
const inner = (expression: string): string => expression.replace(/^\^/, '').replace(/(?<!\\)\$$/, '');

/** Anchors stand for the ends of the host name. */
const onHost = (expression: string): string =>
  `^https?://${isAnchored(expression) ? '' : '[^/]*'}(?:${inner(expression)})${endsAnchored(expression) ? '(?::[0-9]+)?' : '[^/]*'}`;

/** The end of a host is the beginning of its path. */
const onPath = (expression: string): string =>
  `${isAnchored(expression) ? '' : '/.*'}(?:${inner(expression)})${endsAnchored(expression) ? '$' : ''}`;
