// Our own models in their thread, where their runtime is installed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createEncoders } from '../../../src/encoders/encoders.ts';
import { runtimeProblem } from '../../../src/encoders/model-runtime/model-runtime.ts';
import { cosine } from '../../../src/text/text-vectors.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';

const skip = runtimeProblem() ?? false;
const encoders = createEncoders();
const { classifier, reader, sentences } = encoders;
after(() => encoders.close());

const ASKER = { team: 'a' };
const never = new AbortController().signal;
const names = async (text: string, mode: 'accurate' | 'aggressive' = 'accurate') =>
  (await classifier.find(text, mode, ASKER, never))
    .filter(({ type }) => type !== 'ORGANISATION')
    .map(({ start, end, type }) => [text.slice(start, end), type]);

test('names of persons and places are found with their positions', { skip }, async () => {
  assert.deepEqual(await names('Yesterday Zoë Müller met Pedro Alvarez in Lisbon.\n\nNobody else came.'), [
    ['Zoë Müller', 'PERSON'],
    ['Pedro Alvarez', 'PERSON'],
    ['Lisbon', 'LOCATION'],
  ]);
});

test('a text gives the same answer whatever is asked at the same time', { skip }, async () => {
  const text = 'Our editor Harriet Nkemelu lives in Ghent and writes about Quito.';
  const alone = await classifier.find(text, 'accurate', ASKER, never);
  const [again] = await Promise.all([
    classifier.find(text, 'accurate', { team: 'b' }, never),
    classifier.find('Somebody called Igor Petrov came from Riga.', 'accurate', ASKER, never),
  ]);
  assert.deepEqual(again, alone);
});

test('a name in the last piece of a long text is found at its place', { skip }, async () => {
  const text = `${'nothing to see here, all is quiet. '.repeat(800)}\n\nSigned by Harriet Nkemelu.`;
  assert.deepEqual(await names(text), [['Harriet Nkemelu', 'PERSON']]);
});

test('the end of a request ends its work, and the next request is served', { skip }, async () => {
  const stop = new AbortController();
  const long = 'Harriet Nkemelu met Pedro Alvarez in Ghent. '.repeat(2_000);
  const work = classifier.find(long, 'accurate', ASKER, stop.signal);
  stop.abort(new Error('too late'));
  await assert.rejects(work, /too late/);
  assert.equal((await names('Harriet Nkemelu lives in Ghent.')).length, 2);
});

test('a thread that crashes or takes too long is an error, never an empty answer', { skip }, async (t) => {
  const code = (body: string) => new URL(`data:text/javascript,${encodeURIComponent(body)}`);
  const answerReady = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id, method }) => { if (['ready', 'load'].includes(method)) parentPort.postMessage({ id }); else work(); });`;
  for (const work of ['const work = () => process.exit(1);', 'const work = () => { for (;;) ; };']) {
    const broken = createEncoders({ entry: code(`${answerReady}\n${work}`), pieceTimeoutMs: 10 });
    t.after(() => broken.close());
    await assert.rejects(broken.classifier.find('Anna', 'accurate', ASKER, never), { code: 'REDACTION_FAILED' });
    await assert.rejects(broken.sentences.encode(['Anna'], ASKER, never), { code: 'ENCODING_FAILED' });
  }
});

const TEXT = [
  'Desk lamp Ada',
  'Price: €49.90',
  'Delivery: €4.95',
  'A lamp for quiet rooms.',
  'Made by Nordwind GmbH.',
].join('\n');
const spansOf = (...values: string[]) =>
  values.map((value) => ({ start: TEXT.indexOf(value), end: TEXT.indexOf(value) + value.length }));
const task = (questions: { question: string; places: { start: number; end: number }[] }[]) => ({
  title: 'Desk lamp Ada',
  text: TEXT,
  pieces: Int32Array.from(
    spansOf('Desk lamp Ada', '€49.90', '€4.95', 'A lamp for quiet rooms.').flatMap(({ start, end }) => [start, end]),
  ),
  questions,
  maxRuns: 8,
});
const asked = (question: string, places = spansOf()) => ({ question, places });

test('the reader tells pieces of a text apart by what they answer', { skip }, async () => {
  const questions = [asked('What is the price?'), asked('What is the price of the delivery?')];
  const readings = await reader.read(task(questions), ASKER, never);
  const best = readings!.map(({ spans: [span] }) => TEXT.slice(span!.start, span!.end));
  assert.deepEqual(best, ['€49.90', '€4.95']);
});

test('a place that is no piece of the text is judged, too', { skip }, async () => {
  const places = spansOf('Nordwind GmbH');
  const [reading] = (await reader.read(task([asked('Who made the lamp?', places)]), ASKER, never))!;
  assert.ok(reading!.spans.some(({ start }) => start === places[0]!.start));
});

test('a reader that crashes answers nothing: the caller can do without', { skip }, async (t) => {
  const code = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id, method }) => { if (['ready', 'load'].includes(method)) parentPort.postMessage({ id }); else process.exit(1); });`;
  const broken = createEncoders({ entry: new URL(`data:text/javascript,${encodeURIComponent(code)}`) });
  t.after(() => broken.close());
  assert.equal(await broken.reader.read(task([asked('What is the price?')]), ASKER, never), undefined);
});

test('texts that say the same in other words are nearer than texts that share words', { skip }, async () => {
  const [question, same, words] = await sentences.encode(
    ['How do I mend a flat bicycle tyre?', 'Repairing a punctured bike wheel', 'The flat has two rooms and a balcony'],
    ASKER,
    never,
  );
  assert.equal(question!.length, 384);
  assert.ok(cosine(question!, same!) > cosine(question!, words!) + 0.2);
});

test('a text has the same vector alone, among others, and with more than is read of it', { skip }, async () => {
  const long = 'A lamp at sea. '.repeat(200);
  const [alone] = await sentences.encode([long], ASKER, never);
  const many = await sentences.encode([...Array.from({ length: 10 }, (_, at) => `text ${at}`), long], ASKER, never);
  const [longer, empty] = await sentences.encode([`${long}${'Something else. '.repeat(50_000)}`, ''], ASKER, never);
  assert.deepEqual(many.at(-1), alone);
  assert.deepEqual(longer, alone);
  assert.equal(empty!.length, 384);
});

test('the model has the name by which its vectors are known', () => {
  const config = JSON.parse(readFileSync(new URL('../../../models/sentences/config.json', import.meta.url), 'utf8'));
  assert.equal(sentences.name, config.name);
});

test('a process that ends in the middle of a text ends orderly', { skip }, async (t) => {
  const module = JSON.stringify(new URL('../../../src/encoders/encoders.ts', import.meta.url).href);
  const program = `
    const { createEncoders } = await import(${module});
    const { sentences, close } = createEncoders();
    const texts = Array.from({ length: 64 }, (_, at) => ('a lamp at sea ' + at).repeat(80));
    const stop = new AbortController();
    await sentences.encode(texts.slice(0, 1), { team: 'a' }, stop.signal);
    const work = sentences.encode(texts, { team: 'a' }, stop.signal).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 30));
    stop.abort(new Error('the service stops'));
    await work;
    await close();
    process.exit(0);`;
  const file = join(temporaryFolder(t), 'program.mjs');
  writeFileSync(file, program);
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, [file], (error, _, stderr) => {
      resolve({ code: error ? (error.code ?? error.signal) : 0, stderr });
    });
  });
  assert.equal(code, 0, stderr);
});
