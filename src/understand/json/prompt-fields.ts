// The fields that a prompt names: "Extract the title, the price and the author" asks for three.
import { isPhrase } from './fill/field-names.ts';
import type { JsonSchema } from './schema/subschemas.ts';

const MAX_PROMPT = 500;
const MAX_FIELDS = 20;
const MAX_WORDS = 4;
/** Requests for several things are about records, not about fields of the page. */
const MANY =
  /\b(?:all|every|each|list(?:e|a)?|alle[rs]?|jede[rns]?|tou(?:te)?s|chaque|tod[oa]s|cada|tutt[ei]|ogni)\b/iu;
const REQUEST =
  /^(?:please|bitte|veuillez|por\sfavor|per\sfavore)?[\s,]*(?:can\syou\s)?(?:extract|get|return|give(?:\sme)?|find|fetch|read|tell\sme|show(?:\sme)?|what(?:'s|\sis|\sare)|who\sis|extrahiere|nenne|gib(?:\smir)?|finde|was\sist|wie\sist|extrais|donne(?:z)?(?:-moi)?|trouve|quel(?:le)?\sest|extrae|dame|encuentra|cuál\ses|estrai|dammi|trova|qual\sè)\b[\s:]*/iu;
const ARTICLE =
  /^(?:the|a|an|its|his|her|their|der|die|das|den|dem|le|la|les|l['’]|el|los|las|il|lo|gli|i|un[ae]?)(?:\s+|(?<=['’]))/iu;
/** "of this lamp": what the page is about anyway. "Of shipping" is not. */
const OF_PAGE =
  /\s+(?:(?:of|from|on|in|for|von|aus|auf|de|sur|en|su|di)\s+(?:the|this|that|der|dem|dieser?|diesem|la|le|cette|ce|esta|este|questa|il)|du|del|della|des)\s+[\p{L}\s-]{1,60}$/iu;
const PARTS = /\s*(?:[,;\n•]|\s(?:and|und|et|y|e|&)\s)\s*(?:(?:and|und|et|y|e|&)\s+)?/iu;

/** Undefined if the prompt asks for anything else. */
export function schemaOfPrompt(prompt: string): JsonSchema | undefined {
  const text = prompt.trim().slice(0, MAX_PROMPT);
  if (MANY.test(text)) return undefined;
  const asked = text
    .replace(REQUEST, '')
    .replace(/[.?!\s]+$/, '')
    .replace(OF_PAGE, '');
  const names = asked
    .split(PARTS)
    .map((part) =>
      part
        .replace(ARTICLE, '')
        .replace(/^[-*\d.)\s]+/, '')
        .trim(),
    )
    .filter((part) => part !== '');
  if (names.length === 0 || names.length > MAX_FIELDS || !names.every(isShort)) return undefined;
  // In a list that is asked for, one known name vouches for the others.
  const isList = names.length > 1 && asked !== text && names.some(isPhrase);
  if (!isList && !names.every(isPhrase)) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [propertyOf(name), { type: 'string' }])),
  };
}

const isShort = (name: string): boolean => name.split(/\s+/).length <= MAX_WORDS;

/** "Phone number": `phoneNumber`. */
const propertyOf = (name: string): string =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word, at) => (at === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join('');
