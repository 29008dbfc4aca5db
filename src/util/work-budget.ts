// A budget for work whose cost a caller or a site decides: what it does not cover is refused or skipped, and said so.

export interface WorkBudget {
  /** Called between two small steps of the work. */
  isSpent(): boolean;
}

export const UNLIMITED: WorkBudget = { isSpent: () => false };

/** How often the processor time is read, which costs more than a look at the clock. */
const READ_EVERY_MS = 5;

/** Processor time of this thread. Unlike the clock, it does not run out because the machine is busy with something else. */
export function processorBudget(ms: number): WorkBudget {
  const spent = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const end = spent() + ms;
  let nextLook = performance.now() + READ_EVERY_MS;
  let isSpent = ms <= 0;
  return {
    isSpent() {
      if (isSpent || performance.now() < nextLook) return isSpent;
      nextLook = performance.now() + READ_EVERY_MS;
      isSpent = spent() >= end;
      return isSpent;
    },
  };
}
