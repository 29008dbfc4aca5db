// pdf-inspector alone, as it comes, for the bench.
import { extractPagesMarkdown } from '@firecrawl/pdf-inspector';

export const toMarkdown = (bytes: Buffer): string =>
  extractPagesMarkdown(bytes)
    .pages.map(({ markdown }) => markdown)
    .join('\n\n');
