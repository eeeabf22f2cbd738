// The customers read model: who a customer is and what it holds, the terms that find it, the deadlines that time has for it.
import { expect } from 'chai';
import {
  customers,
  exactTerm,
  normalizeTerm,
  termId,
  type CustomerDoc,
  type DeadlineDoc,
  type TermDoc,
} from '../../../src/projections/models/customers.js';
import { hash, type Documents } from '../support/builds.js';
import { customer, DAY, DEC, transfer } from '../support/customer-events.js';
import { given, PROJECT } from '../support/spec.js';

const ann = customer('ann');
const ben = customer('ben');
const anon = customer('$anon:1');

const docOf = (documents: Documents, id: string) => documents['customers']?.[id] as unknown as CustomerDoc;
const termsOf = (documents: Documents, id: string) =>
  Object.keys(documents['customer_terms'] ?? {}).filter((key) => key.startsWith(`${id}|`));
/** The id of the document by which the text finds the customer. */
const term = (kind: TermDoc['kind'], customerId: string, text: string) => {
  const term = kind === 'exact' ? exactTerm(hash, PROJECT, text) : text;
  return termId(hash, { projectId: PROJECT, kind, term: term, customerId });
};
const deadlinesOf = (documents: Documents) =>
  Object.values(documents['deadlines'] ?? {}).map((d) => {
    const { customerId, target, kind, slack, dueAt } = d as unknown as DeadlineDoc;
    return [customerId, target, kind, slack, dueAt].join(' ');
  });

describe('customers read model', () => {
  it('lists a customer in its project from the first event on', () =>
    given(customers, ann.created(DAY(2))).then((found) => {
      const { listedIn, firstSeenAt, lastSeenAt, profile } = docOf(found, 'cus_ann');
      expect([listedIn, firstSeenAt, lastSeenAt]).to.deep.equal(['proj_1', DAY(2), DAY(2)]);
      expect(profile.appUserId).to.equal('ann');
    }));

  it('moves the last visibility forward only', () =>
    given(customers, ann.created(DAY(2)), ann.seen(DAY(9)), ann.seen(DAY(4))).then((found) =>
      expect(docOf(found, 'cus_ann').lastSeenAt).to.equal(DAY(9)),
    ));

  it('makes no customer of a mere sight', () =>
    given(customers, ann.seen(DAY(9))).then((found) => expect(found['customers']).to.deep.equal({})));

  it('counts what was spent, refunds taken off and given back', () =>
    given(customers, ann.created(), ann.subscribed(), ann.renewed(), ann.refunded('tx_2', DEC(2))).then((found) =>
      expect(docOf(found, 'cus_ann').spentMicros).to.equal(9_990_000),
    ));

  it('counts a reversed refund as spent again', () =>
    given(customers, ann.created(), ann.subscribed(), ann.refunded('tx_1'), ann.refundReversed('tx_1')).then((found) =>
      expect(docOf(found, 'cus_ann').spentMicros).to.equal(9_990_000),
    ));

  it('leaves what was paid with the former owner of a line that moved', () => {
    const before = [ann.created(), ann.subscribed(), ben.created()];
    return given(customers, ...before, ...transfer('ann', 'ben', before)).then((found) => {
      expect([docOf(found, 'cus_ann').spentMicros, docOf(found, 'cus_ben').spentMicros]).to.deep.equal([9_990_000, 0]);
      expect(docOf(found, 'cus_ann').profile.subscriptions).to.have.length(0);
      expect(docOf(found, 'cus_ben').profile.subscriptions).to.have.length(1);
    });
  });

  it('leaves a merged customer out of the lists and keeps it as a pointer', () => {
    const before = [anon.created(), anon.subscribed(), ann.created()];
    const moved = transfer('$anon:1', 'ann', before);
    return given(customers, ...before, ...moved, anon.mergedInto('ann'), ann.merged('$anon:1')).then((found) => {
      expect(docOf(found, 'cus_$anon:1').listedIn).to.equal('');
      expect(docOf(found, 'cus_$anon:1').profile.mergedInto).to.deep.equal({ customerId: 'cus_ann', appUserId: 'ann' });
      expect(docOf(found, 'cus_ann').profile.aliases).to.deep.equal(['$anon:1']);
    });
  });
});

describe('erased customers', () => {
  it('leave no name, neither their own nor that of who was merged into them', () => {
    const before = [anon.created(), ann.created(), anon.mergedInto('ann'), ann.merged('$anon:1')];
    return given(customers, ...before, ann.erased(['cus_$anon:1'])).then((found) => {
      expect(docOf(found, 'cus_ann').profile).to.deep.include({ status: 'erased', appUserId: '', aliases: [] });
      const pointer = { customerId: 'cus_ann', appUserId: '' };
      expect(docOf(found, 'cus_$anon:1').profile).to.deep.include({
        status: 'merged',
        appUserId: '',
        mergedInto: pointer,
      });
      expect(termsOf(found, 'cus_ann')).to.deep.equal([]);
    });
  });
});

