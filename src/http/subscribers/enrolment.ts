// Variant of a subscriber: the one it was enrolled in before, or else that of the oldest running experiment that enrols it.
import { enrolSubscriber } from '../../commands/catalog/experiments.js';
import type { SubscriberResult } from '../../commands/subscribers/subscribers.js';
import type { LogPosition } from '../../domain/envelope.js';
import { mergeDevice } from '../../domain/subscriber/state/activity.js';
import { isoFromMs } from '../../domain/time.js';
import { variantFor, type Candidate } from '../../domain/experiment/assign.js';
import type { Variant } from '../../domain/experiment/experiment.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { experiments, type ExperimentDoc } from '../../projections/models/experiments.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { countryOf } from '../../domain/subscriber/state/country.js';
import { ownAppIdOf } from '../dispatch/caller.js';
import type { Input } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';

export type EnrolledVariant = {
  readonly experimentId: string;
  readonly variantId: string;
  readonly offeringId: string;
};

/** Limit above the number of running experiments in a project. */
const MAX_RUNNING = 100;

async function listExperiments(
  readModels: ReadModels,
  projectId: string,
  status: string,
): Promise<readonly ExperimentDoc[]> {
  const { rows } = await readModels.scan(experiments, { index: 'status', eq: [projectId, status], limit: MAX_RUNNING });
  return rows.map((r) => r.doc);
}

type EnrolmentCaller = Pick<Input<unknown, unknown, unknown>, 'by' | 'caller' | 'mayWrite'>;
type SubscriberProfile = Pick<CustomerDoc, 'projectId' | 'profile'>;
/** `position` is that of the enrolment event if the subscriber was enrolled now. */
type EnrolmentResult = { readonly variant: EnrolledVariant | null; readonly position: LogPosition | null };
const NO_VARIANT: EnrolmentResult = { variant: null, position: null };

/** Returns the variant, or null without an experiment. A new enrolment is stored before the variant is returned. */
export async function findVariant(
  services: Services,
  asker: EnrolmentCaller,
  doc: CustomerDoc,
): Promise<EnrolledVariant | null> {
  return (await enrol(services, asker, doc)).variant;
}

/** Enrols a customer on a receipt, as on a read of offerings. Returns null if there was no new enrolment. */
export async function enrolOnReceipt(
  services: Services,
  asker: EnrolmentCaller,
  projectId: string,
  { customerId, state }: SubscriberResult,
): Promise<LogPosition | null> {
  const doc = await services.readModels.get(customers, customerId);
  // The read model has the device; the state has what the receipt changed, which may include the creation of the customer.
  const createdAt = state.profile.createdAt || isoFromMs(services.runtime.now());
  const profile = { ...state.profile, createdAt, ...(doc && mergeDevice(state.profile, doc.profile)) };
  return (await enrol(services, asker, { projectId, profile })).position;
}

async function enrol(
  services: Services,
  { by, caller, mayWrite }: EnrolmentCaller,
  subscriber: SubscriberProfile,
): Promise<EnrolmentResult> {
  const { readModels, deps } = services;
  const assigned = await findAssignment(readModels, subscriber, ownAppIdOf(caller));
  if (!assigned) return NO_VARIANT;
  const { experimentId, isNew, variant } = assigned;
  if (!isNew) return { variant: { experimentId, ...variant }, position: null };
  if (!mayWrite) return NO_VARIANT;
  const { projectId, profile } = subscriber;
  const { state, position } = await enrolSubscriber(deps, by, projectId, profile.appUserId, { experimentId, variant });
  const stored = state.profile.experiments.find((x) => x.experimentId === experimentId);
  if (!stored) return NO_VARIANT;
  return { variant: { experimentId, variantId: stored.variantId, offeringId: stored.offeringId }, position };
}

type Assignment = { readonly experimentId: string } & (
  | { readonly isNew: false; readonly variant: Pick<Variant, 'variantId' | 'offeringId'> }
  | { readonly isNew: true; readonly variant: Variant }
);

/** Returns the variant that the subscriber has, or, as new, the one that it gets with its next request for offerings. */
export async function findAssignment(
  readModels: ReadModels,
  subscriber: SubscriberProfile,
  appId: string | null,
): Promise<Assignment | null> {
  const { projectId, profile } = subscriber;
  const running = await listExperiments(readModels, projectId, 'running');
  const paused = profile.experiments.length > 0 ? await listExperiments(readModels, projectId, 'paused') : [];
  for (const { experimentId } of [...running, ...paused]) {
    const enrolled = profile.experiments.find((x) => x.experimentId === experimentId);
    if (!enrolled) continue;
    const { variantId, offeringId } = enrolled;
    return { experimentId, isNew: false, variant: { variantId, offeringId } };
  }
  const subject = candidateOf(subscriber, appId);
  for (const experiment of running) {
    const variant = variantFor(experiment, subject);
    if (variant) return { experimentId: experiment.experimentId, isNew: true, variant };
  }
  return null;
}

function candidateOf({ profile }: SubscriberProfile, appId: string | null): Candidate {
  const bought = [...profile.subscriptions, ...profile.owned].map((p) => p.purchase.appId);
  const { appUserId, createdAt, platform, appVersion } = profile;
  const appIds = appId === null ? bought : [appId, ...bought];
  return { appUserId, createdAt, country: countryOf(profile), platform, appVersion, appIds };
}
