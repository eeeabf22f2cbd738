// Times of the dashboard in the time zone of the project: days of instants, times in sentences, and input fields.
import { expect } from 'chai';
import { loadDashboard } from './load-dashboard.js';

type Format = {
  dateTime(at: string, o?: { seconds?: boolean }): string;
  day(at: string): string;
  calendarDay(date: string): string;
  clock(at: string, precision: 'minutes' | 'seconds'): string;
  withTimesInZone(sentence: string): string;
};
type Zone = {
  showTimesIn(name: string): void;
  timeZone: { readonly value: string };
  fieldOf(at: string): string;
  instantOf(field: string): string;
};
const LATE = '2026-04-30T23:50:00.000Z';

describe('times of the dashboard', () => {
  let format: Format;
  let zone: Zone;
  before(async () => {
    format = await loadDashboard<Format>('parts/format.ts');
    zone = await loadDashboard<Zone>('context/time-zone.ts');
  });
  afterEach(() => zone.showTimesIn('UTC'));

  for (const [name, day, clock, full] of [
    ['UTC', '30 Apr 2026', '23:50', '30 Apr 2026, 23:50 UTC'],
    ['Europe/Berlin', '1 May 2026', '01:50', '1 May 2026, 01:50 CEST'],
    ['America/New_York', '30 Apr 2026', '19:50', '30 Apr 2026, 19:50 GMT-4'],
    ['Asia/Kathmandu', '1 May 2026', '05:35', '1 May 2026, 05:35 GMT+5:45'],
    ['Mars/Olympus', '30 Apr 2026', '23:50', '30 Apr 2026, 23:50 UTC'],
  ] as const) {
    it(`are of ${name}, and days of charts are not`, () => {
      zone.showTimesIn(name);
      expect([format.day(LATE), format.clock(LATE, 'minutes'), format.dateTime(LATE)]).to.deep.equal([
        day,
        clock,
        full,
      ]);
      expect(format.calendarDay('2026-04-30')).to.equal('30 Apr 2026');
    });
  }

  it('in sentences of the server are of the zone, each with its own offset', () => {
    zone.showTimesIn('Europe/Berlin');
    expect(
      format.withTimesInZone(
        'A renewal of 28 Mar 2026 23:50 UTC, received on 2 Sep 2026 08:12 UTC (order 4 Jan 2026 x)',
      ),
    ).to.equal('A renewal of 29 Mar 2026, 00:50 CET, received on 2 Sept 2026, 10:12 CEST (order 4 Jan 2026 x)');
    expect(format.withTimesInZone('Renewal 2 until 2026-01-28 17:06 UTC.')).to.equal(
      'Renewal 2 until 28 Jan 2026, 18:06 CET.',
    );
  });

  it('are empty in a field for what is no instant', () => {
    for (const name of ['UTC', 'Europe/Berlin']) {
      zone.showTimesIn(name);
      for (const text of ['', 'yesterday', '2026-13-01']) expect(zone.fieldOf(text), text).to.equal('');
    }
  });

  for (const [name, field, instant] of [
    ['UTC', '2026-05-02T08:12', '2026-05-02T08:12:00.000Z'],
    ['Europe/Berlin', '2026-05-02T08:12', '2026-05-02T06:12:00.000Z'],
    ['Europe/Berlin', '2026-01-01T00:30', '2025-12-31T23:30:00.000Z'],
    ['America/St_Johns', '2026-07-01T00:00', '2026-07-01T02:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-07-01T00:00', '2026-06-30T10:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
    ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
    // Clocks go back from 3 to 2: the first of both hours.
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ] as const) {
    it(`in a field, ${field} of ${name}, are ${instant} and come back`, () => {
      zone.showTimesIn(name);
      expect(zone.instantOf(field)).to.equal(instant);
      expect(zone.fieldOf(instant)).to.equal(field);
    });
  }

  it('of a day begin at its midnight, and a skipped hour is the one after it', () => {
    zone.showTimesIn('Europe/Berlin');
    expect(zone.instantOf('2026-05-02')).to.equal('2026-05-01T22:00:00.000Z');
    expect(zone.instantOf('2026-03-29T02:30')).to.equal('2026-03-29T01:30:00.000Z');
  });
});
