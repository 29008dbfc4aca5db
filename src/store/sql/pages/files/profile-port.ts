// Profiles as callers see them: what cannot be read, or is too large, is an error of its own.

import { MAX_PROFILE_BYTES } from '../../../../contracts/browser/profile.ts';
import { ServiceError } from '../../../../contracts/errors/errors.ts';
import type { ProfileStore } from '../../../ports/files/profile-store.ts';
import type { ProfileRows } from './profile-rows.ts';

/** Outside the thread of the store, since errors lose their class on the way. */
export const createProfilePort = (rows: ProfileRows): ProfileStore => ({
  async read(...args) {
    const found = await rows.read(...args);
    if (found && found.state === undefined) throw new ServiceError('PROFILE_UNREADABLE');
    return found?.state;
  },
  async write(...args) {
    if (Buffer.byteLength(args[2]) > MAX_PROFILE_BYTES) throw new ServiceError('PROFILE_TOO_LARGE');
    await rows.write(...args);
  },
  remove: (...args) => rows.remove(...args),
});
