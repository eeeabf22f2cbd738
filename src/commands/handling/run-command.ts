// The only path from a command to events: load, dedupe, decide, append, and retry if another writer was first.
import type { EventLog, ExpectedRevision } from '../../adapters/event-log/port.js';
import { inSpan } from '../../adapters/tracing/spans.js';
import { RetryLater, Unavailable, WrongRevision } from '../../domain/errors.js';
import type { Runtime } from '../../adapters/runtime.js';
import { decideInTurn, type Decider } from '../../domain/decider.js';
import type {
  Actor,
  DomainEvent,
  LogPosition,
  NewEvent,
  RecordedEvent,
  Revision,
  StreamName,
} from '../../domain/envelope.js';
import { eventId } from '../../domain/ids.js';
import { familyOf } from '../../domain/streams.js';
import { isoFromMs, latest } from '../../domain/time.js';
import { isKnown } from '../../domain/vocabulary.js';

/** Caller, cause and ID of a command; the ID identifies a repeat. */
export type CommandContext = {
  readonly commandId: string;
  readonly actor: Actor;
  readonly causationId?: string;
  readonly correlationId: string;
  readonly projectId?: string;
  /** True for a user or a secret key. */
  readonly isTrusted?: boolean;
};

export type CommandDeps = { readonly log: EventLog; readonly runtime: Runtime };

/** `eventIds`: events of this command, also from an earlier run. `position`: of the stream's last event; null if it is empty. */
export type CommandResult<S> = {
  /** State on which the commands were decided; equals `state` when nothing was appended. */
  readonly before: S;
  readonly state: S;
  readonly eventIds: readonly string[];
  /** Types of the events appended by this run; empty for a repeat. */
  readonly appended: readonly string[];
  readonly revision: Revision | null;
  readonly position: LogPosition | null;
};

/** Commands of one ID, which are decided together with others. */
export type CommandPart<C> = {
  readonly commandId: string;
  readonly commands: readonly C[] | (() => readonly C[]);
  /** Cause, if it is another than that of the others. */
  readonly causationId?: string;
};

/** State of a stream. `newer`: reason not to decide commands on it, if it contains events newer than this code; else null. */
export type LoadedState<S> = {
  readonly state: S;
  readonly revision: Revision | null;
  readonly position: LogPosition | null;
  readonly recordedAt: string;
  readonly eventIdsByCommand: ReadonlyMap<string, readonly string[]>;
  readonly newer: string | null;
};

const MAX_CONFLICTS = 5;

/**
 * Decides the commands as one append; a function creates them again each time that the stream is read. A command ID that is already in the
 * stream is not decided again. `read` loads the state from the whole stream or from a cache. Throws {@link Rejection} (a rule refused it),
 * {@link Unavailable} (unknown outcome; repeat with the same command ID).
 */
export function runCommand<S, C, E extends DomainEvent>(
  deps: CommandDeps,
  stream: StreamName,
  decider: Decider<S, C, E>,
  commands: CommandPart<C>['commands'],
  ctx: CommandContext,
  read?: (stream: StreamName) => Promise<LoadedState<S>>,
): Promise<CommandResult<S>> {
  return runCommands(deps, stream, decider, [{ commandId: ctx.commandId, commands }], ctx, read);
}

/** Decides several commands, each with an ID of its own, as one append; see {@link runCommand}. Those that are already in the stream are left out. */
export function runCommands<S, C, E extends DomainEvent>(
  deps: CommandDeps,
  stream: StreamName,
  decider: Decider<S, C, E>,
  parts: readonly CommandPart<C>[],
  ctx: Omit<CommandContext, 'commandId'>,
  read: (stream: StreamName) => Promise<LoadedState<S>> = (whole) => load(deps.log, whole, decider),
): Promise<CommandResult<S>> {
  const attributes = ctx.projectId === undefined ? {} : { 'subledger.project.id': ctx.projectId };
  return inSpan(`command ${familyOf(stream)}`, { attributes }, async (span) => {
    const onDecided = (decided: readonly C[]) => span.set({ 'subledger.commands': decided.map(kindOf) });
    const result = await decideAndAppend(deps, stream, { decider, parts, ctx, read, onDecided });
    span.set({ 'subledger.events': [...result.appended] });
    return result;
  });
}

type Decision<S, C, E extends DomainEvent> = {
  readonly decider: Decider<S, C, E>;
  readonly parts: readonly CommandPart<C>[];
  readonly ctx: Omit<CommandContext, 'commandId'>;
  readonly read: (stream: StreamName) => Promise<LoadedState<S>>;
  /** Called with the commands that are decided, each time; with none for a repeat. */
  readonly onDecided: (decided: readonly C[]) => void;
};

