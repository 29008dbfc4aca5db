// How a caller requests formats for a page, each as a string or as an object with options.
import { z } from 'zod';
import { jsonObject, MAX_PROMPT_LENGTH, nameText, selectorText } from '../bounds.ts';
import { FORMATS, type FormatType } from './format-traits.ts';

/** Said in `answer` if a page does not answer the question. */
export const NOT_STATED = 'Not stated on this page.';

const prompt = z.string().max(MAX_PROMPT_LENGTH).describe('What is wanted, in plain words.');
export const jsonSchema = jsonObject('schema', { characters: 256 * 1024, depth: 64 }).describe(
  'JSON Schema of the data.',
);
const confidence = z
  .number()
  .min(0)
  .max(1)
  .optional()
  .describe(
    'How certain a value must be that is found without a language model, 0 to 1; default 0.5. Values that are less certain are left out. 0 gives the best guess for every field.',
  );
const viewport = z.object({
  width: z.int().min(1).max(7680).describe('In pixels.'),
  height: z.int().min(1).max(4320).describe('In pixels.'),
});
const quality = z.int().min(1).max(100);

export const screenshotOptions = {
  fullPage: z.boolean().default(false).describe('The whole page instead of the visible part.'),
  quality: quality.optional().describe('Quality of a JPEG; without it the picture is a PNG.'),
  viewport: viewport.optional().describe('Size of the window in pixels.'),
};

/** The options of formats that have any. */
const OPTIONS = {
  attributes: {
    selectors: z
      .array(
        z.object({
          selector: selectorText.min(1).describe('CSS selector of the elements.'),
          attribute: nameText.min(1).describe('Name of the attribute.'),
        }),
      )
      .min(1)
      .max(100)
      .describe('The attributes to return, by CSS selector.'),
  },
  chunks: {
    maxTokens: z
      .int()
      .min(50)
      .max(8000)
      .default(400)
      .describe(
        'How many tokens a chunk has at most, estimated. Only a row, an item or a word that has more stays whole.',
      ),
    overlap: z
      .int()
      .min(0)
      .default(0)
      .describe(
        'How many tokens of the chunk before it a chunk begins with at most, in whole sentences, items, rows or blocks of the same section; less than half of `maxTokens`.',
      ),
    embeddings: z
      .boolean()
      .optional()
      .describe('Adds to each chunk a vector of what it says, and the name of the model that made it.'),
  },
  json: {
    prompt: prompt.optional(),
    schema: jsonSchema.optional(),
    confidence,
    checkPromptInjection: z.boolean().optional().describe('Refuses pages that try to give orders to a language model.'),
  },
  deterministicJson: { prompt: prompt.optional(), schema: jsonSchema.optional(), confidence },
  question: {
    question: z.string().min(1).max(10_000).describe('What to answer from the page.'),
    confidence: confidence.describe(
      `How certain an answer must be that is found without a language model, 0 to 1; default 0.3. A less certain one is "${NOT_STATED}"`,
    ),
  },
  highlights: {
    query: z.string().min(1).max(10_000).describe('What the passages are to be about.'),
  },
  query: {
    prompt,
    mode: z
      .enum(['freeform', 'directQuote'])
      .default('freeform')
      .describe('`directQuote` answers in the words of the page.'),
  },
  changeTracking: {
    modes: z
      .array(z.enum(['git-diff', 'json']))
      .max(10)
      .default([])
      .describe('How changes are shown.'),
    prompt: prompt.optional(),
    schema: jsonSchema.optional(),
    tag: nameText.optional().describe('Versions are compared within the same tag.'),
  },
  screenshot: screenshotOptions,
  product: { confidence },
  menu: {
    modifiers: z.boolean().optional().describe('Whether to list the options of each item, such as sizes and extras.'),
  },
  knowledgeGraph: {
    entityTypes: z.array(nameText.min(1)).max(50).optional().describe('Only entities of these types.'),
  },
} satisfies Partial<Record<FormatType, z.ZodRawShape>>;

type OptionsOf<Type> = Type extends keyof typeof OPTIONS ? (typeof OPTIONS)[Type] : unknown;
type FormatObject = {
  [Type in FormatType]: z.ZodObject<{ type: z.ZodLiteral<Type> } & OptionsOf<Type>>;
}[FormatType];

export const FORMAT_TYPES = Object.keys(FORMATS) as FormatType[];

const optionsOf = (type: FormatType) => (OPTIONS as Partial<Record<FormatType, z.ZodRawShape>>)[type] ?? {};
const formatObjects = FORMAT_TYPES.map((type) => z.object({ type: z.literal(type), ...optionsOf(type) }));
const formatObject = z.discriminatedUnion('type', formatObjects as unknown as [FormatObject, ...FormatObject[]]);

export type ScreenshotOptions = Omit<Extract<Format, { type: 'screenshot' }>, 'type'>;
export type Format = z.output<typeof formatObject>;

// Formats with required options cannot be written as a bare string.
const bareFormats = FORMAT_TYPES.filter((type) =>
  Object.values(optionsOf(type)).every(({ _zod }) => _zod.optin !== undefined),
);

const bareFormat = z
  .enum(bareFormats, { error: ({ input }) => bareFormatProblem(input) })
  .transform((type) => formatObject.parse({ type }));

const MAX_SHOWN = 100;

function bareFormatProblem(input: unknown): string {
  // An object of the caller's cannot always be written as a text: its `toString` may be a number.
  const name = typeof input === 'object' ? 'This value' : `${input}`.slice(0, MAX_SHOWN);
  if ((FORMAT_TYPES as string[]).includes(name)) {
    return `The format '${name}' needs options. Write it as an object: { "type": "${name}", ... }.`;
  }
  return `'${name}' is not a format. Formats are: ${FORMAT_TYPES.join(', ')}.`;
}

/** Without the rules about formats that exclude or need each other. */
export const formatList = z.array(z.union([bareFormat, formatObject])).max(50);

export function checkFormats(list: Format[], context: z.RefinementCtx): void {
  const types = list.map((format) => format.type);
  const count = (type: FormatType) => types.filter((other) => other === type).length;
  const fault = (message: string) => context.addIssue({ code: 'custom', message });
  if (count('screenshot') > 1) fault('Request at most one screenshot format.');
  if (count('changeTracking') > 1) fault('Request at most one changeTracking format.');
  if (count('changeTracking') > 0 && count('markdown') === 0) {
    fault('The changeTracking format needs the markdown format as well.');
  }
  if (count('rawBase64') > 0 && list.length > 1) fault('The rawBase64 format cannot be combined with other formats.');
  for (const format of list) {
    if (format.type !== 'chunks' || format.overlap * 2 < format.maxTokens) continue;
    fault('The `overlap` of chunks must be less than half of their `maxTokens`.');
  }
  if (count('json') > 0 && count('deterministicJson') > 0) {
    fault('Request json or deterministicJson, not both.');
  }
}

export const formats = formatList.superRefine(checkFormats);
