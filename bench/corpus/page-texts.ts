// What the pages of the made-up web say: sentences about a subject, whose words come up together and again and again.
import { createDice, type Dice } from '../../test/support/web/words.ts';
import { capital, createLanguages, createZipf, type Language } from './languages.ts';

/** What a host writes about, and in which language. */
export interface Topic {
  language: Language;
  /** Ranks of the words that belong to it. */
  words: Int32Array;
  /** Words that stand together whenever they are used. */
  phrases: string[];
}

export interface Texts {
  english: Language;
  topic(host: number, which: number): Topic;
  title(subject: Topic, dice: Dice): string;
  slug(dice: Dice): string;
  sentence(subject: Topic, dice: Dice): string;
  content(subject: Topic, dice: Dice): { body: string; headings: string };
}

const SUBJECTS = 240;
const SUBJECT_WORDS = 400;
const PHRASES = 60;
/** Of a hundred subjects, those in the languages in their order. */
const SHARES = [86, 91, 95, 98, 100];
const WORDS_A_PAGE = 400;
const THEME_WORDS = 6;

// Of a thousand words, up to these: what holds sentences together, the subject's own, a phrase of it, what this page is
// about, a number, a name; the rest is any word.
const SMALL = 400;
const OWN = 600;
const PHRASE = 620;
const THEME = 670;
const NUMBER = 680;
const NAME = 683;

export function createTexts(): Texts {
  const tongues = createLanguages();
  const [english] = tongues;
  const ownRank = createZipf(SUBJECT_WORDS, 10, 1);
  const subjects = Array.from({ length: SUBJECTS }, (_, n) => createSubject(tongues, n));

  const subjectWord = ({ language: tongue, words }: Topic, dice: Dice) => tongue.word(words[ownRank(dice)]!, dice);
  const someWord = (subject: Topic, theme: readonly string[], dice: Dice): string => {
    const { language: tongue } = subject;
    const chance = dice.roll(1000);
    if (chance < SMALL) return tongue.functionWord(dice);
    if (chance < OWN) return subjectWord(subject, dice);
    if (chance < PHRASE) return dice.pick(subject.phrases);
    if (chance < THEME) return dice.pick(theme);
    if (chance < NUMBER) return String(dice.roll(dice.pick([10, 100, 3000])));
    if (chance < NAME) return tongue.name(dice);
    return tongue.word(tongue.rank(dice), dice);
  };
  const write = (subject: Topic, theme: readonly string[], length: number, dice: Dice): string => {
    let text = capital(someWord(subject, theme, dice));
    for (let n = 1; n < length; n += 1) text += (dice.roll(12) === 0 ? ', ' : ' ') + someWord(subject, theme, dice);
    return `${text}.`;
  };
  const title = (subject: Topic, dice: Dice) => {
    const words = Array.from({ length: 2 + dice.roll(4) }, () => subjectWord(subject, dice));
    if (words.length > 3) words[2] = subject.language.functionWord(dice);
    return capital(words.join(' '));
  };

  return {
    english: english!,
    topic(host, which) {
      // Hosts write about one thing mostly, and in one language always.
      const first = (host * 37) % SUBJECTS;
      const other = (first + which) % SUBJECTS;
      return subjects[other]!.language === subjects[first]!.language ? subjects[other]! : subjects[first]!;
    },
    title,
    slug: (dice) => english!.word(english!.rank(dice), dice),
    sentence: (subject, dice) => write(subject, subject.phrases, 8 + dice.roll(12), dice),
    content(subject, dice) {
      const theme = Array.from({ length: THEME_WORDS }, () => rareWord(subject.language, dice));
      const lines: string[] = [];
      const headings: string[] = [];
      const wanted = WORDS_A_PAGE / 4 + dice.roll((WORDS_A_PAGE * 3) / 2);
      for (let words = 0; words < wanted; ) {
        if (dice.roll(3) === 0) {
          headings.push(title(subject, dice));
          lines.push(headings.at(-1)!);
        }
        const sentences: string[] = [];
        for (let n = 2 + dice.roll(4); n > 0 && words < wanted; n -= 1) {
          const length = 6 + dice.roll(20);
          sentences.push(write(subject, theme, length, dice));
          words += length;
        }
        lines.push(sentences.join(' '));
      }
      return { body: lines.join('\n'), headings: headings.join('\n') };
    },
  };
}

/** Rarer than most, but seldom among the rarest. */
const rareWord = (tongue: Language, dice: Dice): string =>
  tongue.word(Math.min(dice.roll(tongue.stems), dice.roll(tongue.stems), dice.roll(tongue.stems)), dice);

function createSubject(tongues: readonly Language[], number: number): Topic {
  const dice = createDice(number + 1_000);
  const share = (number * 61) % 100;
  const tongue = tongues[SHARES.findIndex((upTo) => share < upTo)]!;
  const words = Int32Array.from({ length: SUBJECT_WORDS }, () => tongue.rank(dice));
  const word = () => tongue.word(words[dice.roll(SUBJECT_WORDS)]!, dice);
  const phrases = Array.from({ length: PHRASES }, () => Array.from({ length: 2 + dice.roll(2) }, word).join(' '));
  return { language: tongue, words, phrases };
}
