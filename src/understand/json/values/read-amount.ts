// Which of several numbers of a text is meant: the price now or before, the votes or the stars.
import { findAmount } from './read-number.ts';

const MAX_TEXT = 300;
const MAX_AMOUNTS = 6;
const BEFORE =
  /(?:\bwas|original|regular|\blist|instead|\brrp|msrp|\bold|previous|compare|retail|statt|uvp|bisher|vorher|zuvor|alter|ancien|barré|au\slieu|avant|antes|anterior|originale?|invece|prima|\bwas|van|adviesprijs)[^\d]{0,25}$/iu;
const SAVED =
  /(?:save|saving|spar\w*|rabatt|remise|économi\w*|ahorr\w*|risparmi\w*|off|discount|shipping|versand|livraison|envío)[^\d]{0,20}$/iu;
const PER_UNIT = /^\s*(?:\/|per|pro|je|por|al|au)\s*(?:\d|kg|l|liter|litre|m²|100|kilo|unit|stück)/iu;

/** The amount that must be paid now, or the one before a reduction. */
export function chooseAmount(text: string, wantsFormer: boolean): string | undefined {
  const short = text.slice(0, MAX_TEXT);
  let from = 0;
  let first: string | undefined;
  let other: string | undefined;
  for (let count = 0; count < MAX_AMOUNTS; count++) {
    const amount = findAmount(short.slice(from));
    if (amount === undefined) break;
    const at = short.indexOf(amount, from);
    const before = short.slice(Math.max(0, at - 60), at);
    const isFormer = BEFORE.test(before.replace(/^.*[\d]/su, ''));
    const isOther = SAVED.test(before.replace(/^.*[\d]/su, '')) || PER_UNIT.test(short.slice(at + amount.length));
    from = at + amount.length;
    if (isFormer === wantsFormer && !isOther) return amount;
    if (isOther) other ??= amount;
    else first ??= amount;
  }
  return first ?? other;
}

const COUNTED =
  /(\d[\d.,'’\u00a0\u202f]*k?)\+?\s*(?:\p{L}+\s){0,2}(?:reviews?|ratings?|votes?|comments?|replies|answers?|opinions?|bewertung(?:en)?|rezension(?:en)?|stimmen|kommentare?|antworten|meinungen|avis|votes|commentaires?|réponses?|opiniones|opini[oó]n|reseñas?|valoraciones|votos|comentarios?|respuestas?|recensioni|voti|commenti|beoordelingen|reviews|stemmen|reacties|anmeldelser|omdömen)/iu;
const BARE = /^\(?\s*\d[\d.,'’\u00a0\u202f ]*k?\+?\s*\)?(?:\s*\p{L}+){0,3}$/iu;
const NO_COUNT = /^\(?\d{1,2}[.,]\d{1,2}(?!\d)|\/\s?(?:5|10)\b|(?:out\sof|von|sur|su|de|van)\s(?:5|10)\b|[★☆]/iu;

/** The part of a text that counts opinions; undefined if its numbers are something else. */
export function countedPart(text: string): string | undefined {
  const short = text.slice(0, MAX_TEXT);
  const counted = COUNTED.exec(short)?.[1];
  if (counted !== undefined) return counted;
  return BARE.test(short.trim()) && !NO_COUNT.test(short.trim()) ? short : undefined;
}

const SCORE =
  /(\d{1,2}(?:[.,]\d{1,2})?)\s*(?:\/|out\sof|von|sur|su|van|de|av|of)\s*(5|10|100)(?![\d.,])|(\d(?:[.,]\d{1,2})?)\s*(?:★|⭐|stars?\b|sterne?n?\b|étoiles?\b|estrellas?\b|stelle\b)/iu;

const SCORE_WORDS =
  /star|stern|rated|rating|bewert|\bnote\b|[★☆⭐]|score|étoile|estrella|stelle|puntu|valora|voto|waarder/iu;

/** "4.5 out of 5", "4,5 von 5 Sternen", "4.5 ★". */
export function findScore(text: string): string | undefined {
  const short = text.slice(0, MAX_TEXT);
  const match = SCORE.exec(short);
  // "1 / 5" alone counts pictures or pages.
  const isScale = match?.[1] !== undefined && (/[.,]/.test(match[1]) || SCORE_WORDS.test(short));
  return isScale ? match[1] : match?.[3];
}
