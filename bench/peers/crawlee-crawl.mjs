// A crawl with Crawlee's CheerioCrawler and turndown, in the fastest configuration we know: fixed concurrency, no storage,
// no log. Arguments: the site's origin, the number of pages, the concurrency. Prints one line of JSON.
import { CheerioCrawler, Configuration, LogLevel, log } from '@crawlee/cheerio';
import TurndownService from 'turndown';
import { measured } from './measured.mjs';

const [origin, pages, concurrency] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];

log.setLevel(LogLevel.OFF);
const turndown = new TurndownService();

async function crawl(count, run) {
  let done = 0;
  // Each run has its own queue; otherwise the second run would find all pages done.
  const config = new Configuration({ persistStorage: false, purgeOnStart: false, defaultRequestQueueId: run });
  const crawler = new CheerioCrawler(
    {
      minConcurrency: concurrency,
      maxConcurrency: concurrency,
      maxRequestRetries: 0,
      maxRequestsPerCrawl: count,
      requestHandler: async ({ $, enqueueLinks }) => {
        await enqueueLinks({ strategy: 'same-hostname' });
        $('script, style, noscript').remove();
        if (turndown.turndown($('body').html() ?? '').length > 0) done += 1;
      },
    },
    config,
  );
  await crawler.run([`${origin}/`]);
  return done;
}

await measured(crawl, pages);
