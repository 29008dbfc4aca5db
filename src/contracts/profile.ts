// Profiles: what a browser has stored, kept under a name for the sessions and scrapes that ask for it.
import { z } from 'zod';

/** Of the state as JSON. What many sites store together is well below it. */
export const MAX_PROFILE_BYTES = 20 * 1024 * 1024;

export const profileOption = z.object({
  name: z.string().min(1).max(128),
  saveChanges: z.boolean().default(true),
});

export const deleteProfileResponse = z.object({ success: z.literal(true) });

export type DeleteProfileResponse = z.output<typeof deleteProfileResponse>;
