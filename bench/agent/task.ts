// A task for the agent: what a caller asks, on which sites, and the exact answer.
import type { Truth } from '../understand/labelled-page.ts';

/** HTML unless it says otherwise. */
export type TaskPage =
  | string
  | { content: string | Uint8Array; type?: string; status?: number; headers?: Record<string, string> };

/** Host -> path with its query -> page. A link to `http://OTHER.test/` works: the port is added when the page is served. */
export type TaskSites = Record<string, Record<string, TaskPage>>;

export interface AgentTask {
  /** Unique; `--only NAME` runs it alone. */
  name: string;
  prompt: string;
  /** Without a port. A task without them begins with a search. */
  urls?: string[];
  strictConstrainToURLs?: boolean;
  schema?: object;
  /** With a schema: the answer. */
  expected?: Record<string, Truth>;
  /** Without a schema: what the answer must contain, word by word. */
  statements?: string[];
  /** `host/path` of the pages that state the answer. The self-check looks for every value there. */
  pages: string[];
  /** Paths of fields that follow from the pages without standing there: a count, yes or no. */
  derived?: string[];
}

/** Sites by one template, and the tasks on them. */
export interface TaskTemplate {
  name: string;
  sites: TaskSites;
  tasks: AgentTask[];
}

const MOST_TASKS = 4;

export function taskTemplate(template: TaskTemplate): TaskTemplate {
  const { name, tasks } = template;
  if (tasks.length > MOST_TASKS) throw new Error(`${name}: at most ${MOST_TASKS} tasks may share a template.`);
  for (const task of tasks) {
    if ((task.schema === undefined) === (task.statements === undefined)) {
      throw new Error(`${task.name}: a task has either a schema or statements.`);
    }
  }
  return template;
}

export const object = (properties: Record<string, object>, required = Object.keys(properties)): object => ({
  type: 'object',
  properties,
  required,
});

export const listOf = (properties: Record<string, object>, required?: string[]): object => ({
  type: 'array',
  items: object(properties, required),
});

export const text = (description?: string): object => ({ type: 'string', ...(description && { description }) });
export const number = (description?: string): object => ({ type: 'number', ...(description && { description }) });
export const integer = (description?: string): object => ({ type: 'integer', ...(description && { description }) });
export const flag = (description?: string): object => ({ type: 'boolean', ...(description && { description }) });
export const date = (description?: string): object => ({
  type: 'string',
  format: 'date',
  ...(description && { description }),
});
