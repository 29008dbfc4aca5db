// How often the right sentence is among the best ones for a question, and how well answerable questions are told from
// others. With a folder: the questions of all files there in the format of SQuAD (`data[].paragraphs[].qas[]`).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerPassages, rankUnits } from '../../src/understand/passages/find-passages.ts';
import type { Row } from '../report.ts';
import type { QuestionedPage } from './questions/questioned-page.ts';

interface SquadFile {
  data: {
    title?: string;
    paragraphs: {
      context: string;
      qas: { question: string; answers: { text: string; answer_start?: number }[]; is_impossible?: boolean }[];
    }[];
  }[];
}

const AT = [1, 3, 5];

export function measurePassages(pages: readonly QuestionedPage[], name: string): Row[] {
  const paraphrased = pages.flatMap(({ paraphrased = [], ...page }) =>
    paraphrased.length > 0 ? [{ ...page, answered: paraphrased, unanswered: [] }] : [],
  );
  return [
    ...measureQuestions(pages, name),
    ...(paraphrased.length > 0 ? measureQuestions(paraphrased, `${name}, paraphrased`) : []),
  ];
}

function measureQuestions(pages: readonly QuestionedPage[], name: string): Row[] {
  const ranks: number[] = [];
  let [answered, right, refused, unanswered, characters] = [0, 0, 0, 0, 0];
  const before = process.cpuUsage();
  for (const { title, markdown, answered: questions, unanswered: others } of pages) {
    const answer = (question: string) =>
      answerPassages(markdown, { question, title }).spans.map(({ start, end }) => markdown.slice(start, end));
    for (const [question, truth] of questions) {
      const best = rankUnits(markdown, { question, title });
      ranks.push(best.findIndex(({ start, end }) => markdown.slice(start, end).includes(truth)));
      const given = answer(question);
      characters += markdown.length;
      if (given.length > 0) answered += 1;
      if (given.some((text) => text.includes(truth))) right += 1;
    }
    for (const question of others) {
      unanswered += 1;
      if (answer(question).length === 0) refused += 1;
    }
  }
  const { user, system } = process.cpuUsage(before);
  const percent = (measure: string, count: number, all: number): Row => ({
    measure: `${name}: ${measure}`,
    value: (100 * count) / Math.max(1, all),
    unit: '%',
  });
  return [
    ...AT.map((at) =>
      percent(`hit@${at} (${ranks.length})`, ranks.filter((rank) => rank >= 0 && rank < at).length, ranks.length),
    ),
    percent('questions answered', answered, ranks.length),
    percent('answers that are right', right, answered),
    ...(unanswered > 0 ? [percent(`"not stated" where that is true (${unanswered})`, refused, unanswered)] : []),
    {
      measure: `${name}: CPU per question`,
      value: (user + system) / 1000 / (ranks.length * 2 + unanswered),
      unit: 'ms',
    },
    { measure: `${name}: characters per page`, value: Math.round(characters / ranks.length), unit: '' },
  ];
}

export function readQuestions(folder: string): QuestionedPage[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  if (files.length === 0) throw new Error(`There is no question set (NAME.json in the format of SQuAD) in ${folder}.`);
  return files.flatMap((file) => {
    const { data } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as SquadFile;
    return data.flatMap(({ title = '', paragraphs }) =>
      paragraphs.map(({ context, qas }) => ({
        title,
        markdown: context,
        answered: qas.flatMap(({ question, answers }) => (answers[0] ? [[question, answers[0].text] as const] : [])),
        unanswered: qas.filter(({ is_impossible }) => is_impossible).map(({ question }) => question),
      })),
    );
  });
}
