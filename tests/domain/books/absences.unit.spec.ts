// Rules of reports that will not come.
import { expect } from 'chai';
import { isAbsentFor, type Absence } from '../../../src/domain/books/absences.js';
import { closingsDecider } from '../../../src/domain/books/closings.js';
import { booksEvents as e } from '../../../src/domain/books/events.js';
import { given } from '../spec.js';

const absence = (change: Partial<Absence> = {}): Absence => ({
  ...{ absenceId: 'abs_1', month: '2026-10', store: 'ios-store', countries: [], reason: 'Nothing was sold.' },
  ...change,
});
const settings = { basis: 'gross', timeZone: 'UTC', lifetimeMonths: 0 } as const;
const closing = {
  ...{ month: '2026-10', closingId: 'cls_1', number: 1, parts: 1, entries: 0, position: null },
  ...{ totals: [], incompleteReason: null },
};
const declared = (one: Absence) => e.ReportDeclaredAbsent.of(one);
const { number: _number, ...figures } = closing;
const close = (absenceIds: readonly string[]) =>
  ({ kind: 'close', closing: figures, basedOn: { settings, lastClosingId: null, absenceIds } }) as const;

describe('a report that will not come', () => {
  it('is declared once for a store, its month and its countries', () => {
    given(closingsDecider).when({ kind: 'declareAbsent', absence: absence() }).then(declared(absence()));
    given(closingsDecider, declared(absence()))
      .when({ kind: 'declareAbsent', absence: absence({ absenceId: 'abs_2', reason: 'Again.' }) })
      .then();
    for (const other of [{ month: '2026-09' }, { store: 'android-store' as const }, { countries: ['DE'] }]) {
      const second = absence({ absenceId: 'abs_2', ...other });
      given(closingsDecider, declared(absence()))
        .when({ kind: 'declareAbsent', absence: second })
        .then(declared(second));
    }
  });

  it('is taken back once, and not under another month', () => {
    const withdraw = { kind: 'withdrawAbsence', month: '2026-10', absenceId: 'abs_1' } as const;
    const withdrawn = e.ReportAbsenceWithdrawn.of({ absenceId: 'abs_1', month: '2026-10', store: 'ios-store' });
    given(closingsDecider, declared(absence())).when(withdraw).thenOnce(withdrawn);
    given(closingsDecider, declared(absence()), withdrawn).when(withdraw).thenRejected('absence-unknown');
    given(closingsDecider, declared(absence()))
      .when({ ...withdraw, month: '2026-09' })
      .thenRejected('absence-unknown');
  });

  it('stays as it is while the month is closed', () => {
    const closed = given(closingsDecider, declared(absence()), e.MonthClosed.of(closing));
    closed.when({ kind: 'withdrawAbsence', month: '2026-10', absenceId: 'abs_1' }).thenRejected('month-closed');
    const other = absence({ absenceId: 'abs_2', store: 'android-store' });
    closed.when({ kind: 'declareAbsent', absence: other }).thenRejected('month-closed');
  });

  it('that is declared or taken back while the figures are computed stops the closing', () => {
    const changed = given(closingsDecider, e.BooksSettingsChanged.of(settings), declared(absence()));
    changed.when(close([])).thenRejected('books-changed');
    changed.when(close(['abs_1'])).then(e.MonthClosed.of(closing));
  });

  it('is at most one of fifty of a month', () => {
    const all = Array.from({ length: 50 }, (_, i) =>
      declared(absence({ absenceId: `abs_${i}`, countries: [`${i + 10}`] })),
    );
    given(closingsDecider, ...all)
      .when({ kind: 'declareAbsent', absence: absence({ absenceId: 'abs_50' }) })
      .thenRejected('too-many-absences');
  });

  for (const [store, country, countries, isAbsent] of [
    ['ios-store', 'DE', [], true],
    ['ios-store', null, [], true],
    ['android-store', 'DE', [], false],
    ['ios-store', 'DE', ['AT', 'DE'], true],
    ['ios-store', 'FR', ['AT', 'DE'], false],
    ['ios-store', null, ['AT', 'DE'], false],
  ] as const)
    it(`of ${countries.join() || 'all countries'} is ${isAbsent ? '' : 'not '}that of ${store}, ${country ?? 'no country'}`, () =>
      expect(isAbsentFor([{ store: 'ios-store', countries: [...countries] }], store, country)).to.equal(isAbsent));
});
