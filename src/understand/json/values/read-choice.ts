// Chooses the value of an `enum` that a text of the page means.
import { nameWords } from '../fill/field-names.ts';
import { readBoolean } from './read-boolean.ts';

const AVAILABLE = /^(?:instock|available|yes|true|in)$/;
const GONE = /^(?:outofstock|soldout|unavailable|notavailable|no|false|out)$/;
const MAX_CHOICES = 500;

export function chooseFrom(choices: readonly unknown[], text: string): unknown {
  const some = choices.slice(0, MAX_CHOICES);
  const last = text.replace(/^https?:\/\/\S*[/#]/i, '');
  const wanted = squeezed(last);
  if (wanted === '') return undefined;
  const same = some.find((choice) => squeezed(String(choice)) === wanted);
  if (same !== undefined) return same;
  return byAvailability(some, last) ?? byWords(some, last);
}

const squeezed = (text: string): string => nameWords(text).join('');

/** "Nur noch 3 auf Lager" means `in_stock`. */
function byAvailability(choices: readonly unknown[], text: string): unknown {
  const said = readBoolean(text);
  if (said === undefined) return undefined;
  return choices.find((choice) =>
    (said ? AVAILABLE : GONE).test(
      String(choice)
        .toLowerCase()
        .replace(/[^a-z]/g, ''),
    ),
  );
}

/** The only choice all of whose words are in the text. */
function byWords(choices: readonly unknown[], text: string): unknown {
  const said = new Set(nameWords(text));
  const fitting = choices.filter((choice) => {
    const words = nameWords(String(choice));
    return words.length > 0 && words.every((word) => said.has(word));
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}
