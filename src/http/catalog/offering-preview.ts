// Preview of what an app offers to one customer, with an explanation. It writes nothing: the customer is not enrolled in an experiment.
import { z } from 'zod';
import {
  chooseOffering,
  explainRules,
  factsOf,
  type CustomerFacts,
  type OfferingChoice,
} from '../../domain/catalog/choose-offering.js';
import type { Catalog } from '../../domain/catalog/catalog.js';
import { streams } from '../../domain/streams.js';
import { mergeDevice, unknownDevice } from '../../domain/subscriber/state/activity.js';
import { isoFromMs } from '../../domain/time.js';
import { MAX_VERSION_LENGTH } from '../../domain/values/app-version.js';
import { text } from '../../domain/values/user-text.js';
import type { CustomerDoc } from '../../projections/models/customers.js';
import { readCatalogAsOf, readRunningExperimentAsOf } from '../../projections/queries/as-of.js';
import { country, instant, platform } from '../bodies/request-schemas.js';
import { customerIdFrom, requireCustomer, requireCustomerAsOf } from '../customers/read-customer.js';
import { customerParams } from '../customers/routes.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { findAssignment } from '../subscribers/enrolment.js';
import { offeringPreview } from './responses.js';
import type { BodyOf } from '../bodies/response-schemas.js';

type PreviewSource = {
  readonly doc: CustomerDoc;
  readonly catalog: Catalog;
  readonly experiment: { readonly id: string; readonly variantId: string; readonly isEnrolled: boolean } | null;
  readonly variantOfferingId: string | null;
};

async function readNow(services: Services, projectId: string, cid: string, device: typeof unknownDevice) {
  const found = await requireCustomer(services, projectId, cid);
  const doc = { ...found, profile: { ...found.profile, ...mergeDevice(found.profile, device) } };
  const catalog = await services.deps.catalogs.get(streams.catalog(projectId));
  const assigned = await findAssignment(services.readModels, doc, null);
  if (!assigned) return { doc, catalog, experiment: null, variantOfferingId: null };
  const { experimentId, isNew, variant } = assigned;
  const experiment = { id: experimentId, variantId: variant.variantId, isEnrolled: !isNew };
  return { doc, catalog, experiment, variantOfferingId: variant.offeringId };
}

/** Only enrolments that had been recorded by then count. */
async function readThen(services: Services, projectId: string, cid: string, asOf: string): Promise<PreviewSource> {
  const { doc } = await requireCustomerAsOf(services, projectId, customerIdFrom(services, projectId, cid), asOf);
  const { log } = services.deps;
  const catalog = await readCatalogAsOf(log, projectId, asOf);
  for (const { experimentId, variantId, offeringId } of doc.profile.experiments) {
    if (!(await readRunningExperimentAsOf(log, projectId, experimentId, asOf))) continue;
    const experiment = { id: experimentId, variantId, isEnrolled: true };
    return { doc, catalog, experiment, variantOfferingId: offeringId };
  }
  return { doc, catalog, experiment: null, variantOfferingId: null };
}

function presentPreview(
  { doc, catalog, experiment, variantOfferingId }: PreviewSource,
  at: string,
): BodyOf<typeof offeringPreview> {
  const facts = factsOf(doc.profile, doc.firstSeenAt, at);
  const choice = chooseOffering(catalog, facts, variantOfferingId);
  const { attributes: _compared, ...known } = facts;
  const unarchived = catalog.offerings.filter((o) => !o.archived);
  const refOf = (offeringId: string | null) => {
    const found = unarchived.find((o) => o.offeringId === offeringId);
    return found ? { id: found.offeringId, lookupKey: found.lookupKey } : null;
  };
  const current = catalog.offerings.find((o) => o.isCurrent)?.offeringId ?? null;
  const offering = refOf(choice.offeringId) ?? refOf(current);
  const byPlacement = new Map(choice.byPlacement);
  return {
    object: 'offeringPreview',
    customerId: doc.customerId,
    at,
    offering,
    placements: catalog.placements.map(({ placementId, lookupKey }) => {
      const own = byPlacement.get(lookupKey);
      return { placementId, lookupKey, offering: own === undefined ? offering : refOf(own) };
    }),
    experiment,
    targeting: choice.rule,
    sentence: sentenceOf(catalog, choice, experiment),
    facts: known,
    rules: presentRules(catalog, facts, experiment !== null),
  };
}

function presentRules(catalog: Catalog, facts: CustomerFacts, hasVariant: boolean) {
  return explainRules(catalog, facts, hasVariant).map(({ rule: { ruleId, name, revision }, result, conditions }) => {
    const explained = conditions.map(({ condition, isMet, actual }) => ({ ...condition, isMet, actual }));
    return { id: ruleId, name, revision, result, conditions: explained };
  });
}

function sentenceOf({ rules }: Catalog, choice: OfferingChoice, experiment: PreviewSource['experiment']): string {
  if (experiment?.isEnrolled === true)
    return 'The customer takes part in an experiment, which wins over targeting rules.';
  if (experiment) return 'An experiment enrols the customer with the next request; it wins over targeting rules.';
  const chosen = rules.find((r) => r.ruleId === choice.rule?.ruleId);
  if (chosen && chosen.conditions.length === 0) return `The rule “${chosen.name}” holds for everybody.`;
  if (chosen) return `All conditions of the rule “${chosen.name}” hold, and no earlier active rule applies.`;
  if (rules.length === 0) return 'The project has no targeting rules: the current offering is shown.';
  return 'No active rule applies: the current offering is shown.';
}

export const offeringPreviewRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers/:cid/offerings',
    permission: 'readCustomers',
    summary: 'Preview the offerings of a customer',
    description:
      'What the app shows at each placement, and why. `country`, `platform` and `appVersion`: as if the device reported them. `asOf`: by what was recorded at this instant; then they must be absent. Nothing is written. A package without a product of the app is missing on its device, and an offering without any package too.',
    params: customerParams,
    query: z
      .strictObject({
        asOf: instant.optional(),
        country: country.optional(),
        platform: platform.optional(),
        appVersion: text(MAX_VERSION_LENGTH).optional(),
      })
      .refine(({ asOf, ...device }) => asOf === undefined || Object.values(device).every((v) => v === undefined), {
        path: ['asOf'],
        error: 'cannot be combined with country, platform or appVersion',
      }),
    response: offeringPreview,
    handle: async ({ params: { cid }, scope: { projectId }, query: { asOf, ...reported } }, services) => {
      const { country: from = null, platform: on = null, appVersion = null } = reported;
      const device = { ...unknownDevice, country: from, platform: on, appVersion };
      const source =
        asOf === undefined
          ? await readNow(services, projectId, cid, device)
          : await readThen(services, projectId, cid, asOf);
      return { body: presentPreview(source, asOf ?? isoFromMs(services.runtime.now())) };
    },
  }),
];
