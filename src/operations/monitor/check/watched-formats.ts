// What of a page is compared, and which formats that needs. `changeTracking` says how a monitor compares; the check does it,
// so that the page's own history is not touched.
import { keyOf } from '../../../contracts/formats/format-traits.ts';
import type { Format } from '../../../contracts/formats/formats.ts';
import { hashOf } from '../../../util/hash.ts';

export interface WatchedFormats {
  text: boolean;
  data: boolean;
  /** Identifies what the data was extracted by. */
  dataBy: string;
}

type Tracking = Extract<Format, { type: 'changeTracking' }>;

const trackingOf = (formats: readonly Format[]): Tracking | undefined =>
  formats.find((format): format is Tracking => format.type === 'changeTracking');

const extractsData = ({ type }: Format): boolean => keyOf(type) === 'json';

/** The format json that the mode json of `changeTracking` stands for. */
function impliedFormat(formats: readonly Format[]): Format | undefined {
  const tracking = trackingOf(formats);
  if (!tracking?.modes.includes('json') || formats.some(extractsData)) return undefined;
  const { schema, prompt } = tracking;
  if (!schema && prompt === undefined) return undefined;
  return { type: 'json', ...(schema && { schema }), ...(prompt !== undefined && { prompt }) };
}

export function scrapedFormats(formats: readonly Format[]): Format[] {
  const implied = impliedFormat(formats);
  return [...formats.filter(({ type }) => type !== 'changeTracking'), ...(implied ? [implied] : [])];
}

export function watchedFormats(formats: readonly Format[]): WatchedFormats {
  const tracking = trackingOf(formats);
  const extracting = scrapedFormats(formats).filter(extractsData);
  const data = extracting.length > 0 && (!tracking || tracking.modes.includes('json'));
  // In the mode json alone, only the data counts.
  const text = !data || !tracking || tracking.modes.includes('git-diff');
  return { text, data, dataBy: hashOf(extracting) };
}
