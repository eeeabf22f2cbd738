// Names that are kept or that processes of two versions share: each stays the same text for ever.
import { expect } from 'chai';
import { commandIds } from '../../../src/commands/handling/command-ids.js';
import { lockKeys, textOf, type LockKey } from '../../../src/commands/handling/keyed-mutex.js';
import type { StreamName } from '../../../src/domain/envelope.js';

const AT = '2026-11-20T10:00:00.000Z';
const LATER = '2026-11-20T10:00:01.000Z';

const ids: { readonly [K in keyof typeof commandIds]: readonly [string, string] } = {
  certificates: [commandIds.certificates('k'), 'certificates|k'],
  notification: [commandIds.notification('inb_1'), 'n|inb_1'],
  notificationProcessed: [commandIds.notificationProcessed('inb_1'), 'f|inb_1'],
  reprocessed: [commandIds.reprocessed('inb_1', 'abc'), 'r|inb_1|abc'],
  reprocessingRecorded: [commandIds.reprocessingRecorded('inb_1', 'abc'), 'again|inb_1|abc'],
  iosReceipt: [commandIds.iosReceipt('t1', 'alice', 1700), 'r|ios-store|t1|alice|1700'],
  restoredChain: [commandIds.restoredChain('req_1', 'chain'), 'restore|req_1|chain'],
  testPurchase: [commandIds.testPurchase('test_1', 'alice'), 'r|test-store|test_1|alice'],
  receiptChain: [commandIds.receiptChain('req_1', 't1'), 'receipt|req_1|t1'],
  appDownload: [commandIds.appDownload('req_1'), 'download|req_1'],
  androidReceipt: [commandIds.androidReceipt('req_1'), 'r|android-store|req_1'],
  queuedReceipt: [commandIds.queuedReceipt('req_1'), 'k|req_1'],
  furtherChain: [commandIds.furtherChain('n|inb_1', 'chain'), 'n|inb_1|chain'],
  chainHistory: [commandIds.chainHistory('app_1', 't1', AT), `h|app_1|t1|${AT}`],
  chainStatus: [commandIds.chainStatus(`h|app_1|t1|${AT}`), `h|app_1|t1|${AT}|now`],
  voidedPurchase: [commandIds.voidedPurchase('app_1', 'order|1700'), 'v|app_1|order|1700'],
  storeRequest: [commandIds.storeRequest('sub_1', AT, 'expiry', LATER), `q|sub_1|${AT}|expiry|${LATER}`],
  refundAnswer: [commandIds.refundAnswer('t1', AT), `refund-answer|t1|${AT}`],
  refusedRefundAnswer: [commandIds.refusedRefundAnswer('t1', AT), `refund-refused|t1|${AT}`],
  verifiedLine: [commandIds.verifiedLine('ver_1', '2000000'), 'verify|ver_1|2000000'],
  refresh: [commandIds.refresh('req_1', 'sub_1'), 'refresh|req_1|sub_1'],
  deadline: [commandIds.deadline('sub_1', AT, 'expiry'), `x|sub_1|${AT}|expiry`],
  lateRate: [commandIds.lateRate('t1', '2026-11-20', '2026-11-19'), 'p|t1|2026-11-20|2026-11-19'],
  ratesImport: [commandIds.ratesImport('imp_1', 250), 'rates|imp_1|250'],
  confirmedImport: [commandIds.confirmedImport('imp_1'), 'import|confirmed|imp_1'],
  importedCustomer: [commandIds.importedCustomer('d'), 'import|customer|d'],
  importedLine: [commandIds.importedLine('d'), 'import|line|d'],
  importedAlias: [commandIds.importedAlias('cus_1', 'cus_2'), 'import|alias|cus_1|cus_2'],
  merge: [commandIds.merge('req_1'), 'merge|req_1'],
  mergeCompleted: [commandIds.mergeCompleted('evt_1'), 'm|evt_1'],
  payersOf: [commandIds.payersOf('evt_1'), 'p|evt_1'],
  seenOnDevice: [commandIds.seenOnDevice('req_1'), 'seen|req_1'],
  seenOnDay: [commandIds.seenOnDay('2026-11-20'), 'seen|2026-11-20'],
  tokenNamed: [commandIds.tokenNamed('evt_1', 'key_1'), 't|evt_1|key_1'],
  lineOwner: [commandIds.lineOwner('req_1', 'evt_1'), 'o|req_1|evt_1'],
  lineReleased: [commandIds.lineReleased('evt_1'), 'out|evt_1'],
  lineTaken: [commandIds.lineTaken('evt_1'), 'in|evt_1'],
  enrolment: [commandIds.enrolment('req_1'), 'e|req_1'],
  appDeleted: [commandIds.appDeleted('app_1'), 'app-deleted|app_1'],
  webhookOfEndedProject: [commandIds.webhookOfEndedProject('wh_1'), 'project-ended|wh_1'],
  webhookGone: [commandIds.webhookGone('del_1', AT), `gone|del_1|${AT}`],
  webhookWarned: [commandIds.webhookWarned('wh_1', AT, 24), `warn|wh_1|${AT}|24`],
  webhookDisabled: [commandIds.webhookDisabled('wh_1', AT), `disable|wh_1|${AT}`],
  figureLeftBand: [commandIds.figureLeftBand('proj_1', 'revenue', '2026-11-20'), 'figure|proj_1|revenue|2026-11-20'],
  booksCompared: [commandIds.booksCompared('proj_1'), 'books|proj_1'],
  monthCompleted: [commandIds.monthCompleted('proj_1', '2026-10'), 'completed|proj_1|2026-10'],
  linesMissing: [commandIds.linesMissing('rep_1'), 'missing|rep_1'],
  reportedOrder: [commandIds.reportedOrder('rep_1', 'GPA.1'), 'reported|rep_1|GPA.1'],
  reportedHistory: [commandIds.reportedHistory('rep_1', 't1'), 'reported|rep_1|history|t1'],
  reportedRefund: [commandIds.reportedRefund('rep_1', 'GPA.1'), 'reported|rep_1|GPA.1|refund'],
  ordersLookedUp: [commandIds.ordersLookedUp('rep_1', 'abc'), 'looked-up|rep_1|abc'],
  tokenReused: [commandIds.tokenReused('ses_1'), 'reuse|ses_1'],
};

