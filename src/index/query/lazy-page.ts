// A page as a search reads it: small texts at once, large ones on first access.
import type { IndexedText, PageRows, ShownTexts } from '../pages/page-rows.ts';
import type { FilterablePage } from './predicates.ts';

export interface LazyPage extends FilterablePage {
  readonly texts: ShownTexts;
}

const NOTHING: IndexedText = { headings: '', body: '' };

export function openLazyPage(pageRows: Pick<PageRows, 'texts' | 'content'>, docId: number): LazyPage | undefined {
  const texts = pageRows.texts(docId);
  if (!texts) return undefined;
  let content: IndexedText | undefined;
  const read = () => {
    content ??= pageRows.content(docId) ?? NOTHING;
    return content;
  };
  return {
    texts,
    url: texts.url,
    title: texts.title,
    description: texts.description,
    get headings() {
      return read().headings;
    },
    get body() {
      return read().body;
    },
  };
}
