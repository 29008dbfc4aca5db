// The scrape options of v1 as those of today: formats are names there, with their options beside them.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { listOf, objectOf } from '../shared/sent-fields.ts';

export interface ReadOptions {
  options: Record<string, unknown>;
  /** The extraction is called `extract` in the answer, as it was asked for. */
  isExtract: boolean;
  warning?: string;
}

/** What v1 defaults to, where that differs. */
const DEFAULTS = { formats: ['markdown'], maxAge: 0, timeout: 30_000, skipTlsVerification: false, proxy: 'basic' };

const NO_AGENT = '`agent` was ignored: pages are read in a browser where they need one.';

/** Throws BAD_REQUEST. Whether the values are valid is checked with the call. */
export function readScrapeOptions(sent: Record<string, unknown>, defaultFormats = DEFAULTS.formats): ReadOptions {
  const {
    formats: sentFormats,
    jsonOptions,
    extract,
    changeTrackingOptions,
    parsePDF,
    geolocation,
    agent,
    ...given
  } = present(sent);
  const formats = sentFormats === undefined ? defaultFormats : sentFormats;
  if (!Array.isArray(formats)) return { options: { ...DEFAULTS, ...given, formats }, isExtract: false };
  const asked = new Set(formats);
  requireBoth(asked.has('json'), jsonOptions !== undefined, 'json', 'jsonOptions');
  requireBoth(asked.has('extract'), extract !== undefined, 'extract', 'extract');
  requireBoth(
    asked.has('changeTracking'),
    changeTrackingOptions !== undefined,
    'changeTracking',
    'changeTrackingOptions',
    true,
  );
  const extraction = formats.findIndex((format) => format === 'json' || format === 'extract');
  const options = {
    ...DEFAULTS,
    ...given,
    formats: formats.flatMap((format, at) => {
      if (format === 'screenshot@fullPage') return [{ type: 'screenshot', fullPage: true }];
      if (format === 'changeTracking') return [{ ...objectOf(changeTrackingOptions), type: format }];
      if (format !== 'json' && format !== 'extract') return [format];
      // Both names mean one extraction.
      return at === extraction ? [{ ...extractionOf(jsonOptions ?? extract), type: 'json' }] : [];
    }),
    ...(typeof parsePDF === 'boolean' && { parsers: parsePDF ? ['pdf'] : [] }),
    ...(geolocation !== undefined && given.location === undefined && { location: geolocation }),
  };
  return {
    options,
    isExtract: asked.has('extract') && !asked.has('json'),
    ...(agent !== undefined && { warning: NO_AGENT }),
  };
}

const extractionOf = (options: unknown): Record<string, unknown> => {
  const { schema, prompt, systemPrompt } = objectOf(options);
  const words = [systemPrompt, prompt].filter((text) => typeof text === 'string' && text !== '');
  return { ...(schema !== undefined && { schema }), ...(words.length > 0 && { prompt: words.join('\n\n') }) };
};

function requireBoth(
  hasFormat: boolean,
  hasOptions: boolean,
  format: string,
  options: string,
  isOptional = false,
): void {
  if (hasFormat === hasOptions || (isOptional && hasFormat)) return;
  const message = hasFormat
    ? `The format \`${format}\` needs \`${options}\`, an object with a \`schema\` or a \`prompt\`.`
    : `\`${options}\` needs the format \`${format}\`: add it to \`formats\`.`;
  throw new ServiceError('BAD_REQUEST', { message });
}

/** `null` counts as absent. */
const present = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** v1 takes addresses without a scheme. */
export const withScheme = (url: unknown): unknown =>
  typeof url === 'string' && url.trim() !== '' && !/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(url)
    ? `http://${url.trim()}`
    : url;

export const asksFor = (formats: unknown, type: string): boolean => listOf(formats).includes(type);
