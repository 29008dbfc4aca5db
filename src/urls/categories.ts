// The search categories of a page, by its host and its file type.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../util/lazy.ts';

const CODE_HOSTS = ['github.com'];
const RESEARCH_FILE = join(import.meta.dirname, '../../data/research-sites.json');

const researchHosts = lazy(() => (JSON.parse(readFileSync(RESEARCH_FILE, 'utf8')) as { hosts: string[] }).hosts);

type Category = 'github' | 'research' | 'pdf';

/** The hosts of a category; their subdomains belong to it too. Empty for categories that go by file type. */
export function hostsOfCategory(category: Category): readonly string[] {
  if (category === 'pdf') return [];
  return category === 'github' ? CODE_HOSTS : researchHosts();
}

export function categoriesOf(url: URL, fileType = extensionOf(url)): Category[] {
  const found: Category[] = [];
  for (const category of ['github', 'research'] as const) {
    if (hostsOfCategory(category).some((host) => isWithin(url.hostname, host))) found.push(category);
  }
  if (fileType === 'pdf') found.push('pdf');
  return found;
}

/** Whether it is that host or a subdomain of it. */
export const isWithin = (hostname: string, host: string): boolean =>
  hostname === host || (hostname.endsWith(host) && hostname[hostname.length - host.length - 1] === '.');

/** The file extension in the path, in lower case, or ''. */
export function extensionOf({ pathname }: URL): string {
  const name = pathname.slice(pathname.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
  return /^[a-z0-9]{1,10}$/.test(extension) ? extension : '';
}
