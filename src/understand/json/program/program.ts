// A selector program: which elements of a page hold the values of a schema. It is data; nothing in it is executed.

export interface SelectorRule {
  /** Where the value belongs: `name`, `seller.name`, `rows[].price`, `tags[]`. */
  path: string;
  /** CSS. Inside a list, it is looked for in each row. */
  selector: string;
  /** `text` or the name of an attribute. */
  take: string;
  /** What the rule selects on the page that it was written for. */
  sample: string;
}

export interface SelectorProgram {
  rules: SelectorRule[];
  /** The elements of a list of objects: path `rows` and the selector of a row. */
  lists: { path: string; selector: string }[];
}

const MAX_RULES = 200;
const MAX_SELECTOR = 500;

/** The form in which a model writes a program. */
export const PROGRAM_SCHEMA = {
  type: 'object',
  properties: {
    rules: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          selector: { type: 'string' },
          take: { type: 'string' },
          sample: { type: 'string' },
        },
        required: ['path', 'selector', 'take', 'sample'],
      },
    },
    lists: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, selector: { type: 'string' } },
        required: ['path', 'selector'],
      },
    },
  },
  required: ['rules', 'lists'],
} as const;

/** Undefined if the value is not a program. */
export function readProgram(value: unknown): SelectorProgram | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { rules, lists = [] } = value as { rules?: unknown; lists?: unknown };
  if (!Array.isArray(rules) || !Array.isArray(lists) || rules.length > MAX_RULES || lists.length > MAX_RULES) {
    return undefined;
  }
  const areTexts = (entry: unknown, names: string[]): boolean =>
    typeof entry === 'object' &&
    entry !== null &&
    names.every((name) => {
      const text = (entry as Record<string, unknown>)[name];
      return typeof text === 'string' && (name === 'sample' || text.length <= MAX_SELECTOR);
    });
  const isProgram =
    rules.every((rule) => areTexts(rule, ['path', 'selector', 'take', 'sample'])) &&
    lists.every((list) => areTexts(list, ['path', 'selector']));
  return isProgram ? { rules: rules as SelectorRule[], lists: lists as SelectorProgram['lists'] } : undefined;
}

/** `$.rows[0].price`, `rows.price` and `rows[].price` mean the same. */
export const pathKey = (path: string): string => path.replace(/^\$?\.?/, '').replace(/\[\d*\]/g, '');
