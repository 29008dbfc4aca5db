// The definition of a setting, and rules that several settings share.
import { z } from 'zod';
import { SettingError } from '../util/setting-error.ts';

export interface Setting<T> {
  env: string;
  doc: string;
  /** The default as shown to users. */
  shown: string;
  /** Never printed. */
  secret?: boolean;
  schema: z.ZodType<T>;
}

/** One variable for each of several names, for example of providers: the name in upper case replaces <NAME>. */
export interface SharedSetting<T, Name extends string = string> extends Setting<T> {
  names: readonly Name[];
}

export const setting = <T>(
  env: string,
  shown: string,
  schema: z.ZodType<T>,
  doc: string,
  secret = false,
): Setting<T> => ({
  env,
  shown,
  schema,
  doc,
  secret,
});

export const list = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Parses with a function whose SettingError becomes the message. */
export const readBy = <T>(read: (text: string) => T) =>
  z.string().transform((text, context): T => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });

export const text = (fallback: string) => z.string().min(1, 'it must not be empty').default(fallback);
export const oneOf = <const T extends readonly string[]>(values: T, fallback: T[number]) =>
  z.enum(values, `it must be one of: ${values.join(', ')}`).default(fallback as never);
export const integer = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `it must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `it must be a whole number from ${min} to ${max}`)
    .default(fallback);
export const megabytes = (fallback: number) => integer(fallback, 1, 1_048_576).transform((mb) => mb * 1_048_576);
export const httpUrl = readBy((value) => {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) throw new SettingError('it must be an http or https URL');
  return url.href.replace(/\/$/, '');
});

/** The base of a provider's paths. */
export const baseUrl = readBy((value) => {
  const url = URL.parse(value);
  const isBase = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isBase) throw new SettingError('it must be an http or https URL without ? and #');
  return url.href.replace(/\/+$/, '');
});
