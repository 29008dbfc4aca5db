// Logging in to the console, in one width.
import { walkLogin } from './walks/session.ts';

walkLogin('short');
