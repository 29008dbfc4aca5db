// What proves that a request comes from a page of the console. The session itself is a cookie that scripts cannot read.
import { signal } from '@preact/signals';

/** Sent with every call; undefined while nobody is logged in, or authentication is off. */
export const csrfToken = signal<string | undefined>(undefined);
/** Counts the answers that said the session has ended. */
export const lostSessions = signal(0);

export const sessionHeaders = (): Record<string, string> =>
  csrfToken.value === undefined ? {} : { 'x-csrf-token': csrfToken.value };

export const sessionLost = (): void => {
  lostSessions.value++;
};
