// Annotations of a project: written ones go, those of its catalogue stay.
import { expect } from 'chai';
import { productEvents } from '../../../src/domain/catalog/products.js';
import { offeringEvents } from '../../../src/domain/catalog/offerings.js';
import { experimentEvents } from '../../../src/domain/experiment/events.js';
import { projectEvents } from '../../../src/domain/project/events.js';
import { streams } from '../../../src/domain/streams.js';
import { annotations } from '../../../src/projections/models/annotations.js';
import { given, past, PROJECT } from '../support/spec.js';

const AT = '2026-11-20T10:00:00.000Z';
const ofProject = streams.project(PROJECT);
const ofCatalogue = streams.catalog(PROJECT);
const added = (n: number) => {
  const data = { annotationId: `ann_${n}`, day: '2026-11-18', text: `note ${n}`, kind: 'note' as const };
  return past(ofProject, projectEvents.AnnotationAdded.of(data), AT);
};
const deleted = past(ofProject, projectEvents.AnnotationDeleted.of({ annotationId: 'ann_1' }), AT);
const price = (startsAt: string | null) => {
  const data = { productId: 'prod_1', priceId: 'price_1', amountMicros: 8_990_000, currency: 'EUR', country: null };
  return past(ofCatalogue, productEvents.ProductPriceAdded.of({ ...data, startsAt }), AT);
};
const offering = { offeringId: 'ofr_1', lookupKey: 'winter' };
const renamed = offeringEvents.OfferingUpdated.of({
  ...offering,
  changes: { displayName: { from: 'a', to: 'b' } },
});
const current = offeringEvents.OfferingUpdated.of({ ...offering, changes: { isCurrent: { from: false, to: true } } });
const started = experimentEvents.ExperimentStarted.of({ experimentId: 'exp_1' });

describe('annotations read model', () => {
  it('holds what members wrote until it is deleted', () =>
    given(annotations, added(1), added(2), deleted).then((found) =>
      expect(found['annotations']).to.deep.equal({
        ann_2: {
          ...{ projectId: PROJECT, annotationId: 'ann_2', day: '2026-11-18', kind: 'note', createdAt: AT },
          content: { by: 'member', text: 'note 2' },
        },
      }),
    ));

  it('holds prices on their first day, offerings that became current and experiments', () =>
    given(
      annotations,
      price(null),
      price('2026-12-01T00:00:00.000Z'),
      past(ofCatalogue, renamed, AT),
      past(ofCatalogue, current, AT),
      past(streams.experiment(PROJECT, 'exp_1'), started, AT),
    ).then((found) => {
      const all = Object.values(found['annotations'] ?? {}).map(
        (doc) => `${String(doc['day'])} ${String(doc['kind'])}`,
      );
      expect(all).to.have.members([
        '2026-11-20 price',
        '2026-12-01 price',
        '2026-11-20 offering',
        '2026-11-20 experiment',
      ]);
    }));
});
