// The question that a field of a schema stands for. The reader answers whole questions best.

const MAX_WORDS = 9;
const QUESTION = /\?\s*$/;
const PERSON =
  /^(?:author|director|writer|ceo|founder|owner|president|chair\w*|manager|editor|contact person|employer)$/i;

/** From the description, if it is short enough to be a name, else from the words of the name. */
export function fieldQuestion(name: string, description: string): string {
  const phrase = description.split(/[.;:(\n]/, 1)[0]!.trim();
  if (QUESTION.test(description.trim())) return description.trim().slice(0, 200);
  const isName = phrase !== '' && phrase.split(/\s+/).length <= MAX_WORDS;
  const asked = isName ? lowerFirst(phrase) : spacedWords(name);
  const bare = asked.replace(/^(?:the|a|an)\s+/i, '');
  return `${PERSON.test(bare) ? 'Who' : 'What'} is the ${bare}?`;
}

const spacedWords = (name: string): string =>
  name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_\-./]+/g, ' ')
    .toLowerCase()
    .trim();

/** "Title of the book", but "ISBN" as it is. */
const lowerFirst = (text: string): string =>
  /^\p{Lu}\p{Ll}/u.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;
