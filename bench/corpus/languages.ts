// Made-up languages whose words are spread as those of real texts are: a few dozen small words make up much of it, the
// rest falls off as Zipf and Mandelbrot found, and names and numbers never come to an end.
import { createDice, type Dice } from '../../test/support/web/words.ts';

export interface Language {
  /** Two letters, as in an entry. */
  code: string;
  /** How many stems there are; the first are the most common. */
  stems: number;
  /** One of the words that hold sentences together. */
  functionWord(dice: Dice): string;
  /** The rank of a stem, as often as stems of that rank are met. */
  rank(dice: Dice): number;
  /** That stem in one of its forms. */
  word(rank: number, dice: Dice): string;
  stem(rank: number): string;
  /** A name that hardly any other page has. */
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

// What stands twice comes up twice as often; `-` is nothing.
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

// The curve of ranks: how steep it falls, and how flat it begins.
const STEEPNESS = 1.15;
const FLATNESS = 20;
const SMALL_FLATNESS = 1.5;
const CHANCES = 2 ** 32;
const ENDINGS_A_STEM = 2;

export function createLanguages(): Language[] {
  return SOUNDS.map((sounds, n) => createLanguage(sounds, n + 1));
}

function createLanguage(
  { code, stems: count, functionWords: small, endings, ...parts }: Sounds,
  seed: number,
): Language {
  const sounds = { onsets: listOf(parts.onsets), nuclei: listOf(parts.nuclei), codas: listOf(parts.codas) };
  const stems = makeStems(count, sounds, createDice(seed));
  const forms = listOf(endings);
  const smallWords = listOf(small);
  const smallRank = createZipf(smallWords.length, SMALL_FLATNESS, 1);
  // Each form is one string, however many pages have it.
  const made = new Array<string | undefined>(count * ENDINGS_A_STEM);
  return {
    code,
    stems: count,
    functionWord: (dice) => smallWords[smallRank(dice)]!,
    rank: createZipf(count, FLATNESS, STEEPNESS),
    stem: (rank) => stems[rank]!,
    word(rank, dice) {
      if (dice.roll(2) === 0) return stems[rank]!;
      const place = rank * ENDINGS_A_STEM + dice.roll(ENDINGS_A_STEM);
      made[place] ??= stems[rank]! + forms[place % forms.length]!;
      return made[place];
    },
    name: (dice) => capital(syllable(sounds, dice) + syllable(sounds, dice) + syllable(sounds, dice)),
  };
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const listOf = (text: string): string[] => text.split(' ').map((part) => (part === '-' ? '' : part));

type Parts = Record<'onsets' | 'nuclei' | 'codas', string[]>;

const syllable = ({ onsets, nuclei, codas }: Parts, dice: Dice): string =>
  dice.pick(onsets) + dice.pick(nuclei) + dice.pick(codas);

/** All different; the common ones are short. */
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

/** Draws 0 to size - 1, the first the most often: chances fall as 1 / (rank + flatness) ^ steepness (Walker's alias method). */
export function createZipf(size: number, flatness: number, steepness: number): (dice: Dice) => number {
  const weights = Float64Array.from({ length: size }, (_, rank) => (rank + flatness) ** -steepness);
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / size;
  const shares = weights.map((weight) => weight / mean);
  const others = new Int32Array(size);
  const poor = [...shares.keys()].filter((rank) => shares[rank]! < 1);
  const rich = [...shares.keys()].filter((rank) => shares[rank]! >= 1);
  while (poor.length > 0 && rich.length > 0) {
    const taker = poor.pop()!;
    const giver = rich.at(-1)!;
    others[taker] = giver;
    shares[giver]! -= 1 - shares[taker]!;
    if (shares[giver]! < 1) poor.push(rich.pop()!);
  }
  // What rounding left over is whole.
  for (const rank of [...poor, ...rich]) shares[rank] = 1;
  return (dice) => {
    const rank = dice.roll(size);
    return dice.roll(CHANCES) < shares[rank]! * CHANCES ? rank : others[rank]!;
  };
}