const purchase = 'purchase-p1' as StreamName;
const locks: { readonly [K in keyof typeof lockKeys]: readonly [LockKey, string, 'shared' | 'local'] } = {
  purchaseLine: [lockKeys.purchaseLine(purchase), 'line|purchase-p1', 'shared'],
  projects: [lockKeys.projects('user_1'), 'projects|user_1', 'local'],
  secondFactor: [lockKeys.secondFactor('user_1'), 'second-factor|user_1', 'local'],
  credentials: [lockKeys.credentials('app_1'), 'credentials|app_1', 'local'],
  webhooks: [lockKeys.webhooks('proj_1'), 'webhooks|proj_1', 'local'],
  replay: [lockKeys.replay('wh_1'), 'wh_1|replay', 'local'],
  refundAnswer: [
    lockKeys.refundAnswer('subscriber-p1_c1' as StreamName, 't1'),
    'refund-answer|subscriber-p1_c1|t1',
    'local',
  ],
  storeTasks: [lockKeys.storeTasks(), 'store-tasks', 'local'],
};

describe('ids of commands', () => {
  for (const [name, [made, expected]] of Object.entries(ids)) {
    it(`are what they were: ${name}`, () => expect(made).to.equal(expected));
  }
  it('of an ios receipt without a date end in nothing', () =>
    expect(commandIds.iosReceipt('t1', 'alice', undefined)).to.equal('r|ios-store|t1|alice|'));
});

describe('keys of locks', () => {
  for (const [name, [key, text, reach]] of Object.entries(locks)) {
    it(`are what they were: ${name}`, () => {
      expect(textOf(key)).to.equal(text);
      expect(typeof key === 'string' ? 'local' : 'shared').to.equal(reach);
    });
  }
});
