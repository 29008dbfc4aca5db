// How the directory of sessions knows a token: nobody who reads it can use a session.
import { sha256 } from '../util/hash.ts';
import type { SessionTokens } from './session.ts';

export const hashToken = (kind: keyof SessionTokens, token: string): string => sha256(`${kind} ${token}`);
