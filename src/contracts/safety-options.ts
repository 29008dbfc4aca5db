// Options that protect the caller. Options that a call does not know are ignored, as clients expect, but who asks for protection
// and gets an answer relies on it: a call that does not have the option refuses it.
const WITHOUT_PROTECTION: Readonly<Record<string, unknown>> = {
  skipTlsVerification: true,
  lockdown: false,
  redactPII: false,
  safeMode: false,
  zeroDataRetention: false,
  checkPromptInjection: false,
  threatProtection: undefined,
};

/** The first such option among the fields of a body that are not in `known`, unless it asks for nothing. */
export const unknownProtection = (body: object, known: ReadonlySet<string>): string | undefined =>
  Object.keys(WITHOUT_PROTECTION).find((name) => {
    const given = (body as Record<string, unknown>)[name];
    return given !== undefined && given !== WITHOUT_PROTECTION[name] && !known.has(name);
  });
