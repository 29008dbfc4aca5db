// What a live view and its server say to each other over a WebSocket. Pictures of the page are the binary messages.
import { z } from 'zod';

/** Of the picture's width and height, so that a viewer need not know how large the page is. */
const place = { x: z.number().min(0).max(1), y: z.number().min(0).max(1) };
/** As in the browser's protocol: 1 Alt, 2 Control, 4 Meta, 8 Shift. */
const modifiers = z.number().int().min(0).max(15);
const distance = z.number().min(-10_000).max(10_000);

const liveAction = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('mouse'),
    event: z.enum(['move', 'down', 'up']),
    ...place,
    button: z.enum(['none', 'left', 'middle', 'right']),
    /** Which are held, as in a MouseEvent. */
    buttons: z.number().int().min(0).max(31),
    clicks: z.number().int().min(0).max(3),
    modifiers,
  }),
  z.object({ type: z.literal('wheel'), ...place, deltaX: distance, deltaY: distance, modifiers }),
  z.object({
    type: z.literal('key'),
    event: z.enum(['down', 'up']),
    key: z.string().min(1).max(40),
    code: z.string().max(40),
    keyCode: z.number().int().min(0).max(255),
    location: z.number().int().min(0).max(3),
    repeat: z.boolean(),
    modifiers,
    /** What it writes, if anything. */
    text: z.string().max(10).optional(),
  }),
  z.object({ type: z.literal('text'), text: z.string().min(1).max(1_000) }),
  z.object({ type: z.literal('copy') }),
  z.object({ type: z.literal('go'), address: z.string().min(1).max(4_000) }),
  z.object({ type: z.enum(['back', 'forward', 'reload', 'close']) }),
]);

/** What whoever controls the page does with it. */
export type LiveAction = z.infer<typeof liveAction>;

/** `seen`: a picture was drawn, the next may come. */
export const viewerMessage = z.union([z.object({ type: z.literal('seen') }), liveAction]);

export interface LivePage {
  type: 'page';
  address: string;
  title: string;
  canGoBack: boolean;
  canGoForward: boolean;
  /** How many are open; 0 when there is none to show. */
  pages: number;
}

export type LiveMessage =
  | LivePage
  /** Something to tell whoever looks. */
  | { type: 'notice'; text: string }
  /** What was selected in the page. */
  | { type: 'copied'; text: string }
  /** The session is over: there is nothing to come back for. */
  | { type: 'ended' };
