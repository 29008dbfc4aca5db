// Requested formats that cannot be given. One of them never takes the others away: the answer comes without it, and a
// warning says why. A scrape fails only if every requested format is missing.
import { type ErrorDetail, ServiceError } from '../../contracts/errors/errors.ts';
import { type FormatType, traitsOf } from '../../contracts/formats/format-traits.ts';

export interface MissingFormat {
  type: FormatType;
  /** The error that the scrape fails with if all formats are missing. */
  reason: ServiceError;
}

/** Throws if none of the formats is left. The first missing one decides the code. */
export function requireOneFormat(formats: readonly { type: FormatType }[], missing: readonly MissingFormat[]): void {
  const [first] = missing;
  if (!first || formats.some(({ type }) => !isMissing(type, missing))) return;
  const reasons = [...new Set(missing.map(({ reason }) => reason))];
  if (reasons.length === 1) throw first.reason;
  const details = reasons.flatMap((reason): ErrorDetail[] => (Array.isArray(reason.details) ? reason.details : []));
  const { code, retryAfter } = first.reason;
  throw new ServiceError(code, {
    message: sentencesOf(missing).join(' '),
    ...(details.length > 0 && { details }),
    retryAfter,
    cause: first.reason,
  });
}

export const isMissing = (type: FormatType, missing: readonly MissingFormat[]): boolean =>
  missing.some((format) => format.type === type);

/** The keys of missing formats in the Document: null where the interface has room for it, else absent. */
export const missingKeys = (missing: readonly MissingFormat[]): Partial<Record<FormatType, null>> =>
  Object.fromEntries(missing.filter(({ type }) => traitsOf(type).isNullable).map(({ type }) => [type, null]));

export const missingWarnings = (missing: readonly MissingFormat[]): string[] => {
  const byReason = Map.groupBy(missing, ({ reason }) => reason.message);
  return [...byReason].map(([message, formats]) => {
    const names = formats.map(({ type }) => `\`${type}\``);
    return `${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} missing. ${message}`;
  });
};

const sentencesOf = (missing: readonly MissingFormat[]): string[] => [
  ...new Set(missing.map(({ reason }) => reason.message)),
];
