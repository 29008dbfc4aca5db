// The parsers in processes of their own, since native engines can take down the process they are in: started on first use,
// one document a process at a time, ended when idle. Whatever a file does costs its process, never the service.
import { availableParallelism } from 'node:os';
import { ServiceError } from '../../contracts/errors.ts';
import type { ParsedDocument } from '../../contracts/parsed.ts';
import { type Clock, systemClock } from '../../util/clock.ts';
import { createGate } from '../../util/limit.ts';
import type { DocumentReader } from '../file-parser.ts';
import type { OcrSettings } from '../ocr/ocr-settings.ts';
import { PROCESS_LIMITS, type ProcessLimits } from '../parse-limits.ts';
import { findConfinement } from './confinement.ts';
import { type DocumentProcess, startProcess } from './parser-process.ts';
import { removeLeftFolders } from './process-folder.ts';
import type { ReadRequest } from './process-messages.ts';

export interface DocumentPoolOptions {
  ocr: OcrSettings;
  /** How many documents are read at the same time. */
  workers?: number;
  limits?: Partial<ProcessLimits>;
  /** Folders that no parser may look into. */
  hidden?: readonly string[];
  clock?: Clock;
  /** The file that a process runs, if not the parsers. */
  entry?: string;
}

interface Slot {
  process: DocumentProcess;
  documents: number;
  idle?: NodeJS.Timeout;
}

export function createDocumentPool(options: DocumentPoolOptions): DocumentReader {
  const { ocr, workers = availableParallelism(), hidden = [], clock = systemClock, entry } = options;
  const { searchPath } = ocr;
  const limits: ProcessLimits = { ...PROCESS_LIMITS, ...options.limits };
  const gate = createGate(workers, Number.POSITIVE_INFINITY);
  const closing = new AbortController();
  const slots = new Set<Slot>();
  const free: Slot[] = [];
  const ending = new Set<Promise<void>>();
  let confinement: ReturnType<typeof findConfinement> | undefined;

  const start = async (): Promise<Slot> => {
    if (!confinement) removeLeftFolders();
    confinement ??= findConfinement(searchPath, hidden);
    const found = await confinement;
    closing.signal.throwIfAborted();
    const process = startProcess({ confinement: found, limits, searchPath, clock, ...(entry && { entry }) });
    const slot: Slot = { process, documents: 0 };
    slots.add(slot);
    return slot;
  };
  const end = async (slot: Slot) => {
    clearTimeout(slot.idle);
    slots.delete(slot);
    const ended = slot.process.end();
    ending.add(ended);
    await ended;
    ending.delete(ended);
  };
  const take = async (): Promise<Slot> => {
    // A process may have ended while it rested.
    for (let slot = free.pop(); slot; slot = free.pop()) {
      clearTimeout(slot.idle);
      if (slot.process.isAlive) return slot;
      slots.delete(slot);
    }
    return start();
  };
  const rest = (slot: Slot) => {
    const isWorn = slot.documents >= limits.documents || slot.process.memory > limits.restBytes;
    if (isWorn || closing.signal.aborted || !slot.process.isAlive) {
      end(slot);
    } else {
      free.push(slot);
      endWhenIdle(slot, limits.idleMs);
    }
  };
  const endWhenIdle = (slot: Slot, afterMs: number) => {
    slot.idle = setTimeout(() => {
      const isLast = slots.size === 1 && afterMs < limits.lastIdleMs;
      if (isLast) return endWhenIdle(slot, limits.lastIdleMs);
      free.splice(free.indexOf(slot), 1);
      end(slot);
    }, afterMs).unref();
  };

  /** The bytes are copied on their way, so that another process can be given them. */
  async function readIn(slot: Slot, request: ReadRequest, signal: AbortSignal): Promise<ParsedDocument> {
    slot.documents += 1;
    try {
      return await slot.process.read(request, signal);
    } catch (error) {
      // A process that has read others may have been broken by one of them.
      if (!slot.process.hasCrashed || slot.documents === 1) throw error;
      await end(slot);
      return await readIn(await start(), request, signal);
    } finally {
      rest(slot);
    }
  }

  return {
    async read(file, options, signal, budget) {
      const either = AbortSignal.any([signal, closing.signal]);
      const release = budget?.hold();
      let heldMs = 0;
      const leave = await gate.enter(either).finally(() => {
        heldMs = release?.() ?? 0;
      });
      const later = { ...options, deadline: options.deadline + heldMs };
      try {
        return await readIn(await take(), { file, options: later, ocr, limits }, either);
      } finally {
        leave?.();
      }
    },
    async close() {
      closing.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      await Promise.all([...slots].map(end));
      await Promise.all(ending);
    },
  };
}
