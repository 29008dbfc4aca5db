// Values of structured data as plain text: without markup and character references, with absolute addresses.
import { decodeHTML } from 'entities';
import type { PageUrls } from '../../markup/html/page-urls.ts';

export const MAX_VALUE = 20_000;

const ADDRESS_NAME =
  /^(?:url|image|images|logo|photo|thumbnail|sameAs|item|mainEntityOfPage|menu|hasMenu|hasMap|link|target|license|significantLink|discussionUrl)$|Url$|URL$/;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]{1,20}:|\/|\.{1,2}\/|#|\?)?[^\s<>"]{1,4000}$/i;
/** Constants of the vocabulary, such as https://schema.org/InStock. */
const CONSTANT = /^https?:\/\/(?:www\.)?schema\.org\/([A-Z][A-Za-z]{1,60})$/;

export const isAddressName = (name: string): boolean => ADDRESS_NAME.test(name);

export function plainValue(value: string, name: string, urls: PageUrls): string {
  const text = withoutMarkup(value.slice(0, 2 * MAX_VALUE))
    .trim()
    .slice(0, MAX_VALUE);
  const constant = CONSTANT.exec(text)?.[1];
  if (constant !== undefined) return constant;
  return isAddressName(name) && ADDRESS.test(text) ? (urls.resolve(text) ?? text) : text;
}

function withoutMarkup(text: string): string {
  if (!/[<&]/.test(text)) return text;
  const plain = text.replace(/<(?:br|\/p|\/div|\/li|\/h\d)\b[^<>]*>/gi, '\n').replace(/<\/?[a-z][^<>]*>/gi, '');
  return decodeHTML(plain).replace(/[ \t\u00a0]+/g, ' ');
}

/** Names that would reach the prototype of an object that is filled by name. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
export const isSafeName = (name: string): boolean => name !== '' && name.length <= 200 && !FORBIDDEN.has(name);
