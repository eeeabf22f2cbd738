// Named copies of read models: where they are read, and how they come to be there. Read only once they are whole.
import type { DocStore } from '../documents/port.js';
import type { ReplayInfo } from './info.js';

/** `projectId` null: of the installation. */
export type ReplayKey = { readonly projectId: string | null; readonly name: string };
export type Replay = ReplayKey & { readonly info: ReplayInfo; readonly sizeBytes: number };
export type OpenReplay = { readonly docs: DocStore; readonly info: ReplayInfo; readonly key: ReplayKey };

export interface Replays {
  /**
   * A project's own copy of that name, else the installation's; undefined when there is neither. Throws `Unavailable` for what lies under
   * that name and is no copy.
   */
  open(projectId: string, name: string): Promise<OpenReplay | undefined>;
  /** Those that a project may read, by name. What is no copy is left out. */
  list(projectId: string): Promise<readonly Replay[]>;
  /** Nothing happens when there is none. */
  remove(key: ReplayKey): Promise<void>;
  /** With all that lies there of the project, also what no process of this version can read. */
  removeAllOf(projectId: string): Promise<void>;
  close(): Promise<void>;
}

/** What a project has asked for, and what became of it so far. */
export type ReplayRequest = {
  readonly name: string;
  readonly projectId: string;
  /** An instant; null for all that is known. */
  readonly until: string | null;
  readonly whatIf: { readonly [rule: string]: string | number };
  readonly requestedAt: string;
  /** How often it was begun. */
  readonly begun: number;
  /** Why it is given up. */
  readonly problem: string | null;
};

/** `progress`: from 0 to 1 while it is being made, else null. */
export type AskedReplay = ReplayRequest & { readonly progress: number | null; readonly sizeBytes: number };

/** `signal` aborts when the copy is no longer wanted; `report` takes what part of the way is done, from 0 to 1. */
export type Making = { readonly signal: AbortSignal; readonly report: (progress: number) => void };
/** `in use`: another process makes it. `taken back`: it is no longer wanted, or another process has taken it over. */
export type Made = 'made' | 'in use' | 'taken back';

export interface ReplayMaking {
  /** False when there is one of this name, or one was left unfinished. Durable when it resolves. */
  ask(request: ReplayRequest): Promise<boolean>;
  /** Takes the place of what was asked under the same name, unless that was taken back. */
  update(request: ReplayRequest): Promise<void>;
  /** Oldest first. */
  asked(): Promise<readonly AskedReplay[]>;
  /**
   * Lets `build` fill the copy, where another run may have left off, and puts it under its name once it is whole. Throws what `build` throws;
   * then a next run goes on.
   */
  make(key: ReplayKey, build: (docs: DocStore, making: Making) => Promise<void>): Promise<Made>;
  /** Takes back what was asked for, with all that was made of it. False while another process makes it and cannot be told. */
  forget(key: ReplayKey): Promise<boolean>;
}

/** The request alone. */
export function requestOf(asked: ReplayRequest): ReplayRequest {
  const { name, projectId, until, whatIf, requestedAt, begun, problem } = asked;
  return { name, projectId, until, whatIf, requestedAt, begun, problem };
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const PROJECT = /^[a-z0-9_]{1,64}$/;

/** What a copy may be called. */
export function isReplayKey({ projectId, name }: ReplayKey): boolean {
  return NAME.test(name) && (projectId === null || PROJECT.test(projectId));
}
