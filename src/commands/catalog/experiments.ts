// Commands on experiments, and the enrolment of subscribers.
import { commandIds } from '../handling/command-ids.js';
import { findOffering } from '../../domain/catalog/offerings.js';
import { Rejection } from '../../domain/errors.js';
import type { LogPosition } from '../../domain/envelope.js';
import {
  experimentDecider,
  type ExperimentChanges,
  type ExperimentCommand,
  type ExperimentSettings,
  type Variant,
} from '../../domain/experiment/experiment.js';
import { streams } from '../../domain/streams.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { runCommand } from '../handling/run-command.js';
import { runOnSubscriber, type SubscriberResult } from '../subscribers/subscribers.js';

type Ref = { readonly projectId: string; readonly experimentId: string };
type WriteResult<T = object> = Promise<T & { readonly position: LogPosition | null }>;

export async function createExperiment(
  deps: Deps,
  by: Requester,
  projectId: string,
  settings: ExperimentSettings,
): WriteResult<{ experimentId: string }> {
  await checkApps(deps, projectId, settings);
  const experimentId = deps.runtime.newId('exp');
  const command = { kind: 'create' as const, experiment: { experimentId, ...settings } };
  const { position } = await run(deps, by, { projectId, experimentId }, command);
  return { experimentId, position };
}

export async function updateExperiment(deps: Deps, by: Requester, ref: Ref, set: ExperimentChanges): WriteResult {
  await checkApps(deps, ref.projectId, set);
  const { offerings } = await deps.catalogs.get(streams.catalog(ref.projectId));
  const archived = new Set(offerings.filter((o) => o.archived).map((o) => o.offeringId));
  return run(deps, by, ref, { kind: 'update', set, archived });
}

export function deleteExperiment(deps: Deps, by: Requester, ref: Ref): WriteResult {
  return run(deps, by, ref, { kind: 'delete' });
}

export type NewVariant = Omit<Variant, 'variantId' | 'isControl'> & { readonly isControl: boolean | null };

/** `offeringId` may be a `lookupKey`. */
export async function addVariant(
  deps: Deps,
  by: Requester,
  ref: Ref,
  o: NewVariant,
): WriteResult<{ variantId: string }> {
  const offering = findOffering(await deps.catalogs.get(streams.catalog(ref.projectId)), o.offeringId);
  if (!offering)
    throw new Rejection('invalid', 'offering-unknown', 'offeringId: no offering with this ID in this project');
  const variantId = deps.runtime.newId('var');
  const variant = { ...o, variantId, offeringId: offering.offeringId };
  const { position } = await run(deps, by, ref, { kind: 'addVariant', variant });
  return { variantId, position };
}

export function deleteVariant(deps: Deps, by: Requester, ref: Ref, variantId: string): WriteResult {
  return run(deps, by, ref, { kind: 'deleteVariant', variantId });
}

/** Assigns a variant to the subscriber, unless it already has one of this experiment. */
export function enrolSubscriber(
  deps: Deps,
  by: Requester,
  projectId: string,
  appUserId: string,
  o: { readonly experimentId: string; readonly variant: Variant },
): Promise<SubscriberResult> {
  const { variantId, name: variantName, offeringId } = o.variant;
  const enrol = { kind: 'enrol' as const, experimentId: o.experimentId, variantId, variantName, offeringId };
  return runOnSubscriber(deps, projectId, appUserId, [enrol], {
    ...contextOf(by, projectId),
    commandId: commandIds.enrolment(by.requestId),
  });
}

async function checkApps(deps: Deps, projectId: string, { audience }: ExperimentChanges): Promise<void> {
  const project = await deps.projects.get(streams.project(projectId));
  const known = new Set(project?.apps.map((a) => a.appId));
  if (audience?.appIds?.some((id) => !known.has(id))) {
    throw new Rejection('invalid', 'app-unknown', 'audience.appIds contains an app of another project');
  }
}

function run(deps: Deps, by: Requester, { projectId, experimentId }: Ref, command: ExperimentCommand) {
  const stream = streams.experiment(projectId, experimentId);
  const ctx = contextOf(by, projectId);
  return deps.mutex.run(stream, () => runCommand(deps, stream, experimentDecider, [command], ctx));
}
