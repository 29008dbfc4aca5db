// Papers: searched in all catalogues at once, looked up by any id, read, and followed by their citations. Also by the public SDK.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Firecrawl, type PaperResult, type SdkError } from 'firecrawl';
import { makePdf } from '../support/pdf.ts';
import { type CataloguePaper, type Catalogues, type Source, startCatalogues } from '../support/search/catalogues.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHere } from '../support/service-here.ts';

const CLI = join(import.meta.dirname, '../../node_modules/firecrawl-cli/dist/index.js');

const NETS: CataloguePaper = {
  title: 'Attention is all that nets need to learn',
  abstract: 'We show that attention alone lets neural nets translate sentences, without any recurrence.',
  authors: [
    ['Ada', 'Fisher'],
    ['Grace', 'Müller'],
  ],
  date: '2017-06-12',
  arxiv: '1706.03762',
  doi: '10.48550/arxiv.1706.03762',
  openalex: 'W101',
  categories: ['cs.LG', 'cs.CL'],
  citations: 900,
  cites: ['W103'],
  related: ['W102', 'W103'],
  in: ['arxiv', 'openalex'],
};
const GLUCOSE: CataloguePaper = {
  title: 'Nets of glucose sensors in clinical wards',
  abstract: 'Nets of small sensors measured glucose in forty patients.',
  authors: [['Lin', 'Wei']],
  date: '2020-02-03',
  doi: '10.1000/xyz(1)',
  pmid: '31452104',
  pmcid: 'PMC6543210',
  openalex: 'W102',
  citations: 12,
  cites: ['W101'],
  in: ['openalex', 'crossref', 'pubmed'],
};
const RECURRENCE: CataloguePaper = {
  title: 'Long memory and recurrence in sequences of words',
  abstract: 'Recurrence keeps a memory of sentences that were seen before.',
  authors: [['Sepp', 'Lang']],
  date: '1997-11-15',
  doi: '10.1162/neco.1997.9.8.1735',
  openalex: 'W103',
  citations: 50_000,
  in: ['openalex', 'crossref'],
};
const OLD: CataloguePaper = {
  title: 'Gluons and their nets in old experiments',
  abstract: 'An old experiment with gluons.',
  authors: [['Max', 'Quark']],
  date: '1999-01-05',
  arxiv: 'hep-ex/9901001',
  categories: ['hep-ex'],
  in: ['arxiv'],
};
/** The same work twice: a preprint and its article, without a common id. */
const TWICE: CataloguePaper[] = (['2001.00001', undefined] as const).map((arxiv) => ({
  title: 'Zebra stripes explained by walking gaits',
  abstract: 'Zebra stripes follow the gait of the animal.',
  authors: [['Zoe', 'Stripe']],
  date: '2020-01-01',
  ...(arxiv ? { arxiv, in: ['arxiv'] } : { doi: '10.5555/zebra.1', in: ['crossref'] }),
}));
const MANY: CataloguePaper[] = Array.from({ length: 260 }, (_, at) => ({
  title: `Plankton survey number ${at} of the northern sea`,
  abstract: 'Plankton was counted.',
  authors: [['Nora', 'See']],
  date: '2021-01-01',
  openalex: `W${9000 + at}`,
  in: ['openalex'],
}));

let catalogues: Catalogues;
let service: RunningService;
let closed: RunningService;
let client: Firecrawl;

before(async () => {
  const lines = [
    'We trained the model on eight machines for twelve hours.',
    'Scaled dot product attention divides the scores by the square root of the dimension.',
    'The harvest of olives is not related to this work in any way.',
  ];
  const pdf = makePdf([{ heading: 'Attention', lines: lines.slice(0, 2) }, { lines: lines.slice(2) }]);
  catalogues = await startCatalogues({
    papers: [NETS, GLUCOSE, RECURRENCE, OLD, ...TWICE, ...MANY],
    files: { '/arxiv/pdf/1706.03762': { type: 'application/pdf', bytes: pdf } },
  });
  service = await startServiceHere({ ...catalogues.settings, TRAWL_ALLOW_NETWORKS: '127.0.0.0/8' });
  closed = await startServiceHere();
  client = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
});
after(async () => {
  await Promise.all([service?.stop(), closed?.stop()]);
  await catalogues?.stop();
});
beforeEach(() => {
  catalogues.asked.length = 0;
});

