// Which of the search categories a page belongs to, by where it is and what it is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const CODE_HOSTS = ['github.com'];
const RESEARCH_FILE = join(import.meta.dirname, '../../data/research-sites.json');

let researchHosts: string[] | undefined;

type Category = 'github' | 'research' | 'pdf';

/** The hosts of a category, each with what is below it; none for one that goes by the type of a file. */
export function hostsOfCategory(category: Category): readonly string[] {
  if (category === 'pdf') return [];
  if (category === 'github') return CODE_HOSTS;
  researchHosts ??= (JSON.parse(readFileSync(RESEARCH_FILE, 'utf8')) as { hosts: string[] }).hosts;
  return researchHosts;
}

export function categoriesOf(url: URL, fileType = extensionOf(url)): Category[] {
  const found: Category[] = [];
  for (const category of ['github', 'research'] as const) {
    if (hostsOfCategory(category).some((host) => isWithin(url.hostname, host))) found.push(category);
  }
  if (fileType === 'pdf') found.push('pdf');
  return found;
}

/** Is it that host or one below it? */
export const isWithin = (hostname: string, host: string): boolean =>
  hostname === host || (hostname.endsWith(host) && hostname[hostname.length - host.length - 1] === '.');

/** The extension of the last part of the path, in lower case; '' when it has none. */
export function extensionOf({ pathname }: URL): string {
  const name = pathname.slice(pathname.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
  return /^[a-z0-9]{1,10}$/.test(extension) ? extension : '';
}
