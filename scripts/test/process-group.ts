// Runs commands, each in a process group of its own, so that everything a command leaves behind can be ended with it.
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface Ended {
  code: number | null;
  output: string;
  ms: number;
  timedOut: boolean;
}

export interface ProcessGroups {
  run(command: string, args: string[], limits: { timeoutMs: number; env?: Record<string, string> }): Promise<Ended>;
  /** Ends everything that still runs. */
  killAll(): void;
}

export function createProcessGroups(): ProcessGroups {
  const running = new Set<ChildProcess>();
  return {
    async run(command, args, { timeoutMs, env = {} }) {
      const began = performance.now();
      const { NODE_TEST_CONTEXT: _, ...outer } = process.env;
      const child = spawn(command, args, {
        detached: true,
        // Test files load mostly the same modules, so their compiled code is cached.
        env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/trawl'), ...outer, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running.add(child);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      }
      let timedOut = false;
      const timer = setTimeout(() => {
        timedOut = true;
        killGroup(child);
      }, timeoutMs);
      child.on('error', (error) => {
        output += error.message;
      });
      child.on('exit', () => killGroup(child));
      const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
      clearTimeout(timer);
      running.delete(child);
      return { code, output, ms: performance.now() - began, timedOut };
    },
    killAll() {
      for (const child of running) killGroup(child);
    },
  };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has already ended.
  }
}
