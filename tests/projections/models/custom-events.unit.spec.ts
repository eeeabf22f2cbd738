// Custom events: found by project, name and customer, in the order of their times.
import { expect } from 'chai';
import { streams } from '../../../src/domain/streams.js';
import { activityEvents as e } from '../../../src/domain/subscriber/events/events.js';
import { customEvents } from '../../../src/projections/models/custom-events.js';
import { past, given } from '../support/spec.js';

const AT = '2026-11-20T10:00:00.000Z';
const ANN = `cus_${'a'.repeat(26)}`;
const stream = streams.activity('proj_1', '202611', ANN);
const recorded = (n: number) =>
  past(
    stream,
    e.CustomEventRecorded.of({ eventId: `e${n}`, name: 'x', properties: { secret: n }, occurredAt: AT }),
    AT,
  );
const seen = past(stream, e.CustomerSeen.of({ platform: null, appVersion: null, country: null }), AT);

describe('custom events read model', () => {
  it('holds the position of each event, and nothing of its content', () =>
    given(customEvents, recorded(1), seen, recorded(2)).then((found) => {
      const docs = Object.values(found['custom_events'] ?? {});
      expect(docs).to.have.length(2);
      for (const doc of docs) {
        expect(doc).to.deep.include({ customerId: ANN, name: 'x', occurredAt: AT, stream });
        expect(JSON.stringify(doc)).not.to.include('secret');
      }
    }));
});
