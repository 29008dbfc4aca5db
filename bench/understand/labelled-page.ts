// A page of the labelled corpus: what a caller asks of it, and what a careful reader answers.

export type PageKind = 'shop' | 'article' | 'event' | 'recipe' | 'listing';

/** A value that may be written in several ways, all of them right. */
export interface AnyOf {
  anyOf: Truth[];
}
/** `null`: the page does not say it, and an answer must not invent it. */
export type Truth = string | number | boolean | null | AnyOf | Truth[] | { [name: string]: Truth };

export interface LabelledPage {
  kind: PageKind;
  template: string;
  url: string;
  html: string;
  schema: object;
  expected: Record<string, Truth>;
  /** Paths of the fields that JSON-LD on the page states; `items[].name` for lists. */
  jsonLd: readonly string[];
}

interface Template<Item> {
  kind: PageKind;
  name: string;
  schema: object;
  jsonLd?: readonly string[];
  items: readonly Item[];
  url: (item: Item) => string;
  html: (item: Item, at: number) => string;
  expected: (item: Item) => Record<string, Truth>;
}

const MOST_PAGES = 5;

export function pagesOf<Item>(template: Template<Item>): LabelledPage[] {
  const { kind, name, schema, items, jsonLd = [] } = template;
  if (items.length > MOST_PAGES) throw new Error(`${name}: at most ${MOST_PAGES} pages may share a template.`);
  return items.map((item, at) => ({
    kind,
    template: name,
    schema,
    jsonLd,
    url: template.url(item),
    html: template.html(item, at),
    expected: template.expected(item),
  }));
}

export const anyOf = (...values: Truth[]): AnyOf => ({ anyOf: values });

export const jsonLdScript = (data: object): string =>
  `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;

export const each = <Item>(items: readonly Item[], write: (item: Item, at: number) => string): string =>
  items.map(write).join('\n');

export const slug = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
