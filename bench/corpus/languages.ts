// Invented languages with realistic word frequencies: a few dozen function words make up much of a text, the frequency of
// the rest follows the Zipf-Mandelbrot law, and new names and numbers never run out.
import { createDice, type Dice } from '../../test/support/web/words.ts';

export interface Language {
  /** Two letters, as in an index entry. */
  code: string;
  /** Number of stems. Rank 0 is the most common one. */
  stems: number;
  /** A word such as "the" or "and", drawn by frequency. */
  functionWord(dice: Dice): string;
  /** The rank of a stem, drawn by frequency. */
  rank(dice: Dice): number;
  /** The stem in one of its inflected forms. */
  word(rank: number, dice: Dice): string;
  stem(rank: number): string;
  /** A name that is on hardly any other page. */
  name(dice: Dice): string;
}

interface Sounds {
  code: string;
  stems: number;
  onsets: string;
  nuclei: string;
  codas: string;
  endings: string;
  functionWords: string;
}

// A part listed twice is drawn twice as often. `-` is the empty string.
const SOUNDS: Sounds[] = [
  {
    code: 'en',
    stems: 30_000,
    onsets: 'b b br c c ch cl d d dr f f fl g g gr h j k l l m m n n p p pl pr r r s s sh st t t th tr v w -',
    nuclei: 'a a a e e e i i i o o o u u ai ea ou',
    codas: '- - - - - - - - ck d g l ll m n n nd nt p r r rm rt s s st t t x',
    endings: 's ed s ing s er s ly ed ing s ment',
    functionWords:
      'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were her all she there would their we him been has when who will more no if out so said what up its about into than them can only other new some could time these two may then do first any my now such like our over man me even most made after also did many before must through',
  },
  {
    code: 'de',
    stems: 10_000,
    onsets: 'b br d dr f fl g gr h k kl kr l m n p pf r s sch sp st str t w z zw',
    nuclei: 'a a e e i o u ä ö ü au ei ie eu',
    codas: '- - - - - ch ck d ft g l l lt m n n nd ng r r rt s st t',
    endings: 'e en en er es ung e lich',
    functionWords:
      'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über so zum war haben nur oder aber vor zur bis',
  },
  {
    code: 'fr',
    stems: 10_000,
    onsets: 'b bl br c ch cl cr d f fr g gr j l m n p pl pr qu r s t tr v',
    nuclei: 'a a e e i o u é è ou au oi ai',
    codas: '- - - c l m n nt r rt s t x',
    endings: 's e s es s er s ment',
    functionWords:
      'de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son mais comme on ou si leur y être deux aux cette été même aussi tout nous sa',
  },
  {
    code: 'es',
    stems: 10_000,
    onsets: 'b br c cl cr d f g gr h j l ll m n p pl pr qu r s t tr v',
    nuclei: 'a a e e i o o u ia ie ue á ó',
    codas: '- - - - l n r s z',
    endings: 'o a os as ar ado o ción',
    functionWords:
      'de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta',
  },
  {
    code: 'ru',
    stems: 10_000,
    onsets: 'б бр в г гр д др ж з к кр л м н п пл пр р с ск сл ст т тр ф х ц ч ш',
    nuclei: 'а а е и о о у ы я ю',
    codas: '- - - в д к л м н р с ст т',
    endings: 'а ы у ом ов ый ого ость',
    functionWords:
      'и в не на что он с как это по но они к у из мы за вы же от было так для о её при или если бы под до когда уже только ещё можно был быть после',
  },
];

// The frequency curve over ranks: how steeply it falls, and how flat it starts.
const STEEPNESS = 1.15;
const FLATNESS = 20;
const FUNCTION_WORD_FLATNESS = 1.5;
const CHANCES = 2 ** 32;
const ENDINGS_PER_STEM = 2;

export function createLanguages(): Language[] {
  return SOUNDS.map((sounds, n) => createLanguage(sounds, n + 1));
}

function createLanguage(
  { code, stems: count, functionWords: functionWordList, endings, ...parts }: Sounds,
  seed: number,
): Language {
  const sounds = { onsets: listOf(parts.onsets), nuclei: listOf(parts.nuclei), codas: listOf(parts.codas) };
  const stems = makeStems(count, sounds, createDice(seed));
  const suffixes = listOf(endings);
  const functionWords = listOf(functionWordList);
  const functionWordRank = createZipf(functionWords.length, FUNCTION_WORD_FLATNESS, 1);
  // All pages share the string of a form, to save memory.
  const inflected = new Array<string | undefined>(count * ENDINGS_PER_STEM);
  return {
    code,
    stems: count,
    functionWord: (dice) => functionWords[functionWordRank(dice)]!,
    rank: createZipf(count, FLATNESS, STEEPNESS),
    stem: (rank) => stems[rank]!,
    word(rank, dice) {
      if (dice.roll(2) === 0) return stems[rank]!;
      const form = rank * ENDINGS_PER_STEM + dice.roll(ENDINGS_PER_STEM);
      inflected[form] ??= stems[rank]! + suffixes[form % suffixes.length]!;
      return inflected[form];
    },
    name: (dice) => capital(syllable(sounds, dice) + syllable(sounds, dice) + syllable(sounds, dice)),
  };
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const listOf = (text: string): string[] => text.split(' ').map((part) => (part === '-' ? '' : part));

type Parts = Record<'onsets' | 'nuclei' | 'codas', string[]>;

const syllable = ({ onsets, nuclei, codas }: Parts, dice: Dice): string =>
  dice.pick(onsets) + dice.pick(nuclei) + dice.pick(codas);

/** Distinct stems; common ones are short. */
function makeStems(count: number, sounds: Parts, dice: Dice): string[] {
  const stems = new Set<string>();
  while (stems.size < count) {
    const syllables = (stems.size < count / 25 ? 1 : 2) + dice.roll(2);
    let stem = '';
    for (let n = 0; n < syllables; n += 1) stem += syllable(sounds, dice);
    if (stem.length > 2) stems.add(stem);
  }
  return [...stems];
}

/** Draws a rank below `size` with probability proportional to 1 / (rank + flatness) ^ steepness, by Walker's alias method. */
export function createZipf(size: number, flatness: number, steepness: number): (dice: Dice) => number {
  const weights = Float64Array.from({ length: size }, (_, rank) => (rank + flatness) ** -steepness);
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / size;
  const shares = weights.map((weight) => weight / mean);
  const aliases = new Int32Array(size);
  const below = [...shares.keys()].filter((rank) => shares[rank]! < 1);
  const above = [...shares.keys()].filter((rank) => shares[rank]! >= 1);
  while (below.length > 0 && above.length > 0) {
    const receiver = below.pop()!;
    const donor = above.at(-1)!;
    aliases[receiver] = donor;
    shares[donor]! -= 1 - shares[receiver]!;
    if (shares[donor]! < 1) below.push(above.pop()!);
  }
  // Rounding errors leave some without an alias; their share is 1.
  for (const rank of [...below, ...above]) shares[rank] = 1;
  return (dice) => {
    const rank = dice.roll(size);
    return dice.roll(CHANCES) < shares[rank]! * CHANCES ? rank : aliases[rank]!;
  };
}
