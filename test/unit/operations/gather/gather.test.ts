// Gathering without a model, against a small web: pages are found, followed, read and merged.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { createWebTools } from '../../../../src/operations/gather/create-web-tools.ts';
import { type GatherTask, gather } from '../../../../src/operations/gather/gather.ts';
import type { GatherWork } from '../../../../src/understand/gather/gather-work.ts';
import { type OpenOperations, openOperations } from '../../../support/operations.ts';
import { createMemoryRun } from '../../../support/run-tools.ts';
import { reply } from '../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../support/web.ts';

const people = [
  ['Ada Byron', 'Chair', 'ada'],
  ['Bo Larsen', 'Treasurer', 'bo'],
  ['Cy Young', 'Secretary', 'cy'],
  ['Di Prima', 'Librarian', 'di'],
] as const;
const layout = (title: string, main: string) =>
  reply(
    `<html lang="en"><title>${title}</title><nav><a href="/">Home</a> <a href="/people">People</a> <a href="/rooms">Rooms</a> <a href="/private">Members area</a></nav><main><h1>${title}</h1>${main}</main>`,
  );
const table = (rows: readonly (readonly [string, string, string])[]) =>
  `<table><tr><th>Name</th><th>Role</th><th>Email</th></tr>${rows.map(([name, role, mail]) => `<tr><td>${name}</td><td>${role}</td><td>${mail}@club.test</td></tr>`).join('')}</table>`;

const firstPage = layout(
  'People',
  `<p>All officers of the club.</p>${table(people.slice(0, 2))}<a href="/people?page=2" rel="next">Next</a>`,
);
const secondPage = layout('People', table(people.slice(2)));

let web: Web;
let operations: OpenOperations;

before(async () => {
  web = await startWeb({
    'paper.test': {
      '/': layout(
        'The Small Paper',
        '<p>News from the harbour, every day.</p><a href="/map">Map of the front page</a>',
      ),
      '/map': layout('Map', '<p>The front page has a title, a date and three columns.</p>'),
    },
    'club.test': {
      '/': layout(
        'The rowing club',
        '<p>We row on the river Tern since 1921, in all weathers, and everybody is welcome to join us.</p>',
      ),
      '/people': (exchange) => (exchange.query.get('page') === '2' ? secondPage : firstPage)(exchange),
      '/rooms': layout(
        'Rooms',
        '<p>The boathouse can be rented for celebrations. It has room for eighty guests and costs 240 euros a day.</p>',
      ),
      '/private': reply(
        '<html><title>Log in</title><form><p>Please log in to see this page.</p><input type="password"></form></html>',
        { status: 401 },
      ),
    },
  });
  operations = await openOperations(web.settings);
});
after(async () => {
  await operations.close();
  await web.stop();
});

async function run(
  task: Partial<GatherTask>,
  limits = { maxCredits: 500, maxPagesPerHost: 50 },
  earlier: ReturnType<typeof createMemoryRun>['steps'] = [],
  change = (work: GatherWork): GatherWork => work,
) {
  const memory = createMemoryRun({ earlier });
  const tools = operations.deps.understander.tools(
    { asker: { team: operations.caller.team.id }, isPrivate: false },
    memory.signal,
  );
  const context = {
    run: memory,
    caller: operations.caller,
    partOf: { operation: 'scrape' as const },
    limits,
    zeroDataRetention: false,
    baseUrl: '',
  };
  const gathered = await gather(
    { web: createWebTools(operations.deps, context), work: change(tools.work.gather), hasModel: false },
    { urls: [], maxPages: 10, maxHops: 2, search: 'without-urls', leavesSites: true, ...task },
  );
  return { gathered, memory };
}

const OFFICERS = {
  type: 'object',
  properties: {
    officers: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, role: { type: 'string' }, email: { type: 'string' } },
      },
    },
  },
  required: ['officers'],
};
const prompt = 'List the officers of the rowing club: all people with their role and email';

test('a list is found from the home page, over its pages, with the source of every value', async () => {
  const { gathered, memory } = await run({ prompt, schema: OFFICERS, urls: [web.url('club.test')] });
  assert.deepEqual(gathered.data, {
    officers: people.map(([name, role, mail]) => ({ name, role, email: `${mail}@club.test` })),
  });
  assert.deepEqual(gathered.problems, []);
  assert.deepEqual(gathered.sources['officers[3].name'], [web.url('club.test', '/people?page=2')]);
  const { url, text, start, end } = gathered.citations['officers[1].email']!;
  const output = memory.steps
    .map((step) => step.output as { finalUrl?: string; markdown: string })
    .find(({ finalUrl }) => finalUrl === url)!;
  assert.equal(output.markdown.slice(start, end), text);
  assert.equal(text, 'bo@club.test');

  const again = await run({ prompt, schema: OFFICERS, urls: [web.url('club.test')] }, undefined, memory.steps);
  assert.deepEqual(again.gathered, gathered);
  assert.equal(again.memory.steps.length, memory.steps.length);
});

