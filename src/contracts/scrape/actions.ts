// Actions on a page before it is read: at most 50 steps, with at most a minute of waiting in all.
import { z } from 'zod';
import { selectorText } from '../bounds.ts';
import { screenshotOptions } from '../formats/formats.ts';
import { optionalText } from '../optional-text.ts';

const PAPER = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'] as const;

const MAX_WRITTEN_LENGTH = 50_000;
const MAX_SCRIPT_LENGTH = 100_000;
/** A key with its modifiers, such as Control+Shift+ArrowDown. */
const MAX_KEY_LENGTH = 100;

const pdfOptions = {
  format: z.enum(PAPER).default('Letter').describe('Paper size.'),
  landscape: z.boolean().default(false).describe('Turns the paper.'),
  scale: z.number().min(0.1).max(2).default(1).describe('Scale of the page.'),
};

const wait = z
  .strictObject({
    type: z.literal('wait'),
    milliseconds: z.int().min(1).optional().describe('How long to wait.'),
    selector: optionalText(selectorText).describe('CSS selector of the element to wait for.'),
  })
  .refine((action) => (action.milliseconds === undefined) !== (action.selector === undefined), {
    error: 'A wait action needs either `milliseconds` or `selector`, not both.',
  });

export const action = z.discriminatedUnion('type', [
  wait,
  z.object({ type: z.literal('screenshot'), ...screenshotOptions }),
  z.object({
    type: z.literal('click'),
    selector: selectorText.min(1).describe('CSS selector of the element.'),
    all: z.boolean().default(false).describe('Clicks every element that matches.'),
  }),
  z.object({
    type: z.literal('write'),
    text: z.string().max(MAX_WRITTEN_LENGTH).describe('What to type into the focused element.'),
  }),
  z.object({
    type: z.literal('press'),
    key: z.string().min(1).max(MAX_KEY_LENGTH).describe('Name of the key, for example Enter.'),
  }),
  z.object({
    type: z.literal('scroll'),
    direction: z.enum(['up', 'down']).default('down').describe('Where to scroll to.'),
    selector: optionalText(selectorText).describe('CSS selector of the element to scroll; the page by default.'),
  }),
  z.object({ type: z.literal('scrape') }),
  z.object({
    type: z.literal('executeJavascript'),
    script: z.string().min(1).max(MAX_SCRIPT_LENGTH).describe('JavaScript to run in the page.'),
  }),
  z.object({ type: z.literal('pdf'), ...pdfOptions }),
  // The v1 name of `pdf`, which one public client still sends.
  z.object({ type: z.literal('generatePDF'), ...pdfOptions }).transform((old) => ({ ...old, type: 'pdf' as const })),
]);

export type Action = z.output<typeof action>;

export const MAX_ACTIONS = 50;
export const MAX_WAITING_MS = 60_000;
const SELECTOR_WAIT_MS = 1_000;

/** How long the actions wait as the contract counts it: waiting for a selector counts as one second. */
export const waitingTime = (actions: Action[]): number =>
  actions.reduce((sum, step) => sum + (step.type === 'wait' ? (step.milliseconds ?? SELECTOR_WAIT_MS) : 0), 0);

export const actions = z.array(action).max(MAX_ACTIONS, `\`actions\` must have at most ${MAX_ACTIONS} entries.`);
