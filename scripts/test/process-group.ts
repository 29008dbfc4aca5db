// Child processes, each in a process group of its own, so that everything it leaves behind can be ended with it.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface GroupLeader {
  child: ChildProcess;
  /** Everything that the group has printed so far. */
  output(): string;
  /** Resolves once the process and its output have ended. The rest of the group is killed then. */
  ended: Promise<{ code: number | null }>;
  kill(): void;
}

export interface ProcessGroups {
  start(command: string, args: string[], options?: { env?: Record<string, string>; messages?: boolean }): GroupLeader;
  /** Ends everything that still runs. */
  killAll(): void;
}

const PIPES = ['ignore', 'pipe', 'pipe'] as const;

export function createProcessGroups(): ProcessGroups {
  const running = new Set<ChildProcess>();
  return {
    start(command, args, { env = {}, messages = false } = {}) {
      const { NODE_TEST_CONTEXT: _, ...outer } = process.env;
      const options: SpawnOptions = {
        detached: true,
        // Test files load mostly the same modules, so their compiled code is cached.
        env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/trawl'), ...outer, ...env },
        stdio: messages ? [...PIPES, 'ipc'] : [...PIPES],
      };
      const child = spawn(command, args, options);
      running.add(child);
      let output = '';
      for (const stream of [child.stdout!, child.stderr!]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      }
      child.on('error', (error) => {
        output += error.message;
      });
      child.on('exit', () => killGroup(child));
      const ended = new Promise<{ code: number | null }>((resolve) => {
        child.on('close', (code) => {
          running.delete(child);
          resolve({ code });
        });
      });
      return { child, output: () => output, ended, kill: () => killGroup(child) };
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
