// Runs a peer twice, once to warm up, and prints what the second run took as one line of JSON.
const WARM_UP = 200;

/** `crawl(count, run)` reads so many pages and gives how many it was. */
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
