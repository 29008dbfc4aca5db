// What a page calls its subject: the main heading, the title for link previews, the title of the document.
import type { PageSource } from '../../page/understanding.ts';

export function pageTitles({ title, data }: PageSource): string[] {
  const heading = data?.parts.find(({ tag, isRepeated }) => tag === 'h1' && !isRepeated)?.text;
  return [heading, data?.meta['og:title'], title].flatMap((text) => (text?.trim() ? text.trim() : []));
}
