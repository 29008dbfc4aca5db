// The visible parts of a result, normalised for comparison.
import { domainToUnicode } from 'node:url';
import type { Category, Source } from '../../contracts/search/search-query.ts';
import type { ProviderResult } from '../providers/provider.ts';

export interface ResultCandidate extends ProviderResult {
  /** As an extension, if known. */
  fileType?: string;
  /** The whole text of the page, if known. */
  text?: string;
  /** What the index has of it came over a connection with an invalid certificate. */
  isUnverified?: true;
  /** The category of all results of its provider. */
  category?: Category;
}

export interface VisibleResult {
  candidate: ResultCandidate;
  url: URL;
  host: string;
  /** In lower case. */
  path: string;
  /** The URL decoded for reading. */
  address: string;
  /** The image of an image result, not an illustration. */
  image: URL | undefined;
}

/** Returns an error text if the result has no usable URL. */
export function readVisible(candidate: ResultCandidate, source: Source): VisibleResult | string {
  const url = readHttpUrl(candidate.url);
  if (!url) return 'its address is not an http or https URL';
  const image = source === 'images' ? readHttpUrl(candidate.imageUrl ?? '') : undefined;
  if (source === 'images' && !image) return 'its image has no http or https URL';
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

/** Leaves invalid UTF-8 as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
