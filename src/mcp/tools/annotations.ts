// What tools do to the world, for clients that ask their user before some of them.
import type { Tool } from '../tool.ts';

type Annotations = Tool['annotations'];

/** Reads what the service knows. */
export const READS_SERVICE: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Reads the web. */
export const READS_WEB: Annotations = { ...READS_SERVICE, openWorldHint: true };

/** Adds something; a second call adds another. */
export const ADDS: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

/** Changes or removes what is there; a second call changes nothing more. */
export const REPLACES: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};
