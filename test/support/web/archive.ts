// archive.test: sixty pages to crawl. A front page, numbered lists of stories, and stories that lead to each other; every
// third story is so long and so random that a store has to keep it in files of its own.
import { page, reply, type Site, send } from './reply.ts';
import { createDice, type Dice, headline, paragraph } from './words.ts';

const STORIES = 53;
const PER_LIST = 10;
/** Words of made-up letters hardly shrink: this many of them have over 64 KB even when compressed. */
const LONG_STORY_WORDS = 18_000;
const WORDS_A_PARAGRAPH = 200;

const listsOf = (stories: number): number => Math.ceil(stories / PER_LIST);
const listPath = (number: number): string => (number === 1 ? '/stories' : `/stories?page=${number}`);
const storyPath = (number: number): string => `/story/${number}`;
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** The paths of all pages of the archive, its front page first. */
export const archivePaths = (stories = STORIES): string[] => [
  '/',
  ...numbers(1, listsOf(stories)).map(listPath),
  ...numbers(1, stories).map(storyPath),
];

const link = (path: string, text: string) => `<a href="${path}">${text}</a>`;

function list(number: number, stories: number): string {
  const first = (number - 1) * PER_LIST + 1;
  const items = numbers(first, Math.min(stories, first + PER_LIST - 1)).map(
    (story) => `<li>${link(storyPath(story), headline(createDice(story)))}</li>`,
  );
  const next = number < listsOf(stories) ? `<a rel="next" href="${listPath(number + 1)}">Older stories</a>` : '';
  return page(`Stories, part ${number}`, `<ul>${items.join('')}</ul><nav>${next}</nav>`);
}

const randomWord = (dice: Dice) => dice.roll(36 ** 6).toString(36);

const randomParagraph = (dice: Dice) =>
  `<p>${Array.from({ length: WORDS_A_PARAGRAPH }, () => randomWord(dice)).join(' ')}</p>`;

function story(number: number, stories: number): string {
  const dice = createDice(number);
  const title = headline(dice);
  const long = number % 3 === 0 ? LONG_STORY_WORDS / WORDS_A_PARAGRAPH : 0;
  const paragraphs = [
    ...Array.from({ length: 3 }, () => `<p>${randomWord(dice)} ${paragraph(dice)}</p>`),
    ...Array.from({ length: long }, () => randomParagraph(dice)),
  ];
  const others = [1 + (number % stories), 1 + dice.roll(stories)].map((other) => link(storyPath(other), 'Read on'));
  return page(title, `${paragraphs.join('\n')}<p>${others.join(' ')} ${link('/stories', 'All stories')}</p>`);
}

export function archiveSite(stories: number): Site {
  const made = new Map<number, string>();
  const storyOf = (number: number) => {
    const content = made.get(number) ?? story(number, stories);
    made.set(number, content);
    return content;
  };
  const isOne = (number: number, last: number) => Number.isInteger(number) && number >= 1 && number <= last;
  const absent = page('Not in the archive');
  return {
    '/': reply(page('The archive', `<p>${link('/stories', 'All stories')}</p>`)),
    '/stories': (exchange) => {
      const number = Number(exchange.query.get('page') ?? 1);
      if (isOne(number, listsOf(stories))) send(exchange, list(number, stories));
      else send(exchange, absent, { status: 404 });
    },
    '/story/*': (exchange) => {
      const number = Number(exchange.tail);
      if (isOne(number, stories)) send(exchange, storyOf(number));
      else send(exchange, absent, { status: 404 });
    },
  };
}

export const archive: Record<string, Site> = { 'archive.test': archiveSite(STORIES) };
