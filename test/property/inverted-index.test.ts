// The inverted index compared with brute force, through every kind of change and with crashes in between.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { createInvertedIndex } from '../../src/index/segments/create-inverted-index.ts';
import type { InvertedIndex, RankRequest } from '../../src/index/segments/inverted-index.ts';
import { phrasePairs } from '../../src/index/segments/pairs/pair-hash.ts';
import { createConnection, type SqliteConnection } from '../../src/runtime/sqlite/sqlite.ts';
import { amount, seedOr } from '../support/runs.ts';
import { type SampleDoc, toNewDoc } from '../unit/index/segments/inverted-index-samples.ts';
import { assertRanks } from './inverted-index-model.ts';

const SEED = seedOr(20_260_511);
const RUNS = { seed: SEED, numRuns: amount({ short: 40, full: 100, long: 2_000 }) };
/** Small enough that a few docs trigger flushes, merges and purges; the cache holds nothing, little or everything. */
const options = fc.record({
  flushAtDocs: fc.integer({ min: 1, max: 8 }),
  mergeFactor: fc.integer({ min: 2, max: 3 }),
  stepWork: fc.integer({ min: 1, max: 12 }),
  cacheBytes: fc.constantFrom(0, 2_000, 1_000_000),
});
type Options = typeof options extends fc.Arbitrary<infer T> ? T : never;

