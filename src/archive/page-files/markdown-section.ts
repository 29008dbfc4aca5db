// A page as a section of one long Markdown text.
import type { FiledPage } from './page-files.ts';

/** A line with the address, invisible when the Markdown is shown, then the page. */
export function markdownSection({ markdown, metadata, ...rest }: FiledPage & { warning?: string }): string {
  const { warning: _, ...data } = rest;
  const content = markdown ?? JSON.stringify(data, undefined, 2);
  return `<!-- ${harmless(metadata.sourceURL ?? '')} -->\n\n${content.trimEnd()}\n\n`;
}

/** An address as somebody sent it could end the comment or the line. */
const harmless = (address: string): string =>
  address.replace(/[\s<>\p{C}]/gu, (sign) => encodeURIComponent(sign.toWellFormed()));
