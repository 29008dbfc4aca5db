// Decides which versions of a tracked page are kept.

/** Limits for the versions kept in each history. The newest one with a text is always kept. */
const VERSIONS_KEPT = 20;
const BYTES_KEPT = 4 * 1024 * 1024;

interface KeptVersion {
  size: number;
  /** False if the page was gone. */
  hasText: boolean;
}

/** `versions` are all of a history, newest first. */
export function outdatedVersions<Version extends KeptVersion>(versions: readonly Version[]): Version[] {
  let bytes = 0;
  let [seen, hasText] = [0, false];
  return versions.filter((version) => {
    bytes += version.size;
    seen += 1;
    const isOutdated = hasText && (seen > VERSIONS_KEPT || bytes > BYTES_KEPT);
    hasText ||= version.hasText;
    return isOutdated;
  });
}
