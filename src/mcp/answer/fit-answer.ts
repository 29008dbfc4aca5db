// Fits an answer into the budget of its client: what is left out is said in `warning`, with the place of the rest.
import type { ResourceLink, ToolAnswer } from '../tool.ts';
import { cutText } from './cut-text.ts';
import { type Shortened, shorten } from './shorten.ts';

/** Kept free for the warning, of which one that the service gave has a part. */
const WARNING_ROOM = 1_200;
const GIVEN_WARNING_ROOM = 500;
const WARNING_NAME = ',"warning":'.length;
/** An empty object. */
const LEAST_ROOM = 2;
/** Lists and members that the warning names. */
const MAX_NAMED = 3;
const MAX_NAME = 60;

interface FitOptions<T> {
  maxAnswer: number;
  /** Leaves out what matters least, before the rest is shortened. */
  essentials?(answer: T): T;
  /** Where the rest is. It is only asked if something is left out. */
  linksTo?(shortened: Shortened<T>): readonly ResourceLink[];
  /** How to ask for less, as a sentence. */
  advice?: string;
}

type Answer = Record<string, unknown> & { warning?: unknown };

export function fitAnswer<T extends Answer>(answer: T, options: FitOptions<T>): ToolAnswer {
  const { maxAnswer, essentials = (all) => all, linksTo, advice } = options;
  if (JSON.stringify(answer).length <= maxAnswer) return { structured: answer };
  const { warning, ...rest } = essentials(answer);
  const shortened = shorten(rest, Math.max(LEAST_ROOM, maxAnswer - WARNING_ROOM)) as unknown as Shortened<T>;
  const links = linksTo?.(shortened) ?? [];
  const sentences = [
    typeof warning === 'string' ? within(warning, GIVEN_WARNING_ROOM) : undefined,
    describeLosses(shortened),
    links[0] &&
      `Read the rest as the resource ${links[0].uri}${links.length > 1 ? ' and the others that are linked' : ''}.`,
    advice,
  ];
  const said = sentences.filter((sentence) => sentence !== undefined).join(' ');
  return { structured: { ...shortened.value, warning: within(said, WARNING_ROOM - WARNING_NAME) }, links };
}

const within = (text: string, room: number): string =>
  JSON.stringify(text).length <= room ? text : (cutText(text, room)?.text ?? '');

function describeLosses({ lists, texts, dropped }: Shortened<unknown>): string {
  const parts = [
    ...lists.slice(0, MAX_NAMED).map(({ path, shown, total }) => `${nameOf(path)} has ${shown} of ${total} entries`),
    ...(texts.length === 1
      ? [`${nameOf(texts[0]!.path)} has ${texts[0]!.shown} of ${texts[0]!.total} characters`]
      : []),
    ...(texts.length > 1 ? [`${texts.length} texts are cut`] : []),
    ...(dropped.length > 0 ? [`${dropped.slice(0, MAX_NAMED).map(nameOf).join(', ')} did not fit`] : []),
  ];
  return `This answer was shortened: ${parts.join('; ')}.`;
}

/** As it is written in code: `.data[3].markdown` becomes `data[3].markdown`. Names may be those of a hostile page. */
const nameOf = (path: string): string => `\`${path.replace(/^\./, '').slice(0, MAX_NAME)}\``;
