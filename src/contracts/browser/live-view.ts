// The WebSocket messages between a live view and the server. Binary messages are pictures of the page.
import { z } from 'zod';

/** Fractions of the picture's width and height, so that viewers need not know the size of the page. */
const position = { x: z.number().min(0).max(1), y: z.number().min(0).max(1) };
/** A bit mask as in the DevTools protocol: 1 Alt, 2 Control, 4 Meta, 8 Shift. */
const modifiers = z.number().int().min(0).max(15);
const distance = z.number().min(-10_000).max(10_000);

const liveAction = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('mouse'),
    event: z.enum(['move', 'down', 'up']),
    ...position,
    button: z.enum(['none', 'left', 'middle', 'right']),
    /** Bit mask of the pressed buttons, as in a MouseEvent. */
    buttons: z.number().int().min(0).max(31),
    clicks: z.number().int().min(0).max(3),
    modifiers,
  }),
  z.object({ type: z.literal('wheel'), ...position, deltaX: distance, deltaY: distance, modifiers }),
  z.object({
    type: z.literal('key'),
    event: z.enum(['down', 'up']),
    key: z.string().min(1).max(40),
    code: z.string().max(40),
    keyCode: z.number().int().min(0).max(255),
    location: z.number().int().min(0).max(3),
    repeat: z.boolean(),
    modifiers,
    /** The text it types, if any. */
    text: z.string().max(10).optional(),
  }),
  z.object({ type: z.literal('text'), text: z.string().min(1).max(1_000) }),
  z.object({ type: z.literal('copy') }),
  z.object({ type: z.literal('go'), address: z.string().min(1).max(4_000) }),
  z.object({ type: z.enum(['back', 'forward', 'reload', 'close']) }),
]);

/** Input from a viewer who controls the page. */
export type LiveAction = z.infer<typeof liveAction>;

/** `seen` acknowledges a picture, so that the next one can be sent. */
export const viewerMessage = z.union([z.object({ type: z.literal('seen') }), liveAction]);

export interface LivePage {
  type: 'page';
  address: string;
  title: string;
  canGoBack: boolean;
  canGoForward: boolean;
  /** Number of open pages; 0 when there is nothing to show. */
  pages: number;
}

export type LiveMessage =
  | LivePage
  /** A notice to show to the viewer. */
  | { type: 'notice'; text: string }
  /** The text selected in the page. */
  | { type: 'copied'; text: string }
  /** The session has ended: viewers should not reconnect. */
  | { type: 'ended' };
