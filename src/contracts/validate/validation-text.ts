// One plain sentence for each kind of validation issue, so that no caller has to read the validator's own messages.
import type { z } from 'zod';

type Path = readonly (string | number)[];
type Bound = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig;

/** Says which field is wrong and what it must be. */
export function describeIssue(issue: z.core.$ZodIssue, path: Path): string {
  const field = fieldName(path);
  switch (issue.code) {
    case 'invalid_type':
      return `${field} ${issue.input === undefined ? 'is required and ' : ''}must be ${TYPES[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      return issue.minimum === 1 && issue.inclusive && isCounted(issue)
        ? `${field} must not be empty.`
        : `${field} must ${bound(issue, issue.minimum, issue.inclusive ? 'at least' : 'more than')}.`;
    case 'too_big':
      return `${field} must ${bound(issue, issue.maximum, issue.inclusive ? 'at most' : 'less than')}.`;
    case 'invalid_value':
      return `${field} must be ${choices(issue.values)}.`;
    case 'invalid_union':
      return `${field} must be ${'options' in issue && issue.options ? choices(issue.options) : 'one of the documented forms'}.`;
    case 'invalid_format':
      return `${field} has an invalid format (${issue.format}).`;
    case 'unrecognized_keys':
      return `${field} has unknown keys: ${issue.keys.join(', ')}. Remove them.`;
    case 'not_multiple_of':
      return `${field} must be a multiple of ${issue.divisor}.`;
    case 'invalid_key':
      return `${field} has an invalid key.`;
    case 'invalid_element':
      return `${field} has an invalid entry.`;
    case 'custom':
      return `${field} is not valid.`;
  }
}

/** Entries of lists are numbers between dots, as the public service writes them: `formats.0.type`. */
export function fieldName(path: Path): string {
  if (path.length === 0) return 'The request body';
  return `\`${path.join('.')}\``;
}

const TYPES: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** Units of what is counted. Anything else is a number itself. */
const COUNTED: Partial<Record<string, string>> = {
  string: 'characters',
  array: 'entries',
  set: 'entries',
  map: 'entries',
  file: 'bytes',
};

const isCounted = ({ origin }: Bound): boolean => origin in COUNTED;

function bound({ origin }: Bound, limit: number | bigint, comparison: string): string {
  const unit = COUNTED[origin];
  return unit === undefined ? `be ${comparison} ${limit}` : `have ${comparison} ${limit} ${unit}`;
}

const choices = (values: readonly unknown[]): string =>
  values.length === 1 ? JSON.stringify(values[0]) : `one of: ${values.map(String).join(', ')}`;
