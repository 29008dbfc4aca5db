// The prompt that names the lines of a page which are boilerplate, and what is made of the model's answer.

export const CLEAN_PAGE = [
  'The page in <page> was converted to Markdown. Each line starts with its number in square brackets; long lines are shortened.',
  'Name the lines that are not part of the content: navigation, breadcrumbs, cookie and consent notices, sign-up and subscription prompts, share buttons, advertisements, links to other articles, tag lists, footers, legal notices.',
  'Keep everything that a reader came for, with its headings, lists, tables, code, images and links. In doubt, keep the line.',
  'Put ranges of line numbers into `drop`, both ends included. If everything is content, `drop` is empty.',
].join('\n');

export const CLEAN_SCHEMA = {
  type: 'object',
  properties: {
    drop: {
      type: 'array',
      items: {
        type: 'object',
        properties: { from: { type: 'integer' }, to: { type: 'integer' } },
        required: ['from', 'to'],
        additionalProperties: false,
      },
    },
  },
  required: ['drop'],
  additionalProperties: false,
};

export interface LineRange {
  from: number;
  to: number;
}

/** Undefined if the model did not answer in this form. */
export function readDropped(value: unknown): LineRange[] | undefined {
  const { drop } = (value ?? {}) as { drop?: unknown };
  if (!Array.isArray(drop)) return undefined;
  const ranges = drop as Partial<LineRange>[];
  if (!ranges.every((range) => Number.isInteger(range?.from) && Number.isInteger(range?.to))) return undefined;
  return ranges as LineRange[];
}
