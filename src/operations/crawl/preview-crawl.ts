// Shows which options a model would choose for a crawl with a `prompt`. Nothing is crawled.
import type { CrawlPreviewResponse } from '../../contracts/crawl/crawl.ts';
import { scrapeOptions } from '../../contracts/scrape/scrape-options.ts';
import type { Call } from '../call.ts';
import { targetUrl } from '../page/target-url.ts';
import { type CheckStartDeps, checkStartUrls } from '../threats/check-start.ts';
import { type GenerateDeps, generateOptions } from './generate-options.ts';

export async function crawlPreview(
  deps: GenerateDeps & CheckStartDeps,
  { caller, body }: Call<'crawlPreview'>,
): Promise<CrawlPreviewResponse> {
  const { url: text, prompt, zeroDataRetention } = body;
  const url = targetUrl(text, deps.egress);
  const { headers, location } = scrapeOptions.parse({});
  await checkStartUrls(deps, caller, {}, { operation: 'crawl', urls: [url] });
  const asked = { url, prompt, headers, location, checked: {}, isPrivate: zeroDataRetention };
  const { options, warning } = await generateOptions(deps, caller, asked);
  return { success: true, data: { url: url.href, ...options }, ...(warning !== undefined && { warning }) };
}
