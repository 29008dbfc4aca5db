// Markdown as a file of its own: with its URL and title in front of it, as note programs and site generators read them.
import { type ExportedDocument, oneLine } from './read-documents.ts';

export function withFrontMatter({ markdown, metadata }: ExportedDocument): string {
  const { url, title, description, language } = metadata;
  const facts = Object.entries({ url, title, description, language }).flatMap(([name, value]) => {
    const text = oneLine(value);
    // A JSON string is a YAML string too, so that a page cannot add lines of its own.
    return text === '' ? [] : [`${name}: ${JSON.stringify(text)}`];
  });
  return `---\n${facts.join('\n')}\n---\n\n${markdown}\n`;
}
