// Profiles: named browser state (cookies, storage) that sessions and scrapes can load.
import { z } from 'zod';

/** Size limit of the state as JSON, far above what many sites together store. */
export const MAX_PROFILE_BYTES = 20 * 1024 * 1024;

export const profileOption = z.object({
  name: z.string().min(1).max(128).describe('Name of the profile.'),
  saveChanges: z.boolean().default(true).describe('Whether to save cookies and storage at the end.'),
});

export const deleteProfileResponse = z.lazy(() => z.object({ success: z.literal(true) }));

export type DeleteProfileResponse = z.output<typeof deleteProfileResponse>;
