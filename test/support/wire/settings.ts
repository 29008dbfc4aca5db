// Settings that several files of wire tests need. None of them is in the way of the others, so the files share one service.
export const WEBHOOK_SECRET = 'a-secret-of-the-operator';

export const SHARED_SETTINGS = {
  TRAWL_TRUSTED_PROXIES: '127.0.0.1, ::1',
  TRAWL_WEBHOOK_SECRET: WEBHOOK_SECRET,
  TRAWL_MAX_UPLOAD_MB: '1',
  TRAWL_TEAM_FEATURES: 'zdr',
};