const PAPERS = '/v2/search/research/papers';
interface Body {
  success: boolean;
  code?: string;
  error?: string;
  detail?: string;
  warning?: string;
  note?: string;
  creditsUsed?: number;
  poolSize?: number;
  truncated?: boolean;
  results: PaperResult[];
  paper: { paperId: string; ids: Record<string, string[]>; title: string; abstract: string; authors?: string };
  passages?: { text: string; score: number }[];
}
async function get(path: string, at: RunningService = service) {
  const response = await at.fetch(path);
  return { status: response.status, body: (await response.json()) as Body };
}
const search = (query: Record<string, string>) => get(`${PAPERS}?${new URLSearchParams(query)}`);
const titles = (results: { title: string }[]) => results.map(({ title }) => title).toSorted();

describe('a search for papers', () => {
  test('asks all catalogues and returns each paper once, with all its ids', async () => {
    const { success, results, ...more } = (await client.research.searchPapers('nets')) as never as Body;
    assert.equal(success, true);
    assert.deepEqual(titles(results), titles([NETS, GLUCOSE, OLD]));
    assert.deepEqual(
      new Set(catalogues.asked.map(({ source }) => source)),
      new Set(['openalex', 'arxiv', 'crossref', 'pubmed']),
    );
    const glucose = results.find(({ title }) => title === GLUCOSE.title)!;
    assert.deepEqual(glucose.ids, {
      doi: ['10.1000/xyz(1)'],
      pmid: ['31452104'],
      pmcid: ['PMC6543210'],
      openalex: ['W102'],
    });
    assert.deepEqual([glucose.primaryId, glucose.paperId], ['doi:10.1000/xyz(1)', 'doi:10.1000~2Fxyz(1)']);
    assert.match(glucose.abstract, /glucose in forty patients/);
    assert.ok(results.every(({ score }) => score > 0));
    // The papers that most catalogues know come first.
    assert.equal(results.at(-1)!.title, OLD.title);
    assert.deepEqual(more, { creditsUsed: 2 });
  });

  test('merges a preprint with its article by title and author', async () => {
    const { body } = await search({ query: 'zebra stripes' });
    assert.equal(body.results.length, 1);
    assert.deepEqual(body.results[0]!.ids, { arxiv: ['2001.00001'], doi: ['10.5555/zebra.1'] });
  });

  test('filters by authors, categories and dates', async () => {
    const by = async (options: object) => titles((await client.research.searchPapers('nets', options)).results);
    assert.deepEqual(await by({ authors: ['fisher', 'MÜLLER'] }), [NETS.title]);
    assert.deepEqual(await by({ authors: ['fisher', 'wei'] }), []);
    assert.deepEqual(await by({ categories: ['cs.LG', 'cs.CL'] }), [NETS.title]);
    assert.deepEqual(await by({ categories: ['cs.LG', 'hep-ex'] }), []);
    assert.deepEqual(await by({ from: '2017-06-12', to: '2019-12-31' }), [NETS.title]);
    assert.deepEqual(await by({ to: '2000-01-01' }), [OLD.title]);
    const sent = catalogues.asked
      .filter(({ source }) => source === 'arxiv')
      .map(({ parameters }) => parameters.get('search_query'));
    assert.ok(
      sent.some((text) => text!.includes('au:"fisher" AND au:"müller"')),
      String(sent),
    );
    assert.ok(sent.some((text) => text!.includes('cat:cs.LG AND cat:cs.CL')));
    assert.ok(sent.some((text) => text!.startsWith('submittedDate:[201706120000 TO 201912312359]')));
    // Commas separate values like repeated parameters do.
    assert.deepEqual(titles((await search({ query: 'nets', authors: 'fisher, müller' })).body.results), [NETS.title]);
  });

  test('reads on until it has enough, and pages by offset', async () => {
    const { body } = await search({ query: 'plankton', k: '250' });
    assert.deepEqual([body.results.length, body.creditsUsed], [250, 50]);
    const next = await search({ query: 'plankton', k: '5', offset: '248' });
    assert.deepEqual(
      next.body.results.slice(0, 2).map(({ paperId }) => paperId),
      body.results.slice(248).map(({ paperId }) => paperId),
    );
    assert.equal(next.body.results.length, 5);
  });

  test('refuses bad parameters with the field', async () => {
    const cases: [query: Record<string, string>, message: RegExp][] = [
      [{}, /`query`/],
      [{ query: ' ' }, /must not be empty/],
      [{ query: 'x'.repeat(1_001) }, /1000 characters/],
      [{ query: 'x', k: '0' }, /`k`.*1 to 500/],
      [{ query: 'x', k: '501' }, /`k`/],
      [{ query: 'x', k: '1.5' }, /`k`/],
      [{ query: 'x', offset: '490', k: '20' }, /together/],
      [{ query: 'x', from: 'yesterday' }, /`from`.*2026-01-31/],
      [{ query: 'x', from: '2020-02-02', to: '2020-02-01' }, /later/],
    ];
    for (const [query, message] of cases) {
      const { status, body } = await search(query);
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'], JSON.stringify(query));
      assert.match(body.error!, message);
      assert.equal(body.detail, body.error);
    }
  });
});

