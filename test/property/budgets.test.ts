// Random requests of several kinds, at the same time, through the real operations and the real store: what the answers say is
// what the ledger has, and it is never more than the budget.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mapRequest } from '../../src/contracts/crawl/map.ts';
import { scrapeRequest } from '../../src/contracts/scrape/scrape.ts';
import { searchRequest } from '../../src/contracts/search/search.ts';
import type { Caller } from '../../src/operations/caller.ts';
import { map } from '../../src/operations/map/map.ts';
import { scrapePage } from '../../src/operations/scrape.ts';
import { search } from '../../src/operations/search/search.ts';
import { callOf } from '../support/call.ts';
import { createRandom } from '../support/hostile/hostile-file.ts';
import { type OpenOperations, openOperations } from '../support/operations.ts';
import { amount, seedOr } from '../support/runs.ts';
import { page, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const SEED = seedOr(60_210);
const ROUNDS = amount({ short: 2, full: 4, long: 40 });
const REQUESTS = 24;

let web: Web;
let operations: OpenOperations;
before(async () => {
  const text = '<p>A lamp has a switch, a cable and a bulb that lasts for many years.</p>'.repeat(5);
  web = await startWeb({
    'lamps.test': { '/page/*': (exchange) => send(exchange, page(`Lamp ${exchange.tail}`, text)) },
  });
  operations = await openOperations(web.settings);
});
after(async () => {
  await operations.close();
  await web.stop();
});

test(`answers and ledger agree, and no budget is overspent (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const { deps, store } = operations;
  const outcomes = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const budget = 5 + random(20);
    const by = { actor: 'test', at: Date.now() };
    const created = await store.teams.ensureTeam(`team ${round}`, Date.now());
    const team = (await store.teams.changeTeam(created.id, { monthlyCredits: budget, plan: 'unlimited' }, by))!;
    const caller: Caller = { team, signal: new AbortController().signal };
    const url = () => web.url('lamps.test', `/page/${random(1_000)}`);
    const requests: (() => Promise<number>)[] = [
      async () => {
        const formats = pick([['markdown'], ['markdown', { type: 'question', question: 'What lasts?' }]]);
        const request = {
          ...scrapeRequest.parse({ url: url(), formats, maxAge: 0 }),
          zeroDataRetention: random(2) === 0,
        };
        return (await scrapePage(deps, caller, request, '')).metadata.creditsUsed;
      },
      async () => {
        const body = mapRequest.parse({ url: url(), sitemap: 'skip', limit: 3 });
        await map(deps, callOf<'map'>(caller, { body }));
        return 1;
      },
      async () => {
        const body = searchRequest.parse({ query: 'lamp', limit: 12 });
        const { bytes } = await search(deps, callOf<'search'>(caller, { body }));
        return (JSON.parse(Buffer.from(bytes).toString()) as { creditsUsed: number }).creditsUsed;
      },
    ];
    const answers = await Promise.allSettled(Array.from({ length: REQUESTS }, () => pick(requests)()));
    const refusals = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason);
    // On a busy machine, a map may give a page up: that is free.
    const unexpected = refusals.filter(({ message }) => !/did not arrive within/.test(message));
    for (const reason of unexpected) assert.equal(reason.code, 'INSUFFICIENT_CREDITS', String(reason.stack));
    const said = answers.reduce((sum, answer) => sum + (answer.status === 'fulfilled' ? answer.value : 0), 0);
    const bins = await store.ledger.usage(team.id, { from: 0, until: Date.now() + 3_600_000, binMs: 3_600_000 });
    const recorded = bins.reduce((sum, { credits }) => sum + credits, 0);
    assert.equal(recorded, said, `round ${round}, budget ${budget}`);
    for (const { status } of answers) outcomes.add(status);
    assert.ok(recorded <= budget, `${recorded} of ${budget}`);
  }
  // Otherwise nothing was tested.
  assert.deepEqual([...outcomes].sort(), ['fulfilled', 'rejected']);
});
