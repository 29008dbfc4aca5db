// A page as a search reads it: small texts at once, large ones on first access.
import type { PageContent, PageRows, PageTexts } from '../pages/page-rows.ts';
import type { CheckedPage } from './predicates.ts';

export interface LazyPage extends CheckedPage {
  readonly texts: PageTexts;
}

const NOTHING: PageContent = { headings: '', body: '' };

export function openLazyPage(pageRows: Pick<PageRows, 'texts' | 'content'>, docId: number): LazyPage | undefined {
  const texts = pageRows.texts(docId);
  if (!texts) return undefined;
  let content: PageContent | undefined;
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