describe('sources that fail', () => {
  test('are named in a warning, whatever they answer, and the others are used', async (t) => {
    // A service of its own: failures pause a source.
    const fresh = await startServiceHere({ ...catalogues.settings });
    t.after(() => fresh.stop());
    const hostile: [source: Source, answer: (response: ServerResponse) => void, warning: RegExp][] = [
      ['crossref', (response) => response.end('{"message":{"items":{"a":1},"total-results":[]}}'), /^$/],
      ['crossref', (response) => response.end('[1,2,3]'), /Crossref: its answer has an unexpected format/],
      ['openalex', (response) => response.end('<html>Hello'), /OpenAlex: it answered with a web page/],
      ['pubmed', (response) => response.end(`{"x":"${'x'.repeat(6_000_000)}"}`), /PubMed: its answer is too large/],
    ];
    for (const [at, [source, answer, warning]] of hostile.entries()) {
      catalogues.behave(source, answer);
      const { status, body } = await get(`${PAPERS}?query=nets+attention+round${at}`, fresh);
      catalogues.behave(source);
      assert.equal(status, 200);
      assert.ok(titles(body.results).includes(NETS.title));
      assert.match(body.warning ?? '', warning);
    }
  });

  test('if all fail, the search fails and names them; the SDK shows the text', async (t) => {
    const fresh = await startServiceHere({ ...catalogues.settings, TRAWL_PROVIDER_TIMEOUT_MS: '300' });
    t.after(() => fresh.stop());
    const sources = ['openalex', 'arxiv', 'crossref', 'pubmed'] as const;
    for (const source of sources)
      catalogues.behave(source, source === 'arxiv' ? () => {} : (response) => response.writeHead(502).end());
    t.after(() => sources.map((source) => catalogues.behave(source)));
    const { status, body } = await get(`${PAPERS}?query=nets`, fresh);
    assert.deepEqual([status, body.code], [503, 'SOURCES_UNAVAILABLE']);
    assert.match(body.error!, /OpenAlex.*arXiv|arXiv.*OpenAlex/);
    const sdk = new Firecrawl({ apiKey: fresh.key, apiUrl: fresh.url });
    await assert.rejects(sdk.research.searchPapers('nets'), (error: SdkError) => {
      assert.deepEqual([error.status, error.code], [503, 'SOURCES_UNAVAILABLE']);
      assert.match(error.message, /arXiv/);
      return true;
    });
    const one = await get(`${PAPERS}/arxiv:1706.03762`, fresh);
    assert.deepEqual([one.status, one.body.code], [503, 'SOURCES_UNAVAILABLE']);
  });

  test('if none may be asked, the answer says which setting decides', async () => {
    for (const path of [`${PAPERS}?query=nets`, `${PAPERS}/arxiv:1706.03762`, `${PAPERS}/W1/similar?intent=x`]) {
      const { status, body } = await get(path, closed);
      assert.deepEqual([status, body.code], [503, 'SOURCES_UNAVAILABLE'], path);
      assert.match(body.error!, /TRAWL_KEYLESS_PROVIDERS/);
    }
  });
});

