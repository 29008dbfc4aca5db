// Browser profiles: deleting one, and the locks that let one session at a time save one.
import { randomUUID } from 'node:crypto';
import type { DeleteProfileResponse } from '../../contracts/browser/profile.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ProfileLocks, ProfileStore } from '../../store/ports/files/profile-store.ts';
import type { SharedProfileLocks } from '../../store/ports/limits/profile-locks.ts';
import type { StoreHealth } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';
import type { Call } from '../call.ts';

interface ProfileDeps {
  profiles: Pick<ProfileStore, 'remove'>;
  profileLocks: ProfileLocks;
}

export function createProfileLocks(): ProfileLocks {
  const taken = new Set<string>();
  return {
    async take(teamId, name) {
      // JSON makes the key unambiguous.
      const key = JSON.stringify([teamId, name]);
      if (taken.has(key)) throw new ServiceError('PROFILE_IN_USE');
      taken.add(key);
      let isHeld = true;
      return {
        isHeld: async () => isHeld,
        release() {
          if (isHeld) taken.delete(key);
          isHeld = false;
        },
      };
    },
  };
}

interface SharedLocksDeps {
  locks: SharedProfileLocks;
  health: Pick<StoreHealth, 'persist'>;
  /** As it is known to the others: what a dead process has locked is free. */
  processId: string;
  clock: Pick<Clock, 'now'>;
}

/** Locks that hold over all processes of a store. */
export function createSharedProfileLocks({ locks, health, processId, clock }: SharedLocksDeps): ProfileLocks {
  const { signal: never } = new AbortController();
  return {
    async take(teamId, name) {
      const holder = randomUUID();
      if (!(await locks.take({ holder, processId, teamId, name }, clock.now())))
        throw new ServiceError('PROFILE_IN_USE');
      return {
        isHeld: () => locks.isHeld(holder, clock.now()),
        // Again and again while the store cannot be reached: otherwise nobody could use the profile until this process ends.
        release: () => void health.persist(() => locks.release(holder), never).catch(() => {}),
      };
    },
  };
}

/** Refused while a session holds the lock: saving would bring the profile back. */
export async function deleteBrowserProfile(
  { profiles, profileLocks }: ProfileDeps,
  { caller: { team }, params: { name } }: Call<'deleteBrowserProfile' | 'deleteInteractProfile'>,
): Promise<DeleteProfileResponse> {
  const lock = await profileLocks.take(team.id, name);
  try {
    if (!(await profiles.remove(team.id, name))) throw new ServiceError('PROFILE_NOT_FOUND');
    return { success: true };
  } finally {
    lock.release();
  }
}
export const deleteInteractProfile = deleteBrowserProfile;
