// A process that is killed during a job, while it starts and while it writes.
import { test } from 'node:test';
import { killDuringJob } from './queue-kills.ts';
import { KILLS, SEED } from './write-until-killed.ts';

const FEW = 2;

test(`a job continues where its killed process stopped (seed ${SEED})`, (t) => killDuringJob(t, KILLS.slice(0, FEW)));