test('a prompt that only names fields is about the page whose URL it comes with', async () => {
  const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
  const home = web.url('paper.test');
  for (const asked of ['What is the title of the front page?', 'Find the title']) {
    const { gathered } = await run({ prompt: asked, schema, urls: [home] });
    assert.deepEqual([gathered.data, gathered.sources], [{ title: 'The Small Paper' }, { title: [home] }]);
  }
});

test('a question without a schema is answered by the passages of the best page', async () => {
  const { gathered } = await run({
    prompt: 'What does it cost to rent the boathouse for a day?',
    urls: [web.url('club.test')],
  });
  const { answer, passages } = gathered.data as { answer: string; passages: { url: string }[] };
  assert.match(answer, /costs 240 euros a day/);
  assert.equal(passages[0]?.url, web.url('club.test', '/rooms'));
  assert.equal(gathered.citations['passages[0].text']?.url, web.url('club.test', '/rooms'));
});

test('what no page says stays missing, and a login is named', async () => {
  const schema = { type: 'object', properties: { vatNumber: { type: 'string' } }, required: ['vatNumber'] };
  const { gathered } = await run({ prompt: 'VAT number, in the members area', schema, urls: [web.url('club.test')] });
  assert.equal(gathered.data, undefined);
  assert.ok(gathered.warnings.some((warning) => /\/private: the page needs a login/.test(warning)));
});

test('a gathering ends with what it has when the credits are used up', async () => {
  const { gathered, memory } = await run(
    { prompt, schema: OFFICERS, urls: [web.url('club.test')] },
    { maxCredits: 7, maxPagesPerHost: 50 },
  );
  assert.equal(gathered.stopped, 'max_credits');
  assert.ok(memory.spent().credits <= 7);
});

test('a site is mapped if all of its pages are meant', async () => {
  const { gathered, memory } = await run({
    prompt,
    schema: OFFICERS,
    urls: [`${web.url('club.test')}*`],
    maxHops: 0,
    leavesSites: false,
  });
  assert.equal(memory.steps[0]?.name, 'map');
  assert.equal((gathered.data as { officers: unknown[] }).officers.length, 4);
});

/** Jobs that fail as they do for a page that takes a thread to its limits. */
function breakingAt(url: string, broken: readonly (keyof GatherWork)[]) {
  return (work: GatherWork): GatherWork =>
    new Proxy(work, {
      get:
        (jobs, name: keyof GatherWork) =>
        async (...args: unknown[]) => {
          const pages = args.flat().map((each) => (each as { page?: object })?.page ?? each) as { url?: string }[];
          if (broken.includes(name) && pages.some((page) => page?.url === url)) {
            throw new ServiceError('SCRAPE_SITE_ERROR');
          }
          return await (jobs[name] as (...args: unknown[]) => Promise<unknown>)(...args);
        },
    });
}

for (const job of ['links', 'scorePages', 'merge', 'answer'] as const) {
  test(`a page that breaks the job ${job} is left out, and the others are used`, async () => {
    const hostile = web.url('club.test', '/rooms');
    const asked = job === 'answer' ? { prompt: 'Who is welcome to join?' } : { prompt, schema: OFFICERS };
    const urls = [hostile, web.url('club.test')];
    const { gathered } = await run({ ...asked, urls }, undefined, [], breakingAt(hostile, [job]));
    if (job === 'answer') assert.match((gathered.data as { answer: string }).answer, /everybody is welcome/);
    else assert.equal((gathered.data as { officers: unknown[] }).officers.length, 4);
    assert.ok(gathered.warnings.some((warning) => warning.startsWith(`${hostile} was left out`)));
    assert.ok(!JSON.stringify(gathered.sources).includes(hostile));
  });
}

test('an error that is not about a page ends the gathering', async () => {
  const failing = (work: GatherWork) =>
    new Proxy(work, {
      get: (jobs, name: keyof GatherWork) =>
        name === 'merge' ? () => Promise.reject(new ServiceError('SERVICE_UNAVAILABLE')) : jobs[name],
    });
  const task = { prompt, schema: OFFICERS, urls: [web.url('club.test')] };
  await assert.rejects(run(task, undefined, [], failing), { code: 'SERVICE_UNAVAILABLE' });
});
