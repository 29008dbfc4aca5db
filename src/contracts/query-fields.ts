// Fields of query strings, which arrive as texts: whole numbers, switches, lists and days.
import { z } from 'zod';
import { nameText } from './bounds.ts';

/** The server accepts no longer query string, even as a whole. */
const MAX_PARAMETER_LENGTH = 16 * 1024;
const MAX_REPETITIONS = 1_000;

export const wholeNumber = (name: string, min: number, max: number) =>
  nameText
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `\`${name}\` must be a whole number from ${min} to ${max}.`,
    )
    .transform(Number);

export const flag = (name: string) =>
  nameText
    .refine((text) => /^(?:true|false|1|0)$/i.test(text), `\`${name}\` must be true or false.`)
    .transform((text) => /^(?:true|1)$/i.test(text));

/** Sent several times, or with commas between the values. */
export const listOf = (name: string, max: number, maxLength = 200) =>
  z
    .array(z.string().max(MAX_PARAMETER_LENGTH))
    .max(MAX_REPETITIONS)
    .transform((values) =>
      values
        .flatMap((value) => value.split(','))
        .map((value) => value.trim())
        .filter((value) => value !== ''),
    )
    .refine((values) => values.length <= max, `\`${name}\` takes at most ${max} values.`)
    .refine(
      (values) => values.every((value) => value.length <= maxLength),
      `Values of \`${name}\` have at most ${maxLength} characters.`,
    );

export const day = (name: string) =>
  nameText.refine(
    (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
    `\`${name}\` must be a day like 2026-01-31.`,
  );

export const MAX_QUESTION_LENGTH = 1_000;

/** A text to look for; never empty. */
export const question = (name: string) =>
  z
    .string({ error: `Set \`${name}\` to the text to look for.` })
    .max(MAX_QUESTION_LENGTH, `\`${name}\` must have at most ${MAX_QUESTION_LENGTH} characters.`)
    .refine((text) => text.trim() !== '', `\`${name}\` must not be empty.`);