async function decideAndAppend<S, C, E extends DomainEvent>(
  deps: CommandDeps,
  stream: StreamName,
  { decider, parts, ctx, read, onDecided }: Decision<S, C, E>,
): Promise<CommandResult<S>> {
  for (let attempt = 0; ; attempt++) {
    const loaded = await read(stream);
    const { state: before, revision, position, eventIdsByCommand } = loaded;
    const pending = parts
      .filter(({ commandId }) => !eventIdsByCommand.has(commandId))
      .map(({ commands, ...part }) => ({ part, commands: typeof commands === 'function' ? commands() : commands }));
    onDecided(pending.flatMap(({ commands }) => commands));
    let state = before;
    const batch: NewEvent[] = [];
    for (const { part, commands } of pending) {
      const decision = decideInTurn(decider, commands, state);
      batch.push(...toNewEvents(stream, decision.events, loaded.recordedAt, { ...ctx, ...part }, deps.runtime));
      ({ state } = decision);
    }
    const decided = parts.flatMap(({ commandId }) => eventIdsByCommand.get(commandId) ?? []);
    const eventIds = [...decided, ...batch.map(({ id }) => id)];
    if (batch.length === 0) return { before, state: before, revision, position, eventIds, appended: [] };
    const expected: ExpectedRevision = revision ?? 'none';
    try {
      const place = await deps.log.append(stream, expected, batch);
      return { before, state, eventIds, appended: batch.map(({ type }) => type), ...place };
    } catch (err) {
      if (!(err instanceof WrongRevision)) throw err;
      if (attempt === MAX_CONFLICTS)
        throw new RetryLater('too many requests change this at the same time; retry in 1 second', 1);
      await deps.runtime.sleep(jitter(attempt, deps.runtime));
    }
  }
}

/**
 * Loads the state of a stream. `known`: an earlier state of it, after which the stream is read. Throws for a stream that contains events newer
 * than this code.
 */
export async function load<S, C, E extends DomainEvent>(
  log: EventLog,
  stream: StreamName,
  decider: Decider<S, C, E>,
  known = emptyStream(decider),
): Promise<LoadedState<S>> {
  let loaded = known;
  let eventIdsByCommand: Map<string, readonly string[]> | undefined;
  for await (const event of log.read(stream, known.revision ?? undefined)) {
    eventIdsByCommand ??= new Map(known.eventIdsByCommand);
    loaded = { ...evolveState(loaded, decider, event), eventIdsByCommand };
    if (loaded.newer !== null) throw new Error(loaded.newer);
    addEventId(eventIdsByCommand, event);
  }
  return loaded;
}

export function emptyStream<S, C, E extends DomainEvent>(decider: Decider<S, C, E>): LoadedState<S> {
  const state = decider.initial();
  return { state, revision: null, position: null, recordedAt: '', eventIdsByCommand: new Map(), newer: null };
}

/** Applies one more event to a loaded stream and retains the latest `maxCommands` commands. `loaded` itself is not changed. */
export function applyEvent<S, C, E extends DomainEvent>(
  loaded: LoadedState<S>,
  decider: Decider<S, C, E>,
  event: RecordedEvent,
  maxCommands: number,
): LoadedState<S> {
  const eventIdsByCommand = new Map(loaded.eventIdsByCommand);
  addEventId(eventIdsByCommand, event);
  const [oldest] = eventIdsByCommand.keys();
  if (eventIdsByCommand.size > maxCommands && oldest !== undefined) eventIdsByCommand.delete(oldest);
  return { ...evolveState(loaded, decider, event), eventIdsByCommand };
}

function evolveState<S, C, E extends DomainEvent>(
  loaded: LoadedState<S>,
  decider: Decider<S, C, E>,
  event: RecordedEvent,
): LoadedState<S> {
  const { revision, position, stream, type, v } = event;
  const isNewer = loaded.newer === null && !isKnown(event);
  return {
    ...loaded,
    state: decider.evolve(loaded.state, toDecidedForm<E>(event)),
    revision,
    position,
    recordedAt: latest(loaded.recordedAt, event.meta.recordedAt),
    newer: isNewer ? `${stream}: ${type} v${v} is newer than this code; deploy it first` : loaded.newer,
  };
}

function addEventId(byCommand: Map<string, readonly string[]>, { id, meta }: RecordedEvent): void {
  byCommand.set(meta.commandId, [...(byCommand.get(meta.commandId) ?? []), id]);
}

/** Converts a stored event to the form on which deciders evolve: with its time next to its data. */
export function toDecidedForm<E extends DomainEvent>(event: RecordedEvent): E {
  const { id, type, data, meta } = event;
  const { at, late, update } = meta;
  return { id, type, data, at, ...(late && { late }), ...(update && { update }) } as unknown as E;
}

function toNewEvents(
  stream: StreamName,
  events: readonly DomainEvent[],
  notBefore: string,
  ctx: CommandContext,
  runtime: Runtime,
): NewEvent[] {
  const recordedAt = latest(isoFromMs(runtime.now()), notBefore);
  return events.map((event, index) => ({
    id: eventId(stream, ctx.commandId, index),
    type: event.type,
    data: event.data,
    meta: {
      at: event.at ?? recordedAt,
      recordedAt,
      actor: ctx.actor,
      commandId: ctx.commandId,
      causationId: ctx.causationId ?? ctx.commandId,
      correlationId: ctx.correlationId,
      ...(ctx.projectId !== undefined && { projectId: ctx.projectId }),
      ...(event.inferred && { inferred: true as const }),
      ...(event.late && { late: event.late }),
      ...(event.update && { update: event.update }),
      ...(event.importedFrom && { importedFrom: event.importedFrom }),
    },
  }));
}

/** Returns the name of a command in traces; streams with one kind of command do not name it. */
function kindOf(command: unknown): string {
  return typeof command === 'object' && command !== null && 'kind' in command ? String(command.kind) : '';
}

function jitter(attempt: number, runtime: Runtime): number {
  return (attempt + 1) * 5 + (runtime.randomBytes(1)[0] ?? 0) / 16;
}
