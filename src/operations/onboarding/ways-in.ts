// The ways in which somebody without a key gets one here, as the operator has set them.

export interface WaysIn {
  /** False while authentication is off: then nobody needs a key. */
  needsKey: boolean;
  /** Agent providers whose assertions are accepted. */
  issuers: readonly string[];
  /** What an anonymous agent gets; absent if nothing. */
  anonymous?: { creditsPerMonth: number; days: number; maxUnclaimed: number };
  /** What can be used each day without a key; absent if nothing. */
  keyless?: { requestsPerDay: number; creditsPerDay: number };
}
