// Shows which options a model would choose for a crawl with a `prompt`. Nothing is crawled.
import type { CrawlPreviewRequest, CrawlPreviewResponse } from '../../contracts/crawl.ts';
import { scrapeOptions } from '../../contracts/scrape-options.ts';
import type { Caller } from '../caller.ts';
import { type CheckStartDeps, checkStartUrls } from '../judge/check-start.ts';
import { targetUrl } from '../page/target-url.ts';
import { type GenerateDeps, generateOptions } from './generate-options.ts';

export async function previewCrawl(
  deps: GenerateDeps & CheckStartDeps,
  caller: Caller,
  { url: text, prompt, zeroDataRetention }: CrawlPreviewRequest,
): Promise<CrawlPreviewResponse> {
  const url = targetUrl(text, deps.egress);
  const { headers, location } = scrapeOptions.parse({});
  await checkStartUrls(deps, caller, {}, { operation: 'crawl', urls: [url] });
  const asked = { url, prompt, headers, location, judged: {}, isPrivate: zeroDataRetention };
  const { options, warning } = await generateOptions(deps, caller, asked);
  return { success: true, data: { url: url.href, ...options }, ...(warning !== undefined && { warning }) };
}
