// Names of persons without a model: after titles, by lists of given names and surnames, and (with low scores, for mode
// `aggressive`) as runs of capitalised words.
import { stopWordLanguages } from '../../text/words/stop-words.ts';
import type { Finding } from '../finding.ts';
import { personNames } from '../gazetteers.ts';
import { type Word, wordsOf } from '../words.ts';
import { canBeginName, canStandInName } from './name-words.ts';

const TITLES = new Set(
  'Mr Mrs Ms Miss Mx Dr Prof Professor Sir Lady Lord Rev Herr Herrn Frau Hr Fr Dipl-Ing Monsieur Madame Mademoiselle Mme Mlle Me Maître Señor Señora Señorita Sr Sra Srta Don Doña Signor Signora Signore Sig Dott Dottssa Avv Ing Mevrouw Meneer Mevr Mw Dhr Drs'.split(
    ' ',
  ),
);
/** Capitalised words that follow a given name without being a surname. */
const NOT_SURNAMES =
  /^(?:Street|Road|Avenue|Park|School|University|Hospital|Church|Day|Inc|Ltd|LLC|GmbH|AG|SA|BV|Airport|Station|Museum|Hotel|Straße|Platz|Schule|Group|Company|Foundation|Award|Show|January|February|March|April|May|June|July|August|September|October|November|December)$/;
/** "Author: ", "Dear ", or a byline at the beginning of a line. */
const CUE_BEFORE =
  /(?:(?:^|\n)[#>*_\s]{0,6}(?:by|von|par|por|di|door)|(?<!\p{L})(?:dear|hi|hello|hallo|hoi|liebe[r]?|bonjour|hola|ciao|beste|cheers|regards|gruß|cordialement|saludos?|saluti|groet(?:en)?|contact(?: person)?|contactpersoon|interlocut(?:eur|rice)|author|autor(?:in)?|auteur|autore|name|nom|nombre|nome|naam|client|kunde|cliente|klant|ansprechpartner(?:in)?|geschäftsführer(?:in)?|inhaber(?:in)?|titular|titolare|responsable|responsabile|verantwortlich|éditeur|photographs?|director|manager|bill to|aan|chiedere di|vraag naar))[ ]?[:,©]{0,1}[ \n]{0,2}[*_]{0,2}$/iu;
/** Persons speak and write. */
const CUE_AFTER =
  /^[*_]{0,2},? (?:said|says|wrote|writes|told|added|explained|sagte?|schrieb|schreibt|erklärte?|dit|déclare|explique|écrit|a écrit|dice|dijo|escribió|afirma|explica|ha scritto|spiega|racconta|schreef|zegt|vertelt)(?!\p{L})/u;
const CUE_REACH = 40;
const MAX_NAME_WORDS = 5;
const NO_CAPITAL_RUNS = new Set(['de']);

export function findPersons(text: string, language: string): Finding[] {
  const words = wordsOf(text);
  const found: Finding[] = [];
  for (let at = 0; at < words.length; at++) {
    const name = nameAt(words, at, text, language);
    if (!name) continue;
    const { last, score, rule } = name;
    found.push({ start: words[name.first]!.start, end: words[last]!.end, entity: 'PERSON', rule, score });
    at = last;
  }
  return found;
}

interface Name {
  first: number;
  last: number;
  score: number;
  rule: string;
}

function nameAt(words: readonly Word[], at: number, text: string, language: string): Name | undefined {
  const word = words[at]!;
  if (!word.isCapital) return undefined;
  if (TITLES.has(word.text)) return afterTitle(words, at);
  const { given, surnames, ambiguous } = personNames();
  const last = endOfRun(words, at);
  if (given.has(firstPart(word.text)) && last > at) {
    const isKnownSurname = surnames.has(words[last]!.text) || surnames.has(words[at + 1]!.text);
    const isDoubtful = ambiguous.has(word.text);
    const score = isKnownSurname ? (isDoubtful ? 0.6 : 0.85) : isDoubtful ? 0.4 : 0.65;
    return { first: at, last, score, rule: 'given-name' };
  }
  if (given.has(word.text) && !ambiguous.has(word.text))
    return { first: at, last: at, score: 0.35, rule: 'given-name' };
  if (last > at && last - at < 4 && hasCue(text, word.start, words[last]!.end)) {
    return { first: at, last, score: 0.6, rule: 'name-cue' };
  }
  const isRun = last > at && last - at < 3 && !NO_CAPITAL_RUNS.has(language) && isInsideSentence(text, word.start);
  return isRun ? { first: at, last, score: 0.3, rule: 'capital-run' } : undefined;
}

const hasCue = (text: string, start: number, end: number): boolean =>
  CUE_BEFORE.test(text.slice(Math.max(0, start - CUE_REACH), start)) ||
  CUE_AFTER.test(text.slice(end, end + CUE_REACH));

/** Jean of Jean-Pierre. */
const firstPart = (word: string): string => word.split('-', 1)[0]!;

/** A word before it in lower case shows that capitals mean something here: neither a heading nor a sentence's beginning. */
const isInsideSentence = (text: string, start: number): boolean =>
  /\p{Ll},? $/u.test(text.slice(Math.max(0, start - 4), start));

function afterTitle(words: readonly Word[], at: number): Name | undefined {
  let first = at + 1;
  while (TITLES.has(words[first]?.text ?? '') && words[first]!.isNext) first++;
  if (words[first] === undefined || !words[first]!.isNext) return undefined;
  const canStart = words[first]!.isCapital || canBeginName(words[first]!.text);
  if (!canStart || isCommon(words[first]!)) return undefined;
  const last = endOfRun(words, first);
  return words[last]!.isCapital && words[last]!.text.length > 1
    ? { first, last, score: 0.8, rule: 'title' }
    : undefined;
}

/** The last capitalised word of a name that starts here; particles and initials may stand between. */
function endOfRun(words: readonly Word[], first: number): number {
  let last = first;
  for (let at = first + 1; at < Math.min(words.length, first + MAX_NAME_WORDS); at++) {
    const word = words[at]!;
    if (!word.isNext) break;
    // `Laura Gómez y Juan Martínez` are two.
    if (beginsAnother(words[at - 1]!, word)) break;
    if (word.isCapital && !isCommon(word)) last = at;
    else if (!canStandInName(word.text)) break;
  }
  return last;
}

const beginsAnother = (before: Word, word: Word): boolean =>
  canStandInName(before.text) && !canBeginName(before.text) && personNames().given.has(firstPart(word.text));

/** The, Und, Les with a capital begin a sentence or stand in a heading. */
const isCommon = (word: Word): boolean =>
  NOT_SURNAMES.test(word.text) ||
  (word.isCapital && word.text.length > 1 && stopWordLanguages(word.text.toLowerCase()).length > 0);
