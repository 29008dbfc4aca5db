// Reads all URLs in a site's sitemaps with Crawlee. Arguments: the site's origin, the number of runs. Prints one line of
// JSON with the mean of the runs, after one run as warm-up.
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
