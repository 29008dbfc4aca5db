// The other ways to set the clock of the machine by a day: back, and while the service is stopped.
import { describeJump } from '../support/clock-jumps.ts';

describeJump('a day forward', 'while it is stopped');
describeJump('a day back', 'while it runs');
describeJump('a day back', 'while it is stopped');
