// Tells whether a line only lets the reader choose a language: "Deutsch · English · Français".
import { lazy } from '../../../util/lazy.ts';

const CODES =
  'ar bg ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu id is it ja ko lt lv ms nb nl no pl pt ro ru sk sl sr sv th tr uk vi zh'.split(
    ' ',
  );
/** Languages as they are called in themselves: a text about languages uses the names of its own language. */
const ownNames = lazy(
  () => new Set(CODES.map((code) => new Intl.DisplayNames([code], { type: 'language' }).of(code)?.toLowerCase())),
);
const LABEL = /^(?:in other languages|other languages|andere sprachen|autres langues|otros idiomas)[: ]{1,3}/i;
const MAX_LENGTH = 300;

export function isLanguageChoice(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const names = text.replace(LABEL, '').split(/\s*[·|•/]\s*/);
  return names.length > 1 && names.every((name) => ownNames().has(name.toLowerCase()));
}
