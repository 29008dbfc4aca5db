// pdf-inspector alone, without Trawl's own steps.
import { extractPagesMarkdown } from '@firecrawl/pdf-inspector';

export const toMarkdown = (bytes: Buffer): string =>
  extractPagesMarkdown(bytes)
    .pages.map(({ markdown }) => markdown)
    .join('\n\n');
