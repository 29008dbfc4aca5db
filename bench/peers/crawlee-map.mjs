// Crawlee's readers of robots.txt and sitemaps: all addresses that a site lists. Arguments: the site's origin, how often.
// Prints one line of JSON with the mean of the runs; one before them is warm-up.
import { LogLevel, log } from '@crawlee/cheerio';
import { RobotsTxtFile } from '@crawlee/utils';

const [origin, runs] = [process.argv[2], Number(process.argv[3])];

log.setLevel(LogLevel.OFF);

const readUrls = async () => (await RobotsTxtFile.find(origin)).parseUrlsFromSitemaps();

await readUrls();
const began = performance.now();
const before = process.cpuUsage();
let count = 0;
for (let run = 0; run < runs; run++) count = new Set(await readUrls()).size;
const { user, system } = process.cpuUsage(before);
const result = {
  count,
  seconds: (performance.now() - began) / 1000 / runs,
  cpuSeconds: (user + system) / 1e6 / runs,
  peakMb: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
