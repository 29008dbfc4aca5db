// A document as a search looks at it: the small texts at once, the large ones when somebody asks for them.
import type { Content, Documents, Texts } from './documents.ts';
import type { TestedPage } from './tests.ts';

export interface OpenPage extends TestedPage {
  readonly texts: Texts;
}

const NOTHING: Content = { headings: '', body: '' };

export function openPage(documents: Documents, number: number): OpenPage | undefined {
  const texts = documents.texts(number);
  if (!texts) return undefined;
  let content: Content | undefined;
  const read = () => {
    content ??= documents.content(number) ?? NOTHING;
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
