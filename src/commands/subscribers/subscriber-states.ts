// States of subscribers for commands: read from the log each time, or kept while many commands about a few customers follow each other.
import type { EventLog } from '../../adapters/event-log/port.js';
import type { StreamName } from '../../domain/envelope.js';
import type { SubscriberCommand } from '../../domain/subscriber/decide/commands.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import type { Subscriber } from '../../domain/subscriber/state/state.js';
import type { Deps } from '../handling/deps.js';
import {
  load,
  runCommands,
  type CommandContext,
  type CommandPart,
  type CommandResult,
  type LoadedState,
} from '../handling/run-command.js';

type Needs = { readonly log: EventLog } & Pick<Deps, 'keptStates'>;

/** Returns the current state. With `keptStates` only what was appended since the last use is read, so that n commands cost n and not n². */
export async function loadSubscriber({ log, keptStates }: Needs, stream: StreamName): Promise<LoadedState<Subscriber>> {
  const loaded = await load(log, stream, subscriberDecider, keptStates?.get(stream));
  keptStates?.set(stream, loaded);
  return loaded;
}

/** Runs commands on the stream of a subscriber, after other commands that come before in the same append. */
export function runOnStream(
  deps: Deps,
  stream: StreamName,
  commands: readonly SubscriberCommand[],
  { commandId, ...ctx }: CommandContext,
  before: readonly CommandPart<SubscriberCommand>[] = [],
): Promise<CommandResult<Subscriber>> {
  const parts = [...before, { commandId, commands }];
  const read = (name: StreamName) => loadSubscriber(deps, name);
  return deps.mutex.run(stream, () => runCommands(deps, stream, subscriberDecider, parts, ctx, read));
}