/** Some occur in nearly every doc, some sort differently in UTF-8 and UTF-16, some are not valid Unicode. */
const TERMS = [
  ...['a', 'a', 'a', 'b', 'b', 'c', 'd', 'ab', 'abc', 'é', '語', '\uff5e', '\u{1f600}', '\ud83d', '\ude00', '\ufffd'],
  ...['\ud7ff', 'with\0zero', '', 'a term that is longer than most'],
];
const term = fc.constantFrom(...TERMS);
const terms = fc.array(fc.tuple(term, fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 255 }))), {
  maxLength: 12,
});
const newDoc = fc.record({
  gap: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 2, max: 300 }) }),
  terms,
  length: fc.integer({ min: 0, max: 1_000 }),
  order: fc.array(term, { maxLength: 12 }),
});
const phrase = fc.array(term, { minLength: 1, maxLength: 3 });
const query = fc.record({
  words: fc.array(
    fc.record({
      forms: fc.array(fc.oneof(term, fc.constant('nowhere')), { maxLength: 4 }),
      weight: fc.constantFrom(1, 1, 2, 0.5),
    }),
    { maxLength: 5 },
  ),
  mask: fc.option(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), { nil: undefined }),
  boosts: fc.option(fc.array(fc.constantFrom(0, 0, 0.5, 3), { minLength: 1, maxLength: 60 }), { nil: undefined }),
  depth: fc.constantFrom(0, 1, 3, 10, 1_000),
});
// The same few queries repeat, so that results cached for them are checked after each change.
const queries = fc.array(query, { minLength: 1, maxLength: 3 });
const step = fc.oneof(
  fc.record({
    kind: fc.constant('change' as const),
    batches: fc.array(fc.array(newDoc, { maxLength: 5 }), { maxLength: 2 }),
    removals: fc.array(fc.nat(), { maxLength: 3 }),
    amendments: fc.array(fc.record({ pick: fc.nat(), terms, length: fc.integer({ min: 0, max: 20 }) }), {
      maxLength: 3,
    }),
    isKept: fc.constantFrom(true, true, true, false),
  }),
  fc.record({
    kind: fc.constant('flushAndMerge' as const),
    steps: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(40)),
  }),
  fc.record({ kind: fc.constant('reopen' as const), isCrash: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;

const LEFTOVERS = `SELECT DISTINCT seg FROM post WHERE seg NOT IN (SELECT seg FROM segs)
  UNION ALL SELECT lo FROM tail WHERE lo <= (SELECT max(hi) FROM segs)
  UNION ALL SELECT doc FROM amended WHERE doc <= (SELECT max(hi) FROM segs)`;

class Rejected extends Error {}

class Run {
  readonly folder = mkdtempSync(join(tmpdir(), 'trawl-postings-'));
  readonly living = new Map<number, SampleDoc>();
  readonly removed = new Map<number, SampleDoc>();
  #file = 0;
  #last = 0;
  #database!: DatabaseSync;
  #connection!: SqliteConnection;
  readonly #options: Options;
  invertedIndex!: InvertedIndex;

  constructor(options: Options) {
    this.#options = options;
  }

  open(): void {
    this.#database = new DatabaseSync(join(this.folder, `${this.#file}.db`));
    this.#database.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL');
    this.#connection = createConnection(this.#database);
    this.invertedIndex = createInvertedIndex(this.#connection, this.#options);
  }

  close(): void {
    this.#connection.close();
  }

  /** Simulates a crash by copying the files as they are and opening the copy. */
  reopen(isCrash: boolean): void {
    if (isCrash) {
      for (const ending of ['', '-wal']) {
        const from = join(this.folder, `${this.#file}.db${ending}`);
        if (existsSync(from)) copyFileSync(from, join(this.folder, `${this.#file + 1}.db${ending}`));
      }
    }
    this.close();
    if (isCrash) this.#file += 1;
    this.open();
  }

  take(step: Step): void {
    if (step.kind === 'change') this.change(step);
    else if (step.kind === 'flushAndMerge') for (let i = 0; i < step.steps && this.invertedIndex.flushAndMerge(); i++);
    else this.reopen(step.isCrash);
    assert.equal(this.invertedIndex.docCount, this.living.size);
    assert.equal(this.invertedIndex.lastDocId, this.#last);
  }

  ask(query: Query): void {
    assertRanks(this.invertedIndex, this, this.unpurged(), requestOf(query, this.#last));
  }

  askPhrase(terms: readonly string[]): void {
    const pairs = phrasePairs(terms);
    const expected = [...this.living.values()].filter((doc) => {
      const own = phrasePairs(doc.order ?? []);
      return terms.every((one) => doc.terms.has(one)) && pairs.every((pair) => own.includes(pair));
    });
    const found = this.invertedIndex.docsWithPhrase(terms).toSorted((a, b) => a - b);
    assert.deepEqual(
      found,
      expected.map(({ docId }) => docId).sort((a, b) => a - b),
      JSON.stringify(terms),
    );
  }

  change({ batches, removals, amendments, isKept }: Extract<Step, { kind: 'change' }>): void {
    let last = this.#last;
    const added: SampleDoc[] = [];
    const numbers: number[] = [];
    const amended: SampleDoc[] = [];
    const write = () => {
      for (const batch of batches) {
        const docs = batch.map(({ gap, terms, length, order }) => {
          last += gap;
          // Every term of the order is a term of the doc.
          const all = new Map([...order.map((one): [string, number] => [one, 1]), ...terms]);
          return { docId: last, terms: all, length, order };
        });
        this.invertedIndex.add(docs.map(toNewDoc));
        added.push(...docs);
      }
      for (const { pick, terms, length } of amendments) {
        const doc = { docId: pick % (this.#last + 2), terms: new Map(terms), length };
        if (!this.invertedIndex.canAmend(doc.docId)) continue;
        this.invertedIndex.amend(toNewDoc(doc));
        amended.push(doc);
      }
      // Includes docs added just now, and ids that never existed or were removed long ago.
      for (const removal of removals) numbers.push(removal % (last + 2));
      for (const docId of numbers) this.invertedIndex.remove(docId);
      if (!isKept) throw new Rejected();
    };
    try {
      this.#connection.transaction(write);
    } catch (error) {
      assert.ok(error instanceof Rejected, String(error));
      this.invertedIndex.rolledBack();
      return;
    }
    this.invertedIndex.committed();
    this.#last = last;
    for (const doc of added) this.living.set(doc.docId, doc);
    for (const doc of amended) this.living.set(doc.docId, amendedDoc(this.living.get(doc.docId)!, doc));
    for (const docId of numbers) {
      const doc = this.living.get(docId);
      if (doc && this.living.delete(docId)) this.removed.set(docId, doc);
    }
  }

  unpurged = (): number[] => this.rows('SELECT number FROM dead');

  rows(sql: string): number[] {
    return this.#database
      .prepare(sql)
      .all()
      .map((row) => Number(Object.values(row)[0]));
  }
}

function amendedDoc(doc: SampleDoc, { terms, length }: SampleDoc): SampleDoc {
  const all = new Map(doc.terms);
  for (const [term, weight] of terms) all.set(term, Math.min(255, (all.get(term) ?? 0) + weight));
  return { ...doc, terms: all, length: doc.length + length };
}

function requestOf({ words, mask, boosts, depth }: Query, last: number): RankRequest {
  // With many docs the arrays end before the last doc id, with few they reach beyond it.
  const length = Math.ceil(last * 0.8) + 10;
  return {
    words,
    filter: mask && Uint8Array.from({ length }, (_, at) => Number(mask[at % mask.length])),
    boosts: boosts && Float32Array.from({ length }, (_, at) => boosts[at % boosts.length]!),
    depth,
  };
}

function within(options: Options, check: (run: Run) => void): void {
  const run = new Run(options);
  try {
    run.open();
    check(run);
    run.close();
  } finally {
    rmSync(run.folder, { recursive: true });
  }
}

test(`ranks equal brute force through adding, removing, flushing, merging and crashes (seed ${SEED})`, () => {
  fc.assert(
    fc.property(
      options,
      fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
      queries,
      fc.array(phrase, { minLength: 1, maxLength: 3 }),
      (sizes, steps, asked, phrases) =>
        within(sizes, (run) => {
          const finish: Step[] = [
            { kind: 'flushAndMerge', steps: Number.POSITIVE_INFINITY },
            { kind: 'reopen', isCrash: true },
          ];
          for (const [at, step] of [...steps, ...finish].entries()) {
            run.take(step);
            run.ask(asked[at % asked.length]!);
            run.askPhrase(phrases[at % phrases.length]!);
          }
          for (const term of new Set(TERMS)) {
            const counted = [...run.living.values(), ...run.unpurged().map((docId) => run.removed.get(docId)!)];
            const frequency = counted.filter((doc) => doc.terms.has(term)).length;
            assert.equal(run.invertedIndex.docFrequency(term), frequency, JSON.stringify(term));
          }
          assert.deepEqual(run.rows(LEFTOVERS), []);
        }),
    ),
    RUNS,
  );
});
