// A site to crawl: a front page, numbered lists of stories, and stories that link to each other. Every third story is
// so large and random that the store keeps it in a file.
import { page, type Site, send } from './reply.ts';
import { createDice, type Dice, headline, paragraph } from './words.ts';

const PER_LIST = 10;
/** Words of random letters compress badly: this many take over 64 KB even when compressed. */
const LONG_STORY_WORDS = 18_000;
const WORDS_A_PARAGRAPH = 200;

const listsOf = (stories: number): number => Math.ceil(stories / PER_LIST);
const listPath = (number: number): string => (number === 1 ? '/stories' : `/stories?page=${number}`);
const storyPath = (number: number): string => `/story/${number}`;
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const link = (path: string, text: string): string => `<a href="${path}">${text}</a>`;

const front = (): string => page('The archive', `<p>${link('/stories', 'All stories')}</p>`);

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

const writersOf = (stories: number): Map<string, () => string> =>
  new Map([
    ['/', front],
    ...numbers(1, listsOf(stories)).map((number) => [listPath(number), () => list(number, stories)] as const),
    ...numbers(1, stories).map((number) => [storyPath(number), () => story(number, stories)] as const),
  ]);

/** Paths of all pages, the front page first. */
export const archivePaths = (stories: number): string[] => [...writersOf(stories).keys()];

/** `ready` is awaited before each answer. */
export function archiveSite(stories: number, ready: () => Promise<void>): Site {
  const writers = writersOf(stories);
  const written = new Map<string, string>();
  return {
    '/*': async (exchange) => {
      await ready();
      const { path } = exchange;
      const content = written.get(path) ?? writers.get(path)?.();
      if (content === undefined) return send(exchange, page('Not in the archive'), { status: 404 });
      written.set(path, content);
      send(exchange, content);
    },
  };
}
