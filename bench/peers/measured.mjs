// Runs a peer twice, first as warm-up, and prints the figures of the second run as one line of JSON.
const WARM_UP = 200;

/** `crawl(count, run)` fetches up to `count` pages and returns how many it fetched. */
export async function measured(crawl, pages) {
  await crawl(WARM_UP, 'warm-up');
  const began = performance.now();
  const before = process.cpuUsage();
  const count = await crawl(pages, 'measured');
  const { user, system } = process.cpuUsage(before);
  const result = {
    count,
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: (user + system) / 1e6,
    peakMb: process.resourceUsage().maxRSS / 1024,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
