// Browser profiles: deleting one, and the locks that let one session at a time save one.
import { ServiceError } from '../../contracts/errors.ts';
import type { DeleteProfileResponse } from '../../contracts/profile.ts';
import type { ProfileLocks, ProfileStore } from '../../store/profile-store.ts';
import type { Caller } from '../caller.ts';

export interface ProfileDeps {
  profiles: Pick<ProfileStore, 'remove'>;
  profileLocks: ProfileLocks;
}

export function createProfileLocks(): ProfileLocks {
  const taken = new Set<string>();
  return {
    take(teamId, name) {
      // JSON makes the key unambiguous.
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

/** Refused while a session holds the lock: saving would bring the profile back. */
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
