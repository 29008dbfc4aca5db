// How well a language model answers the labelled questions: by what it cites, since its words are its own.

import { OWN_WORK } from '../../src/runtime/gate/gate.ts';
import type { Understander } from '../../src/understand/understander.ts';
import type { Row } from '../report.ts';
import type { QuestionedPage } from './questions/questioned-page.ts';

const ASKER = { asker: OWN_WORK, isPrivate: false };
const LONGEST_CALL_MS = 600_000;
const NOT_STATED = /^Not stated/;

/** With the names of the measures without a model, so that both stand in one line of the table. */
export async function measureAnswers(
  pages: readonly QuestionedPage[],
  understander: Understander,
  name: string,
): Promise<Row[]> {
  let [asked, answered, right, others, refused] = [0, 0, 0, 0, 0];
  for (const { title, markdown, answered: questions, unanswered } of pages) {
    const ask = async (question: string) => {
      const source = { url: 'https://page.example/', title, markdown };
      const signal = AbortSignal.timeout(LONGEST_CALL_MS);
      const { content, citations = {} } = await understander.make(
        source,
        [{ type: 'question', question }],
        ASKER,
        signal,
      );
      const cited = Object.values(citations).map(({ text }) => text);
      return { isAnswered: content.answer !== undefined && !NOT_STATED.test(String(content.answer)), cited };
    };
    for (const [question, truth] of questions) {
      const { isAnswered, cited } = await ask(question);
      asked += 1;
      if (isAnswered) answered += 1;
      if (isAnswered && cited.some((text) => text.includes(truth))) right += 1;
    }
    for (const question of unanswered) {
      others += 1;
      if (!(await ask(question)).isAnswered) refused += 1;
    }
  }
  const percent = (measure: string, count: number, all: number): Row => ({
    measure: `${name}: ${measure}`,
    value: (100 * count) / Math.max(1, all),
    unit: '%',
  });
  return [
    percent('questions answered', answered, asked),
    percent('answers that are right', right, answered),
    percent(`"not stated" where that is true (${others})`, refused, others),
  ];
}
