// What is known about the models of this installation.

export type RuntimeState =
  | { is: 'ready' }
  | { is: 'missing' | 'installing' }
  /** Installed, but it does not work on this machine. */
  | { is: 'unusable'; problem: string };

export interface InstalledModels {
  /** The folder with the weights, whose packages hold the runtime. Undefined if they are not installed. */
  folder: string | undefined;
  /** What the operator runs if something is missing. */
  installCommand: string;
  state(): RuntimeState;
}
