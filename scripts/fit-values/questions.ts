// Measures the answers of the format `question` without a language model: `node scripts/fit-values/questions.ts FILE [EVERY] [FIRST]`.
// FILE has records of questions about paragraphs: c paragraph, q question, a right answers (none: it has no answer), t article.
// A page is seven paragraphs of an article; each question is asked of its own page, and of a page of another article.
import { readFileSync } from 'node:fs';
import { loadSpanReader } from '../../src/encoders/reader/read-spans.ts';
import { answerPassages } from '../../src/understand/passages/find-passages.ts';
import { readAnswer } from '../../src/understand/passages/read-answer.ts';
import { tokenF1 } from './token-f1.ts';

interface Asked {
  c: string;
  q: string;
  a: string[];
  t: string;
}

type Kind = 'answerable' | 'look-alike' | 'of another page';

const PARAGRAPHS = 7;
const MAX_RUNS = 12;
const THRESHOLDS = [0.2, 0.3, 0.4, 0.5, 0.6];

const [file, every = '7', first = '0'] = process.argv.slice(2);
if (!file) throw new Error('usage: questions.ts FILE [EVERY] [FIRST]');
const items = JSON.parse(readFileSync(file, 'utf8')) as Asked[];
const articles = Map.groupBy(items, ({ t }) => t);
const reader = await loadSpanReader();
const results: { kind: Kind; confidence: number; f1: number }[] = [];
for (let at = Number(first); at < items.length; at += Number(every)) {
  const item = items[at]!;
  const other = items[(at + Math.floor(items.length / 2)) % items.length]!;
  await ask(item.a.length > 0 ? 'answerable' : 'look-alike', item.q, item);
  if (other.t !== item.t && other.a.length > 0) await ask('of another page', other.q, { ...item, a: [] });
}
for (const threshold of THRESHOLDS)
  console.log(
    threshold,
    ...(['answerable', 'look-alike', 'of another page'] as const).map((kind) => rowOf(kind, threshold)),
  );

async function ask(kind: Kind, question: string, { c, a, t }: Asked): Promise<void> {
  const paragraphs = [...new Set(articles.get(t)!.map((each) => each.c))];
  const from = Math.max(0, paragraphs.indexOf(c) - Math.floor(PARAGRAPHS / 2));
  const title = t.replaceAll('_', ' ');
  const found = answerPassages(paragraphs.slice(from, from + PARAGRAPHS).join('\n\n'), { question, title });
  const page = { title, text: found.text, pieces: found.units, inside: true as const };
  const answer = readAnswer(found, await reader.read(page, { question, places: [] }, MAX_RUNS));
  const f1 = Math.max(0, ...a.map((right) => tokenF1(right, answer?.text ?? '')));
  results.push({ kind, confidence: answer?.confidence ?? 0, f1 });
}

function rowOf(kind: Kind, threshold: number): string {
  const all = results.filter((each) => each.kind === kind);
  const given = all.filter(({ confidence }) => confidence >= threshold);
  const f1 = given.reduce((sum, each) => sum + each.f1, 0) / Math.max(1, given.length);
  const percent = ((100 * given.length) / Math.max(1, all.length)).toFixed(1);
  return `| ${kind} (${all.length}): answered ${percent} %${kind === 'answerable' ? `, F1 ${(100 * f1).toFixed(1)}` : ''}`;
}
