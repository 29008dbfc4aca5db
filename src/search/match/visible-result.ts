// What can be seen of a result, made ready for comparing.
import { domainToUnicode } from 'node:url';
import type { Category, Source } from '../../contracts/search-query.ts';
import type { ProviderResult } from '../providers/provider.ts';

export interface Candidate extends ProviderResult {
  /** As an extension, where it is known. */
  fileType?: string;
  /** The whole text of the page, where it is known. */
  text?: string;
  /** What the results of its provider belong to, whatever their host. */
  category?: Category;
}

export interface VisibleResult {
  candidate: Candidate;
  url: URL;
  host: string;
  /** In lower case. */
  path: string;
  /** The URL as people read it. */
  address: string;
  /** The picture that a result is, not one beside it. */
  image: URL | undefined;
}

/** A word on what is wrong with its address, if something is. */
export function readVisible(candidate: Candidate, source: Source): VisibleResult | string {
  const url = readHttpUrl(candidate.url);
  if (!url) return 'its address is no http or https URL';
  const image = source === 'images' ? readHttpUrl(candidate.imageUrl ?? '') : undefined;
  if (source === 'images' && !image) return 'its picture has no http or https URL';
  const host = url.hostname.replace(/\.$/, '');
  const name = host.includes('xn--') ? ` ${domainToUnicode(host)}` : '';
  return {
    candidate,
    url,
    host,
    path: decode(url.pathname).toLowerCase(),
    address: decode(url.href) + name,
    image,
  };
}

const MAX_URL_LENGTH = 16_384;

function readHttpUrl(text: string): URL | undefined {
  if (text.length > MAX_URL_LENGTH) return undefined;
  const url = URL.parse(text);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

/** As it is, where it is not the UTF-8 it should be. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
