// The texts of the generated web: sentences about a topic, whose words occur together and often.
import { createDice, type Dice } from '../../test/support/web/words.ts';
import { capital, createLanguages, createZipf, type Language } from './languages.ts';

/** What a host writes about, and in which language. */
export interface Topic {
  language: Language;
  /** Ranks of its words in the language. */
  words: Int32Array;
  /** Words that only occur together. */
  phrases: string[];
}

export interface Texts {
  english: Language;
  topic(host: number, which: number): Topic;
  title(topic: Topic, dice: Dice): string;
  slug(dice: Dice): string;
  sentence(topic: Topic, dice: Dice): string;
  content(topic: Topic, dice: Dice): { body: string; headings: string };
}

const TOPICS = 240;
const TOPIC_WORDS = 400;
const PHRASES = 60;
/** Cumulative percentage of topics in each language, in the order of the languages. */
const LANGUAGE_SHARES = [86, 91, 95, 98, 100];
const WORDS_PER_PAGE = 400;
const THEME_WORDS = 6;

// Cumulative chances in thousandths: a function word, a word or a phrase of the topic, a word of the page's theme, a number,
// a name. The rest are words of any rank.
const FUNCTION_WORD = 400;
const TOPIC_WORD = 600;
const PHRASE = 620;
const THEME = 670;
const NUMBER = 680;
const NAME = 683;

export function createTexts(): Texts {
  const languages = createLanguages();
  const [english] = languages;
  const topicRank = createZipf(TOPIC_WORDS, 10, 1);
  const topics = Array.from({ length: TOPICS }, (_, n) => createTopic(languages, n));

  const topicWord = ({ language, words }: Topic, dice: Dice) => language.word(words[topicRank(dice)]!, dice);
  const someWord = (topic: Topic, theme: readonly string[], dice: Dice): string => {
    const { language } = topic;
    const chance = dice.roll(1000);
    if (chance < FUNCTION_WORD) return language.functionWord(dice);
    if (chance < TOPIC_WORD) return topicWord(topic, dice);
    if (chance < PHRASE) return dice.pick(topic.phrases);
    if (chance < THEME) return dice.pick(theme);
    if (chance < NUMBER) return String(dice.roll(dice.pick([10, 100, 3000])));
    if (chance < NAME) return language.name(dice);
    return language.word(language.rank(dice), dice);
  };
  const write = (topic: Topic, theme: readonly string[], length: number, dice: Dice): string => {
    let text = capital(someWord(topic, theme, dice));
    for (let n = 1; n < length; n += 1) text += (dice.roll(12) === 0 ? ', ' : ' ') + someWord(topic, theme, dice);
    return `${text}.`;
  };
  const title = (topic: Topic, dice: Dice) => {
    const words = Array.from({ length: 2 + dice.roll(4) }, () => topicWord(topic, dice));
    if (words.length > 3) words[2] = topic.language.functionWord(dice);
    return capital(words.join(' '));
  };

  return {
    english: english!,
    topic(host, which) {
      // A host has one main topic and always one language.
      const first = (host * 37) % TOPICS;
      const other = (first + which) % TOPICS;
      return topics[other]!.language === topics[first]!.language ? topics[other]! : topics[first]!;
    },
    title,
    slug: (dice) => english!.word(english!.rank(dice), dice),
    sentence: (topic, dice) => write(topic, topic.phrases, 8 + dice.roll(12), dice),
    content(topic, dice) {
      const theme = Array.from({ length: THEME_WORDS }, () => rareWord(topic.language, dice));
      const lines: string[] = [];
      const headings: string[] = [];
      const wanted = WORDS_PER_PAGE / 4 + dice.roll((WORDS_PER_PAGE * 3) / 2);
      for (let words = 0; words < wanted; ) {
        if (dice.roll(3) === 0) {
          headings.push(title(topic, dice));
          lines.push(headings.at(-1)!);
        }
        const sentences: string[] = [];
        for (let n = 2 + dice.roll(4); n > 0 && words < wanted; n -= 1) {
          const length = 6 + dice.roll(20);
          sentences.push(write(topic, theme, length, dice));
          words += length;
        }
        lines.push(sentences.join(' '));
      }
      return { body: lines.join('\n'), headings: headings.join('\n') };
    },
  };
}

/** Rarer than most, but seldom among the rarest. */
const rareWord = (language: Language, dice: Dice): string =>
  language.word(Math.min(dice.roll(language.stems), dice.roll(language.stems), dice.roll(language.stems)), dice);

function createTopic(languages: readonly Language[], number: number): Topic {
  const dice = createDice(number + 1_000);
  const share = (number * 61) % 100;
  const language = languages[LANGUAGE_SHARES.findIndex((upTo) => share < upTo)]!;
  const words = Int32Array.from({ length: TOPIC_WORDS }, () => language.rank(dice));
  const word = () => language.word(words[dice.roll(TOPIC_WORDS)]!, dice);
  const phrases = Array.from({ length: PHRASES }, () => Array.from({ length: 2 + dice.roll(2) }, word).join(' '));
  return { language, words, phrases };
}
