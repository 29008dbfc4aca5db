// How long summaries without a model are, and whether every sentence of them stands on the page.
import { summarySentences } from '../../src/understand/passages/summarise.ts';
import { median, type Row } from '../report.ts';
import type { LabelledPage } from './labelled-page.ts';
import type { QuestionedPage } from './questions/questioned-page.ts';
import { createSourceReader } from './read-source.ts';

export function measureSummaries(labelled: readonly LabelledPage[], questioned: readonly QuestionedPage[]): Row[] {
  const readSource = createSourceReader();
  const sources = [...labelled.map(readSource), ...questioned];
  const lengths: number[] = [];
  let [sentences, verbatim, most] = [0, 0, 0];
  const before = process.cpuUsage();
  for (const { markdown, title } of sources) {
    const spans = summarySentences(markdown, { ...(title && { title }) });
    const texts = spans.map(({ start, end }) => markdown.slice(start, end));
    most = Math.max(most, texts.length);
    sentences += texts.length;
    verbatim += texts.filter((text) => text.length > 0 && markdown.includes(text)).length;
    lengths.push(texts.join(' ').length);
  }
  const { user, system } = process.cpuUsage(before);
  const row = (measure: string, value: number, unit: string, aim?: string): Row => ({
    measure: `summary: ${measure}`,
    value,
    unit,
    ...(aim && { aim }),
  });
  return [
    row(
      `pages that have one (${sources.length})`,
      (100 * lengths.filter((length) => length > 0).length) / sources.length,
      '%',
    ),
    row('most sentences', most, '', '<= 5'),
    row('sentences on average', sentences / sources.length, ''),
    row('length, median', median(lengths), 'characters'),
    row('sentences that are verbatim', (100 * verbatim) / Math.max(1, sentences), '%', '100'),
    row('CPU per page', (user + system) / 1000 / sources.length, 'ms'),
  ];
}