describe('one paper', () => {
  test('is found by every spelling of its ids', async () => {
    const spellings: [title: string, ...ids: string[]][] = [
      [
        NETS.title,
        '1706.03762',
        'arXiv:1706.03762v2',
        'arxiv:1706.03762',
        'https://arxiv.org/abs/1706.03762v5',
        'https://arxiv.org/pdf/1706.03762.pdf',
        '10.48550/arXiv.1706.03762',
        'W101',
        'https://openalex.org/W101',
      ],
      [
        GLUCOSE.title,
        '10.1000/XYZ(1)',
        'doi:10.1000/xyz(1)',
        'doi:10.1000~2Fxyz(1)',
        'https://doi.org/10.1000/xyz(1)',
        'https://doi.org/10.1000%2Fxyz(1)',
        '31452104',
        'PMID: 31452104',
        'https://pubmed.ncbi.nlm.nih.gov/31452104/',
        'PMC6543210',
        'https://pmc.ncbi.nlm.nih.gov/articles/PMC6543210/',
      ],
      [OLD.title, 'hep-ex/9901001', 'arxiv:hep-ex~2F9901001'],
    ];
    for (const [title, ...ids] of spellings) {
      for (const id of ids) {
        const { success, paper } = await client.research.getPaper(id);
        assert.deepEqual([success, paper.title], [true, title], id);
      }
    }
  });

  test('has what all catalogues know about it', async () => {
    const { paper, ...more } = await client.research.getPaper('arxiv:1706.03762');
    assert.deepEqual(paper, {
      paperId: 'arxiv:1706.03762',
      ids: { arxiv: ['1706.03762'], openalex: ['W101'] },
      title: NETS.title,
      abstract: NETS.abstract,
      authors: 'Ada Fisher, Grace Müller',
      categories: ['cs.LG', 'cs.CL'],
      createdDate: '2017-06-12',
      updateDate: '2017-06-12',
    });
    assert.deepEqual(more, { success: true, creditsUsed: 2 });
    const glucose = await client.research.getPaper('pmid:31452104');
    assert.match(glucose.paper.abstract, /^BACKGROUND: Nets of small sensors/);
    // The ids of its references are not its own.
    assert.deepEqual(glucose.paper.ids!.doi, ['10.1000/xyz(1)']);
  });

  test('is 404 if no catalogue knows it, and 400 if the id is malformed', async () => {
    for (const id of ['2399.99999', '10.1000/nothing', '999999999', 'W999', 'PMC1']) {
      const { status, body } = await get(`${PAPERS}/${encodeURIComponent(id)}`);
      assert.deepEqual([status, body.code], [404, 'PAPER_NOT_FOUND'], id);
    }
    for (const id of [
      'hello',
      'https://example.com/paper',
      '10.1/x',
      'arxiv:../../etc',
      'doi:x',
      '%00',
      'W1,W2',
      'x'.repeat(380),
    ]) {
      const { status, body } = await get(`${PAPERS}/${encodeURIComponent(id)}`);
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'], id);
      assert.match(body.error!, /not the id of a paper/);
    }
    assert.equal((await get(`${PAPERS}/W1?k=4`)).status, 400);
    assert.equal((await get(`${PAPERS}/W1?query=x&k=51`)).status, 400);
  });
});

describe('reading a paper', () => {
  test('returns the best passages of its own PDF', async () => {
    const read = await client.research.getPaper('arXiv:1706.03762v2', { query: 'how is attention scaled?', k: 2 });
    assert.deepEqual([read.paperId, read.query], ['arxiv:1706.03762', 'how is attention scaled?']);
    assert.match(read.passages[0]!.text, /Scaled dot product attention divides the scores by the square root/);
    assert.ok(read.passages.length <= 2 && read.passages.every(({ text }) => !text.includes('olives')));
    assert.ok(read.passages[0]!.score > 0);
    // Two for the paper, and one for each page of the PDF.
    assert.equal((read as never as Body).creditsUsed, 4);
  });

  test('says why there are no passages', async () => {
    const unmatched = await get(`${PAPERS}/1706.03762?query=xylophone`);
    assert.deepEqual([unmatched.status, unmatched.body.passages], [200, []]);
    assert.match(unmatched.body.warning!, /no sentence has words of the query/);
    const without = await get(`${PAPERS}/W103?query=memory`);
    assert.deepEqual([without.status, without.body.passages], [200, []]);
    assert.match(without.body.warning!, /No catalogue names a free full text/);
    const broken = await get(`${PAPERS}/${encodeURIComponent('hep-ex/9901001')}?query=gluons`);
    assert.deepEqual([broken.status, broken.body.passages], [200, []]);
    assert.match(broken.body.warning!, /could not be read/);
  });
});

