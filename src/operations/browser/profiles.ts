// Profiles: removing one, and who may save one.
import { ServiceError } from '../../contracts/errors.ts';
import type { DeleteProfileResponse } from '../../contracts/profile.ts';
import type { ProfileLocks, ProfileStore } from '../../store/profiles.ts';
import type { Caller } from '../caller.ts';

export interface ProfileDeps {
  profiles: ProfileStore;
  profileLocks: ProfileLocks;
}

export function createProfileLocks(): ProfileLocks {
  const taken = new Set<string>();
  return {
    take(teamId, name) {
      // As JSON, so that no two profiles have the same key.
      const key = JSON.stringify([teamId, name]);
      if (taken.has(key)) throw new ServiceError('PROFILE_IN_USE');
      taken.add(key);
      let isHeld = true;
      return () => {
        if (isHeld) taken.delete(key);
        isHeld = false;
      };
    },
  };
}

/** Whoever is about to save it would bring it back: he has to end first. */
export async function deleteProfile(
  { profiles, profileLocks }: ProfileDeps,
  { team }: Caller,
  name: string,
): Promise<DeleteProfileResponse> {
  const release = profileLocks.take(team.id, name);
  try {
    if (!(await profiles.remove(team.id, name))) throw new ServiceError('PROFILE_NOT_FOUND');
    return { success: true };
  } finally {
    release();
  }
}
