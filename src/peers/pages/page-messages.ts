// What two processes say to each other while one of them loads a page for the other. Unknown messages are ignored: a newer
// process may send them.

import type { FetchRequest } from '../../fetch/engine.ts';
import type { AttemptNotes } from '../../fetch/explain/attempt-notes.ts';
import { CallerHeaders, type CarriedHeaders } from '../../net/http/caller-headers.ts';
import type { WireError } from '../peer-calls.ts';

/** The first message. Functions of the request are asked by further messages. */
export interface WireRequest
  extends Omit<FetchRequest, 'url' | 'headers' | 'asker' | 'threatCheck' | 'notes' | 'admit' | 'validators'> {
  url: string;
  headers: CarriedHeaders;
  asker: { team: string; deadline?: number; isPausable: boolean };
  isJudged: boolean;
  notes?: AttemptNotes;
}

/** To the process that asked. */
export type FromBrowser =
  | { type: 'accepted' }
  /** The time of a page of a job stands still while it waits for a slot. */
  | { type: 'hold' | 'resume' }
  /** `byHost`: only its host is in question. */
  | { type: 'judge'; id: number; url: string; byHost?: boolean }
  /** The frames follow. */
  | { type: 'loaded'; page: string; frames: number; notes?: WireNotes }
  | { type: 'failed'; error: WireError; notes?: WireNotes };

/** To the process that loads the page. Closing the socket cancels it. */
export type ToBrowser = { type: 'judged'; id: number; error?: WireError };

export type WireNotes = Pick<AttemptNotes, 'responses' | 'browser'>;

export const toWireRequest = ({
  url,
  headers,
  asker,
  threatCheck,
  admit: _,
  validators: __,
  ...plain
}: FetchRequest): WireRequest => ({
  ...plain,
  url: url.href,
  headers: headers.carry(),
  asker: {
    team: asker.team,
    ...(asker.deadline !== undefined && { deadline: asker.deadline }),
    isPausable: asker.pausable !== undefined,
  },
  isJudged: threatCheck !== undefined,
});

/** The request as an engine takes it. `parts` answer for the functions that stayed at the other process. */
export const fromWireRequest = (
  { url, headers, asker: { isPausable, ...asker }, isJudged, ...plain }: WireRequest,
  {
    pausable,
    threatCheck,
  }: {
    pausable: NonNullable<FetchRequest['asker']['pausable']>;
    threatCheck: NonNullable<FetchRequest['threatCheck']>;
  },
): FetchRequest => ({
  ...plain,
  url: new URL(url),
  headers: CallerHeaders.carried(headers),
  asker: { ...asker, ...(isPausable && { pausable }) },
  ...(isJudged && { threatCheck }),
  // Asked at the other process, when the page is there.
  admit: () => undefined,
});
