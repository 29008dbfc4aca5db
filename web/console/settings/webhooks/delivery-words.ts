// The state of a webhook call in words.
import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import type { Tone } from '../../ui/states/tone.ts';

export type Delivery = ResponseOf<'listDeliveries'>['data'][number];

export interface StateInWords {
  tone: Tone;
  text: string;
}

export function stateInWords({ status, attempts, canResend }: Delivery): StateInWords {
  if (status === 'delivered') return { tone: 'good', text: 'delivered' };
  if (status === 'failed') return { tone: 'bad', text: canResend ? 'given up' : 'given up, content gone' };
  return attempts === 0 ? { tone: 'busy', text: 'waiting' } : { tone: 'warn', text: 'waiting to retry' };
}

export function attemptInWords({ statusCode, error, triedAt }: Delivery): string {
  if (triedAt === null) return 'not tried yet';
  if (error !== null) return error;
  return statusCode === null ? 'sent' : `answered with status ${statusCode}`;
}

/** Pretty if it is whole; as it is if it was cut. */
export function bodyText(body: string, isTruncated: boolean): string {
  if (isTruncated) return body;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
