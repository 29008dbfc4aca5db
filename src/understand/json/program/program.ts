// How a model writes a selector program, and how its answer is read.
import type { SelectorProgram, SelectorRule } from '../../../page/selector-programs.ts';

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
