// Trains the main-content model and writes it with its scores and model card:
//   node scripts/train-extractor/train.ts FOLDER [--folds 3] [--out data] [--cache DIR] [--threads 2] [--date DAY]
// With --scores-only, it stops after the validation and writes nothing.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Ensemble } from './ensemble.ts';
import { type Examples, loadExamples } from './examples.ts';
import { fitAll } from './fit.ts';
import { BLOCK_PARAMS } from './gbdt.ts';
import { pageTypeMatrix, trainPageTypes } from './page-types.ts';
import { type ScoreRow, scoreRows, scoreTable } from './report.ts';
import { type Split, splitPages } from './split.ts';
import { makeTargets, type Targets } from './targets.ts';
import { type Validation, validate } from './validate.ts';
import { writeModel } from './write-model.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folds: { type: 'string', default: '3' },
    out: { type: 'string', default: join(import.meta.dirname, '../../data') },
    cache: { type: 'string' },
    threads: { type: 'string', default: '2' },
    date: { type: 'string' },
    'scores-only': { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
const started = performance.now();

if (folder) await main(folder);
else {
  console.error('Pass the folder with the labelled sets: node scripts/train-extractor/train.ts FOLDER');
  process.exitCode = 2;
}

async function main(dataFolder: string): Promise<void> {
  const examples = loadExamples(dataFolder, values.cache);
  say(`${examples.pages.length} pages, ${examples.blocks.rows} blocks, ${examples.blocks.columns} features`);
  const split = splitPages(examples.pages, Number(values.folds));
  for (const [k, { byAddress, byText }] of split.overlaps.entries()) {
    const name = k < split.folds ? `fold ${k}` : 'final fit';
    say(`${name}: training pages also in validation: ${byAddress} by address, ${byText} by text; left out`);
  }

  const targets = makeTargets(examples);
  const validation = await crossValidate(examples, split, targets);
  if (values['scores-only']) return;

  const blockModel = (await fitAll([blockTask(examples, targets, split.allowed)], 1))[0]!;
  const typeRows = pageTypeMatrix(examples.pages, validation.probability);
  const typeModel = trainPageTypes(examples.pages, typeRows, (_, i) => split.allowed[i] === 1);
  say('final fit done');
  const scores: ScoreRow[] = scoreRows(examples.pages, validation);
  writeModel(values.out, {
    blockModel,
    typeModel,
    examples,
    split,
    scores,
    date: values.date ?? commitDate(),
  });
  say(`written to ${values.out}`);
}

async function crossValidate(examples: Examples, split: Split, targets: Targets): Promise<Validation> {
  const tasks = split.training.map((training) => blockTask(examples, targets, training));
  const models: Ensemble[] = await fitAll(tasks, Number(values.threads));
  say(`${models.length} models fitted`);
  const validation = validate(examples, split, models);
  say(`Pages that the models did not see:\n${scoreTable(scoreRows(examples.pages, validation))}`);
  return validation;
}

/** Fits a model to the blocks of the pages marked with 1. */
function blockTask({ pages, blocks }: Examples, { labels, weights }: Targets, inUse: Uint8Array) {
  const used = new Float64Array(weights.length);
  for (const [i, { firstRow, words }] of pages.entries()) {
    if (inUse[i] === 1) used.set(weights.subarray(firstRow, firstRow + words.length), firstRow);
  }
  return { data: blocks, labels, weights: used, params: BLOCK_PARAMS };
}

/** The date of the current commit, so that the same code and data give the same bytes on any day. */
function commitDate(): string {
  return execFileSync('git', ['log', '-1', '--format=%cs'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}

function say(text: string): void {
  console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}`);
}
