// Logging in to the console, in every width and both themes, and what is left out of the short run.
import { walkLogin } from './walks/session.ts';

walkLogin('full');
