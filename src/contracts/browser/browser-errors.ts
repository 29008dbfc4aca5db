// The errors of browser sessions, their profiles and the code that runs in them: a part of the one table in error-table.ts.

export const BROWSER_ERRORS = {
  EXECUTE_NOT_ALLOWED: {
    status: 403,
    text: 'Running code is disabled on this server. Its operator can enable it, in a sandbox, with TRAWL_BROWSER_EXECUTE=on or a list of node, python and bash.',
  },
  SESSION_NOT_FOUND: { status: 404, text: 'Browser session not found.' },
  PROFILE_NOT_FOUND: {
    status: 404,
    text: 'There is no profile with this name. Check its spelling: a session creates the profile that it names.',
  },
  PROFILE_IN_USE: {
    status: 409,
    text: 'Another browser session will save this profile when it ends. End that session first, or open the profile with `saveChanges: false`.',
  },
  PROFILE_TOO_LARGE: {
    status: 413,
    text: 'The profile was not saved: its sites have stored more than a profile can hold (20 MB). The last saved version is kept. Visit fewer sites with one profile.',
  },
  REPLAY_UNAVAILABLE: {
    status: 409,
    text: 'The scrape could not be repeated in a browser session. Open the page in a session of your own (POST /v2/browser).',
  },
  SESSION_ENDED: { status: 410, text: 'Browser session has been destroyed.' },
  TOO_MANY_SESSIONS: {
    status: 429,
    text: 'The maximum number of active browser sessions is reached (TRAWL_MAX_SESSIONS). End one, or wait until one expires.',
  },
  PROFILE_UNREADABLE: {
    status: 500,
    text: 'The profile is damaged or was saved with another secret. Restore the file `secret` in the data folder, or delete the profile and create it again.',
  },
  SANDBOX_UNAVAILABLE: {
    status: 503,
    text: 'The sandbox for running code could not be set up on this machine. The operator has to install bubblewrap.',
  },
} as const;