describe('terms of customers', () => {
  it('find a customer by its names, its email and its purchase lines, in lower case', () =>
    given(customers, ann.created(), ann.attributes({ $email: 'Ann@Example.COM', team: 'red' }), ann.subscribed()).then(
      (found) =>
        expect(termsOf(found, 'cus_ann')).to.have.members([
          term('appUserId', 'cus_ann', 'ann'),
          term('exact', 'cus_ann', 'ann@example.com'),
          term('exact', 'cus_ann', 'cus_ann'),
          term('exact', 'cus_ann', 'tx_1'),
        ]),
    ));

  it('show no email, in no id and no field', () =>
    given(customers, ann.created(), ann.attributes({ $email: 'ann@example.com' })).then((found) =>
      expect(JSON.stringify(found['customer_terms'])).not.to.include('example.com'),
    ));

  it('name the line and leave its single transactions to their own documents', () =>
    given(customers, ann.created(), ann.subscribed(), ann.renewed()).then((found) => {
      expect(termsOf(found, 'cus_ann')).to.include(term('exact', 'cus_ann', 'tx_1'));
      expect(termsOf(found, 'cus_ann')).not.to.include(term('exact', 'cus_ann', 'tx_2'));
    }));

  it('forget an attribute that was deleted', () =>
    given(customers, ann.created(), ann.attributes({ $email: 'a@b.c' }), ann.attributes({ $email: null }, DAY(3))).then(
      (found) => expect(termsOf(found, 'cus_ann')).to.not.include(term('exact', 'cus_ann', 'a@b.c')),
    ));

  it('go over to the customer that took another one in', () => {
    const before = [anon.created(), anon.subscribed(), ann.created()];
    const moved = transfer('$anon:1', 'ann', before);
    return given(customers, ...before, ...moved, anon.mergedInto('ann'), ann.merged('$anon:1')).then((found) => {
      expect(termsOf(found, 'cus_$anon:1')).to.deep.equal([]);
      expect(termsOf(found, 'cus_ann')).to.include.members([
        term('appUserId', 'cus_ann', '$anon:1'),
        term('exact', 'cus_ann', 'tx_1'),
      ]);
    });
  });

  it('omit characters that no key can contain, so that an unusual email blocks nothing', () =>
    given(customers, ann.created(), ann.attributes({ $email: 'a\0b@c.d' })).then((found) =>
      expect(termsOf(found, 'cus_ann')).to.include(term('exact', 'cus_ann', 'ab@c.d')),
    ));

  it('are the same however a name is typed', () =>
    expect([normalizeTerm('Ａnn'), normalizeTerm('ANN'), normalizeTerm('x\ud800')]).to.deep.equal([
      'ann',
      'ann',
      'x\ufffd',
    ]));
});

describe('deadlines of customers', () => {
  it('begin with the end of the first period', () =>
    given(customers, ann.created(), ann.subscribed()).then((found) =>
      expect(deadlinesOf(found)).to.deep.equal([`cus_ann sub_tx_1 periodEnd store ${DEC(1)}`]),
    ));

  it('move with a renewal', () =>
    given(customers, ann.created(), ann.subscribed(), ann.renewed()).then((found) =>
      expect(deadlinesOf(found)).to.deep.equal([`cus_ann sub_tx_1 periodEnd store ${DEC(31)}`]),
    ));

  it('become the end of the grace, then of the retries', async () => {
    const failed = [ann.created(), ann.subscribed(), ann.graceEntered(DEC(7))];
    await given(customers, ...failed).then((found) =>
      expect(deadlinesOf(found)).to.deep.equal([`cus_ann sub_tx_1 graceEnd store ${DEC(7)}`]),
    );
    await given(customers, ...failed, ann.retryEntered(DEC(7))).then((found) =>
      expect(deadlinesOf(found)).to.deep.equal(['cus_ann sub_tx_1 retryStop store 2027-01-30T10:00:00.000Z']),
    );
  });

  it('vanish when the subscription has ended', () =>
    given(customers, ann.created(), ann.subscribed(), ann.expired()).then((found) =>
      expect(deadlinesOf(found)).to.deep.equal([]),
    ));

  it('vanish when access was refunded and come back when that is reversed', async () => {
    const refunded = [ann.created(), ann.subscribed(), ann.refunded('tx_1')];
    await given(customers, ...refunded).then((found) => expect(deadlinesOf(found)).to.deep.equal([]));
    await given(customers, ...refunded, ann.refundReversed('tx_1')).then((found) =>
      expect(deadlinesOf(found)).to.have.length(1),
    );
  });

  it('go with the line to its new owner', () => {
    const before = [ann.created(), ann.subscribed(), ben.created()];
    return given(customers, ...before, ...transfer('ann', 'ben', before)).then((found) =>
      expect(deadlinesOf(found)).to.deep.equal([`cus_ben sub_tx_1 periodEnd store ${DEC(1)}`]),
    );
  });

  it('come back with the line to its former owner', () => {
    const before = [ann.created(), ann.subscribed(), ben.created()];
    const there = transfer('ann', 'ben', before);
    const back = transfer('ben', 'ann', [...before, ...there], DAY(7));
    return given(customers, ...before, ...there, ...back).then((found) =>
      expect(deadlinesOf(found)).to.deep.equal([`cus_ann sub_tx_1 periodEnd store ${DEC(1)}`]),
    );
  });

  it('have no slack for a grant, with or without an end', async () => {
    await given(customers, ann.created(), ann.granted(DEC(3))).then((found) =>
      expect(deadlinesOf(found)).to.deep.equal([`cus_ann grant_ann promoEnd none ${DEC(3)}`]),
    );
    await given(customers, ann.created(), ann.granted(null)).then((found) =>
      expect(deadlinesOf(found)).to.deep.equal([]),
    );
  });

  it('vanish when a grant ran out or was taken back', async () => {
    for (const end of [ann.grantEnded(DEC(3)), ann.grantRevoked(DEC(2))]) {
      await given(customers, ann.created(), ann.granted(DEC(3)), end).then((found) =>
        expect(deadlinesOf(found)).to.deep.equal([]),
      );
    }
  });
});
