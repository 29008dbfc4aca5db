// Which of several numbers of a text is meant: the price now or before, the votes or the stars.
import { type PriceRole, readPriceRoles } from '../../../text/prices/price-roles.ts';

const MAX_TEXT = 300;

/** The amount that must be paid now, or the one before a reduction; undefined if the text has only others, such as savings. */
export function chooseAmount(text: string, wantsFormer: boolean): string | undefined {
  const prices = readPriceRoles({ text: text.slice(0, MAX_TEXT) });
  const first = (role: PriceRole) => prices.find((price) => price.role === role)?.formatted;
  // An element or a label may have said already that it is the old price.
  return (wantsFormer ? first('former') : undefined) ?? first('current') ?? first('unit');
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
