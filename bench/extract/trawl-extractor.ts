// Trawl's extractor: from an HTML string to the Markdown of the main content, as in a transform thread for
// formats: ['markdown'], but without decoding, verdict and metadata.
import { createPageUrls } from '../../src/markup/html/page-urls.ts';
import { parseHtml } from '../../src/markup/html/parse-html.ts';
import { createSelect } from '../../src/markup/html/select-nodes.ts';
import { chooseContent } from '../../src/transform/choose-content.ts';
import { createExtractor } from '../../src/transform/main-content/extractor.ts';
import { loadModel } from '../../src/transform/main-content/model/model.ts';
import { toMarkdown as writeMarkdown } from '../../src/transform/markdown/markdown.ts';

const extract = createExtractor(loadModel());
const OPTIONS = { onlyMainContent: true, includeTags: [], excludeTags: [], blockAds: true };

export function toMarkdown(html: string, url: string): string {
  const tree = parseHtml(html);
  const { mask, replacementText } = chooseContent({ tree, url, select: createSelect(tree) }, OPTIONS, extract, []);
  return replacementText ?? writeMarkdown({ tree, mask, urls: createPageUrls(tree, url), removeBase64Images: true });
}