describe('related papers', () => {
  test('are related works, citers or references, ranked by the intent', async () => {
    const options = { intent: 'glucose sensors' };
    const similar = await client.research.similarPapers('arxiv:1706.03762', options);
    assert.deepEqual(
      similar.results.map(({ title }) => title),
      [GLUCOSE.title, RECURRENCE.title],
    );
    const { signals } = similar.results[0]!;
    assert.deepEqual([signals!.semantic, signals!.seedOverlap, signals!.structural], [1, 1, 1]);
    assert.deepEqual([similar.poolSize, similar.truncated], [2, false]);
    const citers = await client.research.similarPapers('1706.03762', { ...options, mode: 'citers' });
    assert.deepEqual(titles(citers.results), [GLUCOSE.title]);
    const references = await client.research.similarPapers('W101', { ...options, mode: 'references', rerank: true });
    assert.deepEqual(titles(references.results), [RECURRENCE.title]);
    const first = await client.research.similarPapers('W101', { intent: 'recurrence memory', k: 1 });
    assert.deepEqual([titles(first.results), first.poolSize, first.truncated], [[RECURRENCE.title], 2, true]);
  });

  test('of several papers count how many they belong to, and leave the papers themselves out', async () => {
    const both = await client.research.similarPapers('W101', {
      intent: 'memory',
      mode: 'references',
      anchor: ['W102', '10.1000/nothing'],
    });
    assert.deepEqual(titles(both.results), [RECURRENCE.title]);
    assert.match((both as never as Body).warning!, /10\.1000\/nothing/);
  });

  test('that nobody knows are no error, but unknown papers and bad modes are', async () => {
    const none = await get(`${PAPERS}/W102/similar?intent=x`);
    assert.deepEqual([none.status, none.body.results, none.body.creditsUsed], [200, [], 0]);
    assert.match(none.body.note!, /Try another `mode`/);
    const uncited = await get(`${PAPERS}/${encodeURIComponent('hep-ex/9901001')}/similar?intent=x`);
    assert.match(uncited.body.note!, /OpenAlex.*does not have this paper/);
    assert.equal((await get(`${PAPERS}/W999/similar?intent=x`)).status, 404);
    assert.equal((await get(`${PAPERS}/nonsense/similar?intent=x`)).status, 400);
    assert.match((await get(`${PAPERS}/W101/similar`)).body.error!, /`intent`/);
    assert.match(
      (await get(`${PAPERS}/W101/similar?intent=x&mode=friends`)).body.error!,
      /similar, citers, references/,
    );
  });
});

test('the paths of older clients answer the same', async () => {
  for (const rest of ['?query=glucose&k=2', '/W103', '/W103?query=memory', '/arxiv:1706.03762/similar?intent=memory']) {
    const [now, before] = [await get(`${PAPERS}${rest}`), await get(`/v2/research/papers${rest}`)];
    assert.equal(now.status, 200, rest);
    assert.deepEqual([before.status, before.body], [now.status, now.body], rest);
  }
  const refused = await get('/v2/research/papers?query=x&k=none');
  assert.deepEqual([refused.status, refused.body.code, typeof refused.body.detail], [400, 'BAD_REQUEST', 'string']);
});

test('the public command line finds, shows and reads papers', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'trawl-cli-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    FIRECRAWL_API_URL: service.url,
    FIRECRAWL_API_KEY: service.key,
    FIRECRAWL_NO_TELEMETRY: '1',
    FIRECRAWL_NO_UPDATE_CHECK: '1',
  };
  const run = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [CLI, 'research', ...args], { env, cwd: home })).stdout;
  assert.match(await run('search-papers', 'nets', '--authors', 'fisher'), /## \[arxiv:1706\.03762\] Attention is all/);
  assert.match(
    await run('inspect-paper', '10.1000/xyz(1)'),
    /Paper ID: doi:10\.1000~2Fxyz\(1\)[\s\S]*Authors: Lin Wei/,
  );
  assert.match(await run('read-paper', 'arxiv:1706.03762', '--question', 'how is attention scaled?'), /square root/);
});
