// The Markdown of all pages in one text: each below a heading with its title, and its URL.
import { escapeText } from '../../../transform/markdown/escape-markdown.ts';
import { joinTexts } from './join-texts.ts';
import { type ExportedDocument, oneLine, readDocuments } from './read-documents.ts';
import type { Slice } from './read-slices.ts';

const MAX_TITLE = 300;

export const writeMarkdown = (slices: AsyncIterable<Slice>): AsyncGenerator<Uint8Array> => joinTexts(sections(slices));

async function* sections(slices: AsyncIterable<Slice>): AsyncGenerator<string> {
  let before = '';
  for await (const document of readDocuments(slices)) {
    yield `${before}${section(document)}`;
    before = '\n---\n\n';
  }
}

function section({ markdown, warning, metadata }: ExportedDocument): string {
  const url = metadata.url ?? metadata.sourceURL ?? '';
  const title = oneLine(metadata.title).slice(0, MAX_TITLE) || url || 'Page';
  const parts = [`# ${escapeText(title, false)}`, url && `<${url}>`, markdown?.trim() || `*${missing(warning)}*`];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const missing = (warning: string | undefined): string => warning ?? 'This page has no Markdown.';
