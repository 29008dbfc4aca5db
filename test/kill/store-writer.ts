// Runs as a separate process that the test kills: writes pages and scrapes without a pause, several at once, and
// prints the number of each once the store has acknowledged it.
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import {
  DAY,
  noise,
  pageToStore,
  START,
  sampleCharge,
  samplePage,
  sampleResult,
  sampleScrape,
} from '../conformance/samples.ts';

const [dataDir, first, cacheMaxBytes] = process.argv.slice(2);
const store = await openSqliteStore({ dataDir: dataDir!, cacheMaxBytes: Number(cacheMaxBytes) });
const { id: teamId } = await store.teams.ensureTeam('default', START);

let next = Number(first);
async function write(): Promise<never> {
  for (;;) {
    const number = next++;
    // Every second page is large enough for a file of its own.
    const page = { ...samplePage(''), bytes: noise(number % 2 ? 80_000 : 2_000, number) };
    const result = sampleResult(`result ${number}`, START + number);
    const toStore = pageToStore(`key ${number}`, `http://site.test/${number}`, page, null, result);
    const scrape = sampleScrape(teamId, toStore, { id: `scrape ${number}`, expiresAt: START + DAY });
    await store.scrapes.add(sampleCharge(teamId), scrape);
    if (number % 20 === 0) await store.pages.sweep(START + number);
    process.stdout.write(`${number}\n`);
  }
}
await Promise.all([write(), write(), write()]);
