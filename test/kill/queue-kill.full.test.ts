// A process that is killed during a job, many times.
import { test } from 'node:test';
import { killDuringJob } from './queue-kills.ts';
import { KILLS, SEED } from './write-until-killed.ts';

test(`a job continues however often its process is killed (seed ${SEED})`, (t) => killDuringJob(t, KILLS));
