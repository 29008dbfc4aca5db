// What a page would be called as a file: by its header, else by its address.
import type { PageHeader } from '../../contracts/page.ts';

const EXTENDED = /filename\*\s*=\s*(?:utf-8|iso-8859-1)'[^']*'([^;\s]+)/i;
const PLAIN = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i;

export function fileName({ headers, finalUrl }: Pick<PageHeader, 'headers' | 'finalUrl'>): string {
  const disposition = headers['content-disposition'] ?? '';
  const plain = PLAIN.exec(disposition);
  const named = decoded(EXTENDED.exec(disposition)?.[1] ?? '') || plain?.[1] || plain?.[2] || '';
  return lastPart(named) || lastPart(decoded(URL.parse(finalUrl)?.pathname ?? ''));
}

const lastPart = (path: string): string => path.split(/[/\\]/).at(-1)!;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
