// Runs parsers in separate processes, because their native engines can crash the process they run in. Processes start
// on demand, parse one file at a time and end when idle. A malicious file costs its process, never the service.
import { availableParallelism } from 'node:os';
import { queueFull, ServiceError } from '../../contracts/errors/errors.ts';
import type { ParsedFile, SourceFile } from '../../page/parsed.ts';
import { createGate } from '../../runtime/gate/gate.ts';
import { type Clock, systemClock } from '../../util/clock.ts';
import { lazy } from '../../util/lazy.ts';
import type { FileParser } from '../file-parser.ts';
import type { OcrSettings } from '../ocr/ocr-settings.ts';
import { PROCESS_LIMITS, type ProcessLimits } from '../parse-limits.ts';
import { type Confinement, findConfinement } from './confinement.ts';
import { type ParserProcess, startParserProcess } from './parser-process.ts';
import { removeLeftFolders } from './process-folder.ts';
import type { ParserRequest } from './process-messages.ts';

export interface ParserPoolOptions {
  ocr: OcrSettings;
  /** How many files are parsed concurrently. */
  workers?: number;
  limits?: Partial<ProcessLimits>;
  /** Folders that parsers must not see. */
  hidden?: readonly string[];
  clock?: Clock;
  /** The script a process runs instead of the parsers; for tests. */
  entry?: string;
}

interface Slot {
  process: ParserProcess;
  /** Parsed so far. */
  files: number;
  idle?: NodeJS.Timeout;
}

/** The running processes, busy and idle. */
interface Slots {
  start(): Promise<Slot>;
  /** An idle process, or a new one. */
  take(): Promise<Slot>;
  giveBack(slot: Slot): void;
  end(slot: Slot): Promise<void>;
  close(): Promise<void>;
}

export function createParserPool(options: ParserPoolOptions): FileParser {
  const { ocr, workers = availableParallelism(), hidden = [], clock = systemClock, entry } = options;
  const { searchPath } = ocr;
  const limits: ProcessLimits = { ...PROCESS_LIMITS, ...options.limits };
  const gate = createGate({ size: workers, spare: 1, clock, refusal: queueFull });
  const closing = new AbortController();
  const slots = createSlots({
    confinement: lazy(() => {
      removeLeftFolders();
      return findConfinement(searchPath, hidden);
    }),
    startProcess: (confinement) =>
      startParserProcess({ confinement, limits, searchPath, clock, ...(entry && { entry }) }),
    limits,
    closing: closing.signal,
  });

  /** The bytes are copied to the process, so a second process can be given them after a crash. */
  async function parseIn(slot: Slot, request: ParserRequest, signal: AbortSignal): Promise<ParsedFile> {
    slot.files += 1;
    try {
      return await slot.process.parse(request, signal);
    } catch (error) {
      // An earlier file may have corrupted this process: retry in a fresh one.
      if (!slot.process.hasCrashed || slot.files === 1) throw error;
      await slots.end(slot);
      return await parseIn(await slots.start(), request, signal);
    } finally {
      slots.giveBack(slot);
    }
  }

  return {
    async parse(file, options, asker, signal) {
      const aborted = AbortSignal.any([signal, closing.signal]);
      const { waitedMs, leave } = await gate.enter(asker, kindOfWork(file), aborted);
      const deadline = options.deadline + (asker.pausable ? waitedMs : 0);
      try {
        const parsed = await parseIn(
          await slots.take(),
          { file, options: { ...options, deadline }, ocr, limits },
          aborted,
        );
        leave();
        return parsed;
      } finally {
        leave('failed');
      }
    },
    close() {
      closing.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      return slots.close();
    },
  };
}

/** Files of one kind take about as long if they are about as large. */
const kindOfWork = ({ kind, bytes }: SourceFile): string => `${kind} ${Math.floor(Math.log2(bytes.byteLength + 1))}`;

interface SlotsDeps {
  confinement: () => Promise<Confinement>;
  startProcess: (confinement: Confinement) => ParserProcess;
  limits: ProcessLimits;
  closing: AbortSignal;
}

function createSlots({ confinement, startProcess, limits, closing }: SlotsDeps): Slots {
  const all = new Set<Slot>();
  const free: Slot[] = [];
  const ending = new Set<Promise<void>>();

  const start = async (): Promise<Slot> => {
    const found = await confinement();
    closing.throwIfAborted();
    const slot: Slot = { process: startProcess(found), files: 0 };
    all.add(slot);
    return slot;
  };
  const end = async (slot: Slot): Promise<void> => {
    clearTimeout(slot.idle);
    all.delete(slot);
    const ended = slot.process.end();
    ending.add(ended);
    await ended;
    ending.delete(ended);
  };
  const endWhenIdle = (slot: Slot, afterMs: number): void => {
    slot.idle = setTimeout(() => {
      const isLast = all.size === 1 && afterMs < limits.lastIdleMs;
      if (isLast) return endWhenIdle(slot, limits.lastIdleMs);
      free.splice(free.indexOf(slot), 1);
      end(slot);
    }, afterMs).unref();
  };

  return {
    start,
    end,
    async take() {
      // An idle process may have died.
      for (let slot = free.pop(); slot; slot = free.pop()) {
        clearTimeout(slot.idle);
        if (slot.process.isAlive) return slot;
        all.delete(slot);
      }
      return start();
    },
    giveBack(slot) {
      const isWornOut = slot.files >= limits.files || slot.process.memory > limits.idleBytes;
      if (isWornOut || closing.aborted || !slot.process.isAlive) {
        end(slot);
      } else {
        free.push(slot);
        endWhenIdle(slot, limits.idleMs);
      }
    },
    async close() {
      await Promise.all([...all].map(end));
      await Promise.all(ending);
    },
  };
}
